/** The formats that hold nothing but data: how each is parsed, and how a value in it is set and removed. */
import type { Json } from '../model/agent.ts'
import type { DiagnosticCode } from '../model/findings.ts'
import type { Edit } from '../model/range.ts'
import type { Parsed } from './data.ts'
import { appendJsonValues, removeJsonValue, removeJsonValues, setJsonValue } from './json/edit.ts'
import { parseJson } from './json/parse.ts'
import { removePrsValue, removePrsValues, setPrsValue } from './promptscript/edit.ts'
import { parsePrs } from './promptscript/parse.ts'
import { removeTomlValue, setTomlValue } from './toml/edit.ts'
import { parseToml } from './toml/parse.ts'

export interface DataFormat {
  readonly title: string
  /** What a text is told that is not valid. */
  readonly invalid: DiagnosticCode
  readonly parse: (text: string) => Parsed
  /** Null where the text is not valid, or something else stands on the way. */
  readonly set: (text: string, path: readonly string[], value: Json) => Edit[] | null
  readonly remove: (text: string, path: readonly string[]) => Edit[] | null
  /** Several entries that are not there yet, where that is less work than one after the other. */
  readonly append?: (
    text: string,
    holder: readonly string[],
    entries: readonly (readonly [string, Json])[],
  ) => Edit[] | null
  /** Several entries of one map at once, where that is less work than one after the other. */
  readonly removeAll?: (text: string, holder: readonly string[], keys: readonly string[]) => Edit[] | null
}

const json: DataFormat = {
  title: 'JSON',
  invalid: 'invalid-json',
  parse: (text) => parseJson(text, { comments: true }),
  set: setJsonValue,
  append: appendJsonValues,
  remove: removeJsonValue,
  removeAll: removeJsonValues,
}

const toml: DataFormat = {
  title: 'TOML',
  invalid: 'invalid-toml',
  parse: parseToml,
  set: setTomlValue,
  remove: removeTomlValue,
}

const prs: DataFormat = {
  title: 'PromptScript',
  invalid: 'invalid-prs',
  parse: parsePrs,
  set: setPrsValue,
  remove: removePrsValue,
  removeAll: removePrsValues,
}

const formats: Readonly<Record<string, DataFormat>> = { json, jsonc: json, toml, prs }

/** By the name that harness files give it, or by the end of a file's name. */
export function dataFormat(name: string): DataFormat {
  return formats[name.slice(name.lastIndexOf('.') + 1)] ?? json
}
