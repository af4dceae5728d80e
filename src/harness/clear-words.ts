/** Which access keys of broken front matter can be read without guessing: only those that are valid by themselves. */
import { parseDocument } from 'yaml'
import { get, sameData, toData } from '../text/data.ts'
import type { DataNode, MapEntry, MapNode } from '../text/tree.ts'
import type { Document } from './document.ts'
import { topLevel } from './vocabulary.ts'

/**
 * A key is clear where its lines, from its name to the next key, are YAML that says the same as was recovered. A line that
 * goes on without belonging to it, a bracket that is never closed, a value glued to its key: nobody can tell what was meant.
 */
export function isClear(
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
  if (isTwice(text.slice(frontMatter?.yaml?.start ?? 0, end), key)) return false
  return own.every((entry) => isValidAlone(linesOf(text.slice(entry.range.start, end)), entry))
}

/** Whether the key, something in it, or what the definition stands in is there twice: the first may be the one that was meant. */
function isAmongTwins(root: DataNode, map: MapNode, key: string, twice: readonly (readonly string[])[]): boolean {
  const way = waysIn(root).get(map)
  if (way === undefined) return true
  const own = [...way, key]
  return twice.some((one) => one.slice(0, own.length).every((step, at) => step === own[at]))
}

const ways = new WeakMap<DataNode, ReadonlyMap<DataNode, readonly string[]>>()

/** How each map is reached from the top. */
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

/** From the key to the next line that is plainly another key. */
function linesOf(rest: string): string {
  const next = /\n["']?[A-Za-z_][\w.-]*["']?[ \t]*:(?=\s)/.exec(rest)
  return next === null ? rest : rest.slice(0, next.index + 1)
}

function isValidAlone(lines: string, { key, value }: MapEntry): boolean {
  // A text was announced, and none follows.
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

/** In TOML a key below the header of a table is that table's: its author meant it, and the program does not see it. */
function isMisplaced(text: string, map: MapNode, key: string): boolean {
  const path = key.split('.')
  if (get(map, path) !== undefined) return false
  // What a prompt says is no key.
  const outside = text.replace(/("""|''')[\s\S]*?\1/g, '')
  const name = (path.at(-1) ?? key).replace(/[^\w-]/g, '\\$&')
  return new RegExp(`^[ \\t]*["']?(?:[\\w-]+\\.)*${name}["']?[ \\t]*[=:]`, 'm').test(outside)
}
