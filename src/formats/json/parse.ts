/** Parses JSON and JSONC, and recovers broken text as far as the parser can. */
import { type Node, type ParseError, parseTree } from 'jsonc-parser'
import type { Finding } from '../../model/findings.ts'
import type { Range } from '../../model/range.ts'
import {
  type DataNode,
  type Duplicate,
  describeDuplicates,
  type MapEntry,
  type Parsed,
  type ScalarNode,
  type ScalarValue,
  twiceIn,
  withoutDuplicates,
} from '../data.ts'

export interface JsonOptions {
  /** Comments and trailing commas are part of the format, as in JSONC. */
  readonly comments?: boolean
}

// By the parser's error number; it has no messages of its own.
const REASONS: Readonly<Record<number, string>> = {
  1: 'this is not a JSON value',
  2: 'a number is malformed',
  3: 'a quoted key is missing',
  4: 'a value is missing',
  5: 'a colon is missing',
  6: 'a comma is missing',
  7: 'a closing brace is missing',
  8: 'a closing bracket is missing',
  9: 'there is text after the end of the data',
  10: 'comments are not allowed here',
  11: 'a comment is not closed',
  12: 'a string is not closed',
  13: 'a number is incomplete',
  14: 'a \\u escape is malformed',
  15: 'an escape is unknown',
  16: 'a character is not allowed here',
}

// One broken bracket can make every later token an error.
const MAX_FINDINGS = 20

// Far beyond any agent file; keeps recursion over the text and the tree safe.
const MAX_DEPTH = 500

interface JsonConversion {
  readonly shift: number
  readonly duplicates: Duplicate[]
  readonly path: string[]
}

let lastParsed: { readonly text: string; readonly comments: boolean; readonly parsed: Parsed } | null = null

/** One settings file holds agents, servers and limits, and each of them asks for the whole file. */
export function parseJson(text: string, { comments = false }: JsonOptions = {}): Parsed {
  if (lastParsed?.text !== text || lastParsed.comments !== comments)
    lastParsed = { text, comments, parsed: parseAnew(text, comments) }
  return lastParsed.parsed
}

function parseAnew(text: string, comments: boolean): Parsed {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const errors: ParseError[] = []
  const deep = tooDeep(text)
  if (deep !== null) return { root: null, findings: [deep], recovered: [], isUnread: true }
  try {
    const tree = parseTree(text.slice(shift), errors, {
      disallowComments: !comments,
      allowTrailingComma: comments,
      allowEmptyContent: false,
    })
    const conversion: JsonConversion = { shift, duplicates: [], path: [] }
    const root = tree ? convert(conversion, tree) : null
    const problems = errors.slice(0, MAX_FINDINGS).map((error) => describe(text, error, shift))
    const recovered = new Set(conversion.duplicates.map(({ path }) => path[0]!))
    return {
      root: withoutDuplicates(root, conversion.duplicates, 'first'),
      findings: [...problems, ...describeDuplicates(text, conversion.duplicates)],
      recovered: [...recovered],
      ...twiceIn(conversion.duplicates),
    }
  } catch (error) {
    const message = `The file cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}.`
    const range = { start: shift, end: text.length }
    return { root: null, findings: [{ code: 'invalid-json', message, range }], recovered: [] }
  }
}

/** The tree of a text that is known to be valid JSONC, for edits: repeated keys are kept. */
export function readJsonTree(text: string): DataNode {
  return convert({ shift: 0, duplicates: [], path: [] }, parseTree(text, [], { allowTrailingComma: true })!)
}

/** The parser recurses: thousands of brackets would exhaust the stack. Those in strings and comments do not count. */
function tooDeep(text: string): Finding | null {
  let depth = 0
  for (const { 0: token, index: start } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|[[{\]}]/g)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth = Math.max(0, depth - 1)
    if (depth <= MAX_DEPTH) continue
    const message = `The data is nested more than ${MAX_DEPTH} levels deep here, so Troupe does not read the file.`
    return { code: 'invalid-json', message, range: { start, end: start + 1 } }
  }
  return null
}

function describe(text: string, error: ParseError, shift: number): Finding {
  const start = Math.min(error.offset + shift, text.length)
  const range = { start, end: Math.min(start + error.length, text.length) }
  const reason = REASONS[error.error] ?? 'there is an error here'
  return { code: 'invalid-json', message: `This is not valid JSON: ${reason}.`, range }
}

function convert(conversion: JsonConversion, node: Node): DataNode {
  const range = rangeOf(conversion, node)
  if (node.type === 'object') return convertObject(conversion, node, range)
  if (node.type !== 'array') return { kind: 'scalar', value: (node.value ?? null) as ScalarValue, range }
  conversion.path.push('-')
  const items = (node.children ?? []).map((child) => convert(conversion, child))
  conversion.path.pop()
  return { kind: 'list', items, range }
}

function convertObject(conversion: JsonConversion, node: Node, range: Range): DataNode {
  const entries: MapEntry[] = []
  const seen = new Map<string, number>()
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? []
    if (!keyNode) continue
    const key = String(keyNode.value)
    const keyRange = rangeOf(conversion, keyNode)
    conversion.path.push(key)
    const value = valueNode ? convert(conversion, valueNode) : absent(keyRange.end)
    conversion.path.pop()
    entries.push({ key, keyRange, value, range: { start: keyRange.start, end: value.range.end } })
    const before = seen.get(key)
    seen.set(key, entries.length - 1)
    if (before !== undefined) {
      conversion.duplicates.push({
        entry: entries[before]!,
        next: entries[before + 1]!,
        path: [...conversion.path, key],
      })
    }
  }
  return { kind: 'map', entries, range }
}

function absent(place: number): ScalarNode {
  return { kind: 'scalar', value: null, range: { start: place, end: place } }
}

function rangeOf({ shift }: JsonConversion, node: Node): Range {
  return { start: node.offset + shift, end: node.offset + node.length + shift }
}
