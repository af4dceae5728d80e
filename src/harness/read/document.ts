/** A file as structured text, before any dialect is applied: data with positions, and the body if there is one. */

import type { DataNode, MapEntry, Parsed } from '../../formats/data.ts'
import {
  type FrontMatterSplit,
  type HeadKey,
  headInLanguage,
  itemBehind,
  keysBehind,
  keysInHead,
  keysOfSecondHead,
  splitFrontMatter,
} from '../../formats/front-matter.ts'
import { parseJson } from '../../formats/json/parse.ts'
import { parsePrs } from '../../formats/promptscript/parse.ts'
import { parseToml } from '../../formats/toml/parse.ts'
import { parseYaml } from '../../formats/yaml/parse.ts'
import type { Finding } from '../../model/findings.ts'
import { inKilobytes, limits } from '../../model/limits.ts'
import type { Range } from '../../model/range.ts'
import { isPerhapsLimiting, isRestrictingKey, isToolName, type Vocabulary } from '../keys.ts'
import type { Carrier } from '../schema/harness.ts'
import { strayLimit } from './stray-limits.ts'

export interface Document {
  readonly text: string
  readonly format: Carrier['format']
  readonly root: DataNode | null
  /** Null if the format has no body. */
  readonly body: Range | null
  readonly frontMatter: FrontMatterSplit | null
  readonly findings: readonly Finding[]
  /** Top-level keys whose values had to be recovered. */
  readonly recovered: readonly string[]
  /** The paths of repeated keys, in formats whose parsers use the last one. */
  readonly twice?: readonly (readonly string[])[]
  /** The part with the keys exists, but is too long to be read. */
  readonly isUnread?: true
}

export function parseDocument(text: string, format: Carrier['format'], vocabulary: Vocabulary): Document {
  if (format === 'markdown') return parseMarkdown(text, vocabulary)
  const all = { start: 0, end: text.length }
  const parsed = withoutStrays(text, all, parseData(text, format, vocabulary), vocabulary, format === 'yaml')
  return { text, format, body: null, frontMatter: null, ...parsed }
}

function parseData(text: string, format: Exclude<Carrier['format'], 'markdown'>, vocabulary: Vocabulary): Parsed {
  switch (format) {
    case 'toml':
      return parseToml(text)
    case 'json':
      return parseJson(text)
    case 'jsonc':
      return parseJson(text, { comments: true })
    case 'prs':
      return parsePrs(text)
    case 'yaml':
      return parseYaml(text, undefined, '', vocabulary)
  }
}

function parseMarkdown(text: string, vocabulary: Vocabulary): Document {
  const cut = splitFrontMatter(text)
  const { body, yaml } = cut
  if (yaml !== null && yaml.end - yaml.start > limits.keys) {
    const findings = [...cut.findings.map(withoutFix), tooLong(yaml)]
    return { text, format: 'markdown', root: null, body, frontMatter: cut, findings, recovered: [], isUnread: true }
  }
  const { root, findings, recovered }: Parsed =
    yaml === null
      ? {
          root: null,
          findings: cut.findings.length > 0 ? [] : [undelimitedKeys(text, body) ?? noFrontMatter],
          recovered: [],
        }
      : withoutStrays(text, yaml, parseYaml(text, yaml, cut.indent, vocabulary), vocabulary, true)
  const isBlank = yaml !== null && text.slice(yaml.start, yaml.end).trim() === ''
  const unclear = (isBlank ? undelimitedKeys(text, body) : null) ?? (yaml === null ? null : secondHead(cut, text, root))
  const all = [...cut.findings, ...findings, ...(unclear === null ? [] : [unclear])]
  return { text, format: 'markdown', root, body, frontMatter: cut, findings: all, recovered }
}

/** Recovered data counts only if no line may have been a limit. A fix based on it would remove the limit for good. */
function withoutStrays(text: string, range: Range, parsed: Parsed, vocabulary: Vocabulary, isYaml: boolean): Parsed {
  const isPlain =
    parsed.findings.every(({ severity }) => severity === 'warning') &&
    (parsed.root === null || parsed.root.kind === 'map')
  if (isPlain || parsed.isUnread) return parsed
  const stray = strayLimit(text, range, parsed, vocabulary, isYaml)
  return stray === null ? parsed : { ...parsed, findings: [...parsed.findings.map(withoutFix), stray] }
}

/** The file seems to have front matter that limits the agent, but where it begins is unclear to every harness. */
function undelimitedKeys(text: string, { start }: Range): Finding | null {
  const other = headInLanguage(text, start)
  if (other !== null) {
    const message = `The front matter starts with "${other.opener}". Some programs read what follows and others do not, so Troupe treats the agent as allowed to do nothing.`
    return { code: 'unclear-front-matter', message, range: other.range }
  }
  return unclearKey(keysInHead(text, start))
}

/** What follows the front matter seems to be more of it. */
function secondHead({ body, close }: FrontMatterSplit, text: string, root: DataNode | null): Finding | null {
  // Most programs do not know `...` as a fence: to them the front matter is never closed.
  const isDots = close !== null && text.slice(close.start, close.end).trim() === '...'
  const behind = isDots ? unclearKey(keysBehind(text, body.start)) : null
  if (behind !== null) return behind
  const keys = keysOfSecondHead(text, body.start)
  // If the fence came too early, the value of the last key or the names of tools follow it.
  const last = root?.kind === 'map' ? root.entries.at(-1) : undefined
  const isOpen = last !== undefined && isRestrictingKey(last.key)
  const goesOn = isOpen && (keys[0]?.isIndented === true || itemBehind(text, body.start) !== null)
  return (
    unclearKey(keys, (one) => goesOn || isLimitingKey(one) || isToolName(one.key)) ??
    (isOpen ? valueBehind(last, text, body) : null)
  )
}

/** The last key is empty, and behind the fence is a tool, as in a list or a map of them. */
function valueBehind({ key, value }: MapEntry, text: string, { start }: Range): Finding | null {
  if (value.kind !== 'scalar' || value.value !== null) return null
  const item = itemBehind(text, start)
  const name = /^["']?([^\s"'(:,]+)/.exec(item?.text ?? '')?.[1] ?? ''
  if (item === null || !isToolName(name)) return null
  const message = `"${key}" is empty, and what follows the front matter seems to be its value; Troupe reads it as "nothing is allowed".`
  return { code: 'unclear-front-matter', message, range: item.range }
}

function isLimitingKey({ key, value }: HeadKey): boolean {
  return isRestrictingKey(key) || isPerhapsLimiting(key, value)
}

function unclearKey(keys: readonly HeadKey[], isLimit: (key: HeadKey) => boolean = isLimitingKey): Finding | null {
  const limiting = keys.find(isLimit)
  if (limiting === undefined) return null
  const message = `"${limiting.key}" seems to be part of front matter without a clear start or end, so Troupe treats the agent as allowed to do nothing.`
  return { code: 'unclear-front-matter', message, range: limiting.range }
}

/** Keys and prose cannot be told apart: the front matter is never closed, or cannot be split off at all. */
export function isUndelimited({ findings }: Pick<Document, 'findings'>): boolean {
  return findings.some(({ code }) => code === 'unclosed-front-matter' || code === 'unclear-front-matter')
}

function tooLong({ start, end }: Range): Finding {
  const message = `The front matter has ${inKilobytes(end - start)}, and Troupe reads at most ${inKilobytes(limits.keys)}. It treats the agent as allowed to do nothing.`
  return { code: 'long-definition', message, range: { start, end: start } }
}

function withoutFix({ fix: _fix, ...finding }: Finding): Finding {
  return finding
}

const noFrontMatter: Finding = {
  code: 'no-front-matter',
  message: 'The file has no front matter: the whole text is the prompt.',
  range: { start: 0, end: 0 },
}
