/** Lines of broken data that look like keys that limit the agent but were read as part of another value. */

import type { DataNode, Parsed } from '../../formats/data.ts'
import { lineStart, lineStop, nextLine } from '../../formats/lines.ts'
import { asSeen } from '../../formats/text.ts'
import type { Finding } from '../../model/findings.ts'
import type { Range } from '../../model/range.ts'
import { isPerhapsLimiting, isRestrictingKey, type Vocabulary } from '../keys.ts'

/** A word where a key could begin, and the text behind it. A comment has no keys. */
const KEY_LIKE = /^[\s\-*+>?"'{[(,!&|]*([A-Za-z_][\w.-]*)["']?(.*)$/s
/** Comments, strings and words, and whether the separator of a key follows. */
const TOKEN = /(?:\/\/|#)[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'{}[\],:=#]+)(\s*[:=])?/g

/**
 * The first such line of `range`, whose data had to be recovered; null: every word that could be such a key was read as
 * one.
 */
export function strayLimit(
  text: string,
  range: Range,
  { root, findings }: Pick<Parsed, 'root' | 'findings'>,
  vocabulary: Pick<Vocabulary, 'accessKeys' | 'toolNames'>,
  isYaml: boolean,
): Finding | null {
  const read = new Set<number>()
  const quoted = new Set<number>()
  if (root?.kind === 'map') addLinesRead(text, root, { read, quoted }, isYaml ? vocabulary : null)
  // Duplicate keys were read; they are unclear for that reason.
  for (const { code, range: own } of findings) if (code === 'duplicate-key') read.add(lineStart(text, own.start))
  if (/^\s*[{[]/.test(text.slice(range.start, range.end)))
    return strayInBraces(text, range, { root, findings }, vocabulary)
  for (let start = range.start; start < range.end; start = nextLine(text, start)) {
    const line = { start, end: Math.min(lineStop(text, start), range.end) }
    // In YAML a lone CR ends a line, too.
    const parts = asSeen(text.slice(line.start, line.end)).split('\r')
    for (const seen of read.has(start) ? parts.slice(1) : parts) {
      const key = quoted.has(start) ? keyInText(seen, vocabulary) : keyOf(seen, vocabulary)
      if (key !== null) return stray(key, seen.trim(), line)
    }
  }
  return null
}

/** A string that is closed too late swallows keys: in its lines only unmistakable keys count. */
function keyInText(seen: string, { accessKeys }: Pick<Vocabulary, 'accessKeys'>): string | null {
  const key = /^[ \t]*["']?([\w.-]+)["']?[ \t]*=(?!=)/.exec(seen)?.[1]
  return key !== undefined && accessKeys.has(key) && !/^tools?$/.test(key) ? key : null
}

function keyOf(seen: string, vocabulary: Pick<Vocabulary, 'accessKeys' | 'toolNames'>): string | null {
  const [, key, behind = ''] = KEY_LIKE.exec(seen) ?? []
  if (key === undefined) return null
  const rest = behind.trim()
  if (!isLimit(key, vocabulary)) {
    const value = /^[:=]/.test(rest) ? rest.replace(/[:=[\]{}"']+/g, ' ') : ''
    return isPerhapsLimiting(key, value) ? key : null
  }
  if (rest === '' || /^[:=]/.test(rest)) return key
  // Without a separator: a word that is not plain English, or only names of tools.
  if (!/^\s/.test(behind)) return null
  return /[a-z][A-Z]|[_-]/.test(key) || namesTools(rest, vocabulary) ? key : null
}

/** In braces lines do not matter: only words before a colon that were not read as keys count. */
function strayInBraces(
  text: string,
  { start, end }: Range,
  { root, findings }: Pick<Parsed, 'root' | 'findings'>,
  vocabulary: Pick<Vocabulary, 'accessKeys'>,
): Finding | null {
  const read = new Set<number>()
  if (root?.kind === 'map') addPlacesOfKeys(root, read)
  const twins = findings.filter(({ code }) => code === 'duplicate-key').map(({ range }) => range)
  const isTwin = (at: number) => twins.some((twin) => at >= twin.start && at < twin.end)
  for (const { 1: token, 2: sign, index } of text.slice(start, end).matchAll(TOKEN)) {
    if (token === undefined || sign === undefined) continue
    const at = start + index
    const key = asSeen(token).replace(/^["']|["']$/g, '')
    if (read.has(at) || !isLimit(key, vocabulary) || isTwin(at)) continue
    const line = { start: at, end: Math.min(lineStop(text, at), end) }
    return stray(key, text.slice(line.start, line.end).trim(), line)
  }
  return null
}

function addPlacesOfKeys(node: DataNode, places: Set<number>): void {
  if (node.kind === 'list') for (const item of node.items) addPlacesOfKeys(item, places)
  if (node.kind !== 'map') return
  for (const { keyRange, value } of node.entries) {
    places.add(keyRange.start)
    addPlacesOfKeys(value, places)
  }
}

function isLimit(key: string, { accessKeys }: Pick<Vocabulary, 'accessKeys'>): boolean {
  return accessKeys.has(key) || isRestrictingKey(key)
}

function namesTools(text: string, { toolNames }: Pick<Vocabulary, 'toolNames'>): boolean {
  const words = text.split(/[\s,;[\]"']+/).filter((word) => word !== '')
  return words.length > 0 && words.every((word) => toolNames.has(word.toLowerCase()))
}

interface LinesRead {
  /** Lines with a key that was read, and lines of a text between three quotes. */
  readonly read: Set<number>
  readonly quoted: Set<number>
}

/**
 * The starts of the lines in which a key was read, at any depth, or that continue a text between quotes. In YAML
 * (`slips`), a limiting key below an access key, or directly below any other, was indented by mistake.
 */
function addLinesRead(
  text: string,
  node: DataNode,
  lines: LinesRead,
  slips: Pick<Vocabulary, 'accessKeys'> | null,
  depth = 0,
): void {
  if (node.kind === 'list') for (const item of node.items) addLinesRead(text, item, lines, slips, depth)
  if (node.kind === 'scalar' && /^(?:"""|''')/.test(text.slice(node.range.start, node.range.start + 3)))
    for (let at = nextLine(text, node.range.start); at < node.range.end; at = nextLine(text, at)) lines.quoted.add(at)
  if (node.kind !== 'map') return
  for (const { key, keyRange, value } of node.entries) {
    if (slips !== null && depth === 1 && isLimit(key, slips)) continue
    lines.read.add(lineStart(text, keyRange.start))
    if (!slips?.accessKeys.has(key)) addLinesRead(text, value, lines, slips, depth + 1)
  }
}

function stray(key: string, line: string, range: Range): Finding {
  const shown = line.length > 80 ? `${line.slice(0, 80)}…` : line
  const message = `The line \`${shown}\` seems to set "${key}" but is not part of the front matter, so Troupe treats the agent as allowed to do nothing.`
  return { code: 'unclear-front-matter', message, range }
}
