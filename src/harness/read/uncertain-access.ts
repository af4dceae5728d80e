/** Access that cannot be read for certain, or that the harness does not enforce as written. */
import { parseDocument } from 'yaml'
import { type DataNode, getNode, type MapEntry, type MapNode, sameData, toData } from '../../formats/data.ts'
import type { Access, Layer, Rule } from '../../model/access/rules.ts'
import type { Range } from '../../model/range.ts'
import { powerlessTools } from '../../model/tools.ts'
import { topLevel } from '../keys.ts'
import type { AccessLayerSpec, Harness } from '../schema/harness.ts'
import type { Document } from './document.ts'
import type { DecodedAccess } from './map-rules.ts'

/**
 * A key is clear if its lines, up to the next key, are YAML with the same value as was recovered. A stray continuation
 * line, an unclosed bracket or a value glued to its key makes the meaning unknown.
 */
export function isUnambiguous(
  { text, format, root, findings, recovered, frontMatter, twice }: Document,
  map: MapNode,
  path: string,
): boolean {
  const key = topLevel(path)
  if (root !== null && twice !== undefined && isAmongTwins(root, map, key, twice)) return false
  if (format === 'toml') return !recovered.includes(key) && !isMisplaced(text, map, path)
  if (format !== 'markdown' && format !== 'yaml') return !recovered.includes(key)
  const end = frontMatter?.yaml?.end ?? text.length
  const isBroken = findings.some(({ range }) => range.start <= end)
  if (!isBroken && recovered.length === 0) return true
  const own = map.entries.filter((entry) => entry.key === key)
  const indent = frontMatter?.indent ?? ''
  if (isTwice(text.slice(frontMatter?.yaml?.start ?? 0, end), key)) return false
  return own.every((entry) => {
    const lines = withoutIndent(linesOf(text.slice(entry.range.start, end)), indent)
    // A repeated key in it is known already: hundreds of them make parsing it again expensive.
    const isTwinned = findings.some(
      ({ code, range }) => code === 'duplicate-key' && isWithin(range.start - entry.range.start, lines),
    )
    return !isTwinned && isValidAlone(lines, entry)
  })
}

function isWithin(offset: number, lines: string): boolean {
  return offset > 0 && offset < lines.length
}

/** Whether the key, a key in it, or a parent of the definition is repeated: the first may be the one that was meant. */
function isAmongTwins(root: DataNode, map: MapNode, key: string, twice: readonly (readonly string[])[]): boolean {
  const way = waysIn(root).get(map)
  if (way === undefined) return true
  const own = [...way, key]
  return twice.some((one) => one.slice(0, own.length).every((step, at) => step === own[at]))
}

const ways = new WeakMap<DataNode, ReadonlyMap<DataNode, readonly string[]>>()

/** The path of each map from the root. */
function waysIn(root: DataNode): ReadonlyMap<DataNode, readonly string[]> {
  let known = ways.get(root)
  if (known === undefined) {
    const found = new Map<DataNode, readonly string[]>()
    const visit = (node: DataNode, way: readonly string[]): void => {
      if (node.kind === 'list') for (const item of node.items) visit(item, [...way, '-'])
      if (node.kind !== 'map') return
      found.set(node, way)
      for (const { key, value } of node.entries) visit(value, [...way, key])
    }
    visit(root, [])
    known = found
    ways.set(root, known)
  }
  return known
}

/** Of two lists under one name the first may be the one that was meant. */
function isTwice(header: string, key: string): boolean {
  const name = key.replace(/[^\w-]/g, '\\$&')
  return (header.match(new RegExp(`^[ \\t]*["']?${name}["']?[ \\t]*:`, 'gm')) ?? []).length > 1
}

/** From the key to the next line that is clearly another key. */
function linesOf(rest: string): string {
  const next = /\n["']?[A-Za-z_][\w.-]*["']?[ \t]*:(?=\s)/.exec(rest)
  return next === null ? rest : rest.slice(0, next.index + 1)
}

/** The lines as they are read after an indented fence. */
function withoutIndent(lines: string, { length }: string): string {
  return length === 0 ? lines : lines.replace(new RegExp(`\\n[ \\t]{0,${length}}`, 'g'), '\n')
}

function isValidAlone(lines: string, { key, value }: MapEntry): boolean {
  // A block scalar without content.
  if (/^[^:\n]*:[ \t]*[>|][-+\d]*[ \t]*\n?\s*$/.test(lines)) return false
  const document = parseDocument(lines, { logLevel: 'silent', uniqueKeys: true })
  if (document.errors.length > 0 || document.warnings.length > 0) return false
  try {
    const data: unknown = document.toJS()
    if (typeof data !== 'object' || data === null || Object.keys(data).length !== 1) return false
    return sameData((data as Record<string, unknown>)[key] as never, toData(value))
  } catch {
    return false
  }
}

/** In TOML a key below a table header belongs to that table: its author meant it, but the harness does not see it. */
function isMisplaced(text: string, map: MapNode, key: string): boolean {
  const path = key.split('.')
  if (getNode(map, path) !== undefined) return false
  // Text in a prompt is not a key.
  const outside = text.replace(/("""|''')[\s\S]*?\1/g, '')
  const name = (path.at(-1) ?? key).replace(/[^\w-]/g, '\\$&')
  return new RegExp(`^[ \\t]*["']?(?:[\\w-]+\\.)*${name}["']?[ \\t]*[=:]`, 'm').test(outside)
}

export const notEnforced = { main: 'no', child: 'no' } as const
/** An unreadable restriction restricts everything: the author meant one, and guessing could widen it. */
export function nothingAllowed(spec: AccessLayerSpec, range: Range): DecodedAccess {
  // Including tools that count only if they are denied by name.
  const rule = { ...everythingDenied(spec.key, range), tools: ['*', ...powerlessTools] }
  return { keyed: [{ key: spec.key, rules: [rule] }], otherwise: 'deny', tools: [] }
}

export function everythingDenied(native: string, range: Range): Rule {
  return { tools: ['*'], subject: 'none', pattern: null, syntax: 'wildcard', action: 'deny', native, range }
}

/** A denial recovered from broken text that names nothing known: what it was meant to deny is uncertain. */
export function isDoubtful(harness: Harness, { keyed, otherwise }: DecodedAccess): boolean {
  if (otherwise === 'deny') return false
  const unknown = `native:${harness.family}/`
  return keyed.some(
    ({ rules }) =>
      rules.length === 0 ||
      rules.some(({ tools, ignored }) => ignored === 'rule' || tools.every((tool) => tool.startsWith(unknown))),
  )
}
/**
 * The certain part of a list with an unclosed parenthesis: the names before it, if the list grants. What a deny list
 * was meant to deny behind it is unknown. Null: all of it is clear.
 */
export function certainPart(
  spec: AccessLayerSpec,
  text: string,
  node: DataNode,
  decoded: DecodedAccess,
): DecodedAccess | null {
  if (spec.codec !== 'allow-list' && spec.codec !== 'deny-list') return null
  const items = node.kind === 'list' ? node.items : [node]
  const unclear = items.flatMap(({ range }) => {
    const at = unbalancedAt(text.slice(range.start, range.end))
    return at === null ? [] : [{ start: range.start + at, end: range.end }]
  })
  if (unclear.length === 0) return null
  if (spec.codec === 'deny-list') return nothingAllowed(spec, node.range)
  const isClear = ({ range }: Rule) =>
    range !== null && range !== node.range && unclear.every(({ start, end }) => range.end < start || range.start > end)
  const keyed = decoded.keyed.filter(({ rules }) => rules.every(isClear))
  return { ...decoded, keyed, tools: null }
}

/** The position of a parenthesis that is never closed, or closed without having been opened. */
function unbalancedAt(text: string): number | null {
  const open: number[] = []
  for (const [at, sign] of [...text].entries()) {
    if (sign === '(') open.push(at)
    if (sign === ')' && open.pop() === undefined) return at
  }
  return open[0] ?? null
}

/** Of several layers from one key, the one that is enforced. */
function layerFrom(access: Access, key: string): Layer | undefined {
  const own = access.filter(({ origin }) => origin === key)
  return own.find(({ enforced }) => enforced !== notEnforced) ?? own[0]
}

/** Rules read from a repaired text get the position of the written ones. */
function placedAt(seen: Layer, { rules }: Layer): Layer {
  const range = rules[0]?.range ?? nowhere
  return { ...seen, rules: seen.rules.map((rule) => (rule.range === null ? rule : { ...rule, range })) }
}

function isClosed({ rules, otherwise }: Layer): boolean {
  return otherwise === 'deny' && rules.some(({ tools, action }) => action === 'deny' && tools.includes('*'))
}

/** The written access is not enforced; the access granted instead is not part of any definition. */
export function withoutEnforcement(written: Access, given: Access): Access {
  return [...written.map((layer) => ({ ...layer, enforced: notEnforced })), ...given]
}

/**
 * The written access, enforced only as far as the harness sees it: if it repairs broken text in its own way, a list can
 * lose names or vanish altogether.
 */
export function enforceAsRepaired(written: Access, seen: Access): Access {
  const held = written.flatMap((layer): Layer[] => {
    const same = layerFrom(seen, layer.origin)
    if (same === undefined) return [{ ...layer, enforced: notEnforced }]
    // Only the harness could read it: the author's list stays closed, and the harness enforces its own reading.
    if (isClosed(layer) && !isClosed(same)) return [{ ...layer, enforced: notEnforced }, placedAt(same, layer)]
    const units = new Set(same.rules.flatMap(({ unit, ignored }) => (ignored === 'rule' ? [] : [unit])))
    const rules = layer.rules.map((rule): Rule => (units.has(rule.unit) ? rule : { ...rule, ignored: 'rule' }))
    return [{ ...layer, rules, enforced: same.enforced }]
  })
  // A restriction that only the harness reads applies anyway.
  return [...held, ...seen.filter(({ origin }) => written.every((layer) => layer.origin !== origin))]
}

/** Front matter that cannot be split off: keys and prose cannot be told apart. */
export const unreadableKeysLayer: Layer = {
  origin: 'front matter',
  resolution: 'deny-ask-allow',
  rules: [],
  otherwise: 'deny',
  enforced: notEnforced,
}

export const nowhere = { start: 0, end: 0 }
