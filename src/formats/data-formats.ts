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
import { removeYamlPath, setYamlPath } from './yaml/document.ts'
import { parseYaml } from './yaml/parse.ts'

export interface DataFormat {
  readonly title: string
  /** The finding for a text that is not valid. */
  readonly invalid: DiagnosticCode
  readonly parse: (text: string) => Parsed
  /** Null if the text is not valid, or another value is in the way. */
  readonly set: (text: string, path: readonly string[], value: Json) => Edit[] | null
  readonly remove: (text: string, path: readonly string[]) => Edit[] | null
  /** Adds several new entries, where that is faster than one by one. */
  readonly append?: (
    text: string,
    holder: readonly string[],
    entries: readonly (readonly [string, Json])[],
  ) => Edit[] | null
  /** Removes several entries of one map, where that is faster than one by one. */
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

const yaml: DataFormat = {
  title: 'YAML',
  invalid: 'invalid-yaml',
  parse: (text) => parseYaml(text),
  set: setYamlPath,
  remove: removeYamlPath,
}

const formats: Readonly<Record<string, DataFormat>> = { json, jsonc: json, toml, prs, yaml, yml: yaml }

/** By its name in harness files, or by a file's extension; a hidden file without one is YAML, and so perhaps JSON. */
export function dataFormat(name: string): DataFormat {
  if (/(?:^|\/)\.[^./]+$/.test(name)) return yaml
  return formats[name.slice(name.lastIndexOf('.') + 1)] ?? json
}
