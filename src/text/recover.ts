/** Reads front matter that strict YAML refuses: duplicate keys, then tabs, then entry by entry, each repair reported. */
import type { Finding } from '../model/diagnostics.ts'
import { sameData, toData } from './data.ts'
import { applyFixes } from './edit.ts'
import { describeDuplicates, withoutDuplicates } from './recover-duplicates.ts'
import { type Attempt, readEntries } from './recover-pieces.ts'
import { readWithoutTabs } from './recover-tabs.ts'
import type { MapEntry, Parsed } from './tree.ts'
import { LARGE, viewRange } from './view.ts'
import { readStrictYaml } from './yaml-library.ts'
import type { StrictYaml } from './yaml-tree.ts'

export function recoverYaml(attempt: Attempt): Parsed {
  const { text, view, strict } = attempt
  if (strict.problems.length === 0) return withSafeFixes(attempt, settle(text, strict, []))
  const tabless = readWithoutTabs(view)
  if (tabless) return withSafeFixes(attempt, settle(text, tabless.strict, tabless.findings))
  return withSafeFixes(attempt, readEntries(attempt))
}

/** The tree is whole but for duplicates; what was found tells which keys had to be repaired. */
function settle(text: string, strict: StrictYaml, findings: readonly Finding[]): Parsed {
  // Where a line is to be removed there is no point in repairing it, so duplicates come first.
  const all = [...describeDuplicates(text, strict.duplicates), ...findings]
  const root = withoutDuplicates(strict.root, strict.duplicates)
  const entries = strict.root?.kind === 'map' ? strict.root.entries : []
  const places = [...all.map(({ range }) => range.start), ...strict.duplicates.map(({ entry }) => entry.range.start)]
  return { root, findings: all, recovered: touchedKeys(entries, places) }
}

/** Both lists stand in the order of the file, so one pass is enough. */
function touchedKeys(entries: readonly MapEntry[], unsorted: readonly number[]): string[] {
  const touched = new Set<string>()
  const places = unsorted.toSorted((a, b) => a - b)
  let next = 0
  for (const { key, range } of entries) {
    while (next < places.length && places[next]! < range.start) next++
    if (next < places.length && places[next]! < Math.max(range.end, range.start + 1)) touched.add(key)
  }
  return [...touched]
}

/** A fix that would not give the same data is worse than none. */
function withSafeFixes({ text, range, indent }: Attempt, parsed: Parsed): Parsed {
  const unfixed = { ...parsed, findings: parsed.findings.map(({ fix: _, ...finding }) => finding) }
  if (range.end - range.start > LARGE) return unfixed
  const fixed = applyFixes(text, parsed.findings)
  const end = range.end + fixed.text.length - text.length
  const strict = readStrictYaml(viewRange(fixed.text, { start: range.start, end }, indent))
  const safe = strict.problems.length === 0 && strict.duplicates.length === 0
  if (safe && sameData(toData(strict.root), toData(parsed.root))) return parsed
  return unfixed
}
