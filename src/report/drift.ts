/** What is not up to date with the source, for people: by reason, and what to do. */
import type { Adoption, Drift, DriftKind } from '../model/drift.ts'
import { displayWidth, oneLine, plural, wrap } from './layout.ts'
import type { Style } from './print-text.ts'

const driftReasons: Record<DriftKind, { readonly title: string; readonly advice: string }> = {
  missing: { title: 'missing', advice: '`troupe build` writes them.' },
  'source-changed': { title: 'older than the source', advice: '`troupe build` writes them again.' },
  'rules-changed': {
    title: 'built by older rules',
    advice: 'Troupe, a harness file or troupe.yaml has changed since. `troupe build` writes them again.',
  },
  edited: {
    title: 'edited by hand',
    advice: '`troupe build --on-edit adopt` copies the changes to the source; `--on-edit overwrite` discards them.',
  },
  foreign: {
    title: 'not written by Troupe',
    advice: 'Move the file, or replace it with `troupe build --force`.',
  },
  stale: { title: 'no longer needed', advice: '`troupe build` removes them.' },
}

const adoptByHand = 'Make the changes in the source, or discard them with `troupe build --on-edit overwrite`.'

/** More lines of one kind than this add nothing. */
const FILES_SHOWN = 20

/** `adoptions`: the attempts to adopt hand edits. */
export function driftText(
  drifts: readonly Drift[],
  adoptions: readonly Adoption[],
  style: Style,
  columns: number,
): string[] {
  const problems = new Map(adoptions.map(({ path, problem }) => [path, problem]))
  const { renames, others } = findRenames(drifts)
  const lines = renameLines(renames, style, columns)
  for (const [kind, { title, advice }] of Object.entries(driftReasons) as [
    DriftKind,
    (typeof driftReasons)[DriftKind],
  ][]) {
    const some = others.filter((one) => one.kind === kind)
    if (some.length === 0) continue
    lines.push('', `${style.bold(title)}, ${plural(some.length, 'file')}`)
    for (const { path, source } of some.slice(0, FILES_SHOWN)) {
      lines.push(`  ${oneLine(path)}${source === null ? '' : style.dim(`  from ${oneLine(source)}`)}`)
      const problem = kind === 'edited' ? problems.get(path) : undefined
      if (typeof problem === 'string')
        lines.push(...wrap(oneLine(`not adopted: ${problem}.`), columns - 6).map((line) => `    ${line}`))
    }
    lines.push(...andMore(some.length, style))
    // Parts of a shared file are not adopted.
    const isTried =
      kind === 'edited' && some.every(({ path }) => path.includes('#') || typeof problems.get(path) === 'string')
    lines.push(...wrap(isTried ? adoptByHand : advice, columns - 2).map((line) => `  ${style.dim(line)}`))
  }
  return lines.slice(1)
}

function renameLines(renames: readonly RenamedOutput[], style: Style, columns: number): string[] {
  if (renames.length === 0) return []
  const lines = renames.slice(0, FILES_SHOWN).map(({ from, to, source }) => {
    const folder = from.slice(0, from.lastIndexOf('/') + 1)
    const now = to.startsWith(folder) ? to.slice(folder.length) : to
    const move = `  ${oneLine(from)} -> ${oneLine(now)}`
    const origin = `  from ${oneLine(source)}`
    return displayWidth(move + origin) > columns ? move : move + style.dim(origin)
  })
  const advice = style.dim('  `troupe build` renames them.')
  return [
    '',
    `${style.bold('renamed')}, ${plural(renames.length, 'file')}`,
    ...lines,
    ...andMore(renames.length, style),
    advice,
  ]
}

function andMore(count: number, style: Style): string[] {
  return count > FILES_SHOWN ? [style.dim(`  and ${count - FILES_SHOWN} more; --json lists all`)] : []
}

/** An output to remove and one to create, from the same source for the same target: the agent was renamed. */
interface RenamedOutput {
  readonly from: string
  readonly to: string
  readonly source: string
}

/** Extracts the renames from the drift. If a source holds several agents, a rename cannot be identified. */
export function findRenames(drifts: readonly Drift[]): { renames: readonly RenamedOutput[]; others: readonly Drift[] } {
  const places = new Map<string, Drift[]>()
  for (const drift of drifts) {
    if ((drift.kind !== 'missing' && drift.kind !== 'stale') || drift.source === null) continue
    const place = JSON.stringify([drift.source, drift.target])
    places.set(place, [...(places.get(place) ?? []), drift])
  }
  const renames: RenamedOutput[] = []
  const renamed = new Set<Drift>()
  for (const [one, other, ...more] of places.values()) {
    if (one === undefined || other === undefined || more.length > 0 || one.kind === other.kind) continue
    const [stale, missing] = one.kind === 'stale' ? [one, other] : [other, one]
    renames.push({ from: stale.path, to: missing.path, source: one.source ?? '' })
    renamed.add(one).add(other)
  }
  return { renames, others: drifts.filter((drift) => !renamed.has(drift)) }
}
