/** Decides between entries with the same key: the last one counts, the others are reported and left out. */
import type { Finding } from '../model/diagnostics.ts'
import { limits } from '../model/limits.ts'
import type { Edit } from '../model/place.ts'
import { lineStart, lineStop, nextLine } from './lines.ts'
import type { DataNode, Duplicate, MapEntry, Parsed } from './tree.ts'

export function describeDuplicates(text: string, duplicates: readonly Duplicate[]): Finding[] {
  const told = duplicates.slice(0, limits.findings)
  const findings: Finding[] = told.map(({ entry, next }) => ({
    code: 'duplicate-key',
    message: `The key "${entry.key}" stands again further down; this one does not count.`,
    range: entry.range,
    fix: [removeBefore(text, entry, next)],
  }))
  const first = duplicates[told.length]
  if (first === undefined) return findings
  const message = `${duplicates.length - told.length} more keys stand again further down; these do not count.`
  return [...findings.map(({ fix: _fix, ...one }) => one), { code: 'duplicate-key', message, range: first.entry.range }]
}

/** For those who must not take the last one for the only one. */
export function twiceIn(duplicates: readonly Duplicate[]): Pick<Parsed, 'twice'> {
  return duplicates.length === 0 ? {} : { twice: duplicates.map(({ path }) => path) }
}

/** Whole lines where the entry has lines to itself; else everything up to the entry that follows. */
function removeBefore(text: string, entry: MapEntry, next: MapEntry): Edit {
  const start = lineStart(text, entry.range.start)
  const alone = text.slice(start, entry.range.start).trim() === ''
  const rest = text.slice(entry.range.end, lineStop(text, entry.range.end)).trim()
  const end = nextLine(text, entry.range.end)
  if (alone && (rest === '' || rest.startsWith('#')) && end <= next.range.start) {
    return { range: { start, end }, text: '' }
  }
  return { range: { start: entry.range.start, end: next.range.start }, text: '' }
}

/**
 * The tree without the entries that do not count. Where the order of keys means something, the one that counts may have
 * to stand in the place of the first: so it is in every program that reads JSON into objects.
 */
export function withoutDuplicates(
  root: DataNode | null,
  duplicates: readonly Duplicate[],
  place: 'first' | 'last' = 'last',
): DataNode | null {
  if (root === null || duplicates.length === 0) return root
  const dropped = new Set(duplicates.map(({ entry }) => entry))
  const visit = (node: DataNode): DataNode => {
    if (node.kind === 'scalar') return node
    if (node.kind === 'list') return { ...node, items: node.items.map(visit) }
    const counting = node.entries.filter((entry) => !dropped.has(entry))
    const kept = place === 'last' || counting.length === node.entries.length ? counting : inFirstPlaces(node.entries)
    return { ...node, entries: kept.map((entry) => ({ ...entry, value: visit(entry.value) })) }
  }
  return visit(root)
}

function inFirstPlaces(entries: readonly MapEntry[]): MapEntry[] {
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()]
}
