/** Parses YAML strictly, or recovers it and reports each repair. There is always a result. */
import type { Finding } from '../../model/findings.ts'
import type { Range } from '../../model/range.ts'
import {
  type DataNode,
  describeDuplicates,
  type MapEntry,
  type Parsed,
  sameData,
  toData,
  withoutDuplicates,
} from '../data.ts'
import { applyFixes } from '../edit/edits.ts'
import { type RecoveryOptions, readWithoutTabs, recoverEntries, type YamlAttempt } from './recover.ts'
import { readStrictYaml, type StrictYaml } from './strict.ts'
import { MAX_RECOVERED_SIZE, viewRange } from './view.ts'

interface YamlOptions extends RecoveryOptions {
  /** Accept a list or a single value as root without a finding. */
  readonly anyRoot?: boolean
}

/** `range` and `indent` are those of the front matter (see `cutFrontMatter`); by default the whole text is read. */
export function parseYaml(
  text: string,
  range: Range = { start: text.startsWith('\uFEFF') ? 1 : 0, end: text.length },
  indent = '',
  options: YamlOptions = {},
): Parsed {
  const view = viewRange(text, range, indent)
  const strict = readStrictYaml(view)
  const clean = strict.problems.length === 0 && strict.duplicates.length === 0
  const parsed = clean
    ? { root: strict.root, findings: [], recovered: [] }
    : recoverYaml({ text, range, indent, view, strict, options })
  if (options.anyRoot || !wrongRoot(parsed.root)) return parsed
  return { ...parsed, findings: [...parsed.findings, notAMap(parsed.root!)] }
}

function wrongRoot(root: DataNode | null): boolean {
  return root !== null && root.kind !== 'map' && !(root.kind === 'scalar' && root.value === null)
}

function notAMap(root: DataNode): Finding {
  const what = root.kind === 'list' ? 'a list' : 'a single value'
  return { code: 'front-matter-not-a-map', message: `Expected keys and values, but found ${what}.`, range: root.range }
}

/** Reads front matter that strict YAML rejects: duplicate keys, then tabs, then by entry, each repair reported. */
function recoverYaml(attempt: YamlAttempt): Parsed {
  const { text, view, strict } = attempt
  if (strict.problems.length === 0) return withSafeFixes(attempt, recoverDuplicates(text, strict, []))
  const tabless = readWithoutTabs(view)
  if (tabless) return withSafeFixes(attempt, recoverDuplicates(text, tabless.strict, tabless.findings))
  return withSafeFixes(attempt, recoverEntries(attempt))
}

/** The tree is complete except for duplicates; the findings show which keys were repaired. */
function recoverDuplicates(text: string, strict: StrictYaml, findings: readonly Finding[]): Parsed {
  // A line that will be removed need not be repaired, so duplicates come first.
  const all = [...describeDuplicates(text, strict.duplicates), ...findings]
  const root = withoutDuplicates(strict.root, strict.duplicates)
  const entries = strict.root?.kind === 'map' ? strict.root.entries : []
  const places = [...all.map(({ range }) => range.start), ...strict.duplicates.map(({ entry }) => entry.range.start)]
  return { root, findings: all, recovered: touchedKeys(entries, places) }
}

/** Both lists are in file order, so one pass is enough. */
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

/** A fix that would change the data is worse than none. */
function withSafeFixes({ text, range, indent }: YamlAttempt, parsed: Parsed): Parsed {
  const unfixed = { ...parsed, findings: parsed.findings.map(({ fix: _, ...finding }) => finding) }
  if (range.end - range.start > MAX_RECOVERED_SIZE) return unfixed
  const fixed = applyFixes(text, parsed.findings)
  const end = range.end + fixed.text.length - text.length
  const strict = readStrictYaml(viewRange(fixed.text, { start: range.start, end }, indent))
  const safe = strict.problems.length === 0 && strict.duplicates.length === 0
  if (safe && sameData(toData(strict.root), toData(parsed.root))) return parsed
  return unfixed
}
