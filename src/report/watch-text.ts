/** What a build that watches says: one line for each time it builds, and what is wrong when that is news. */
import { cut, displayWidth, oneLine, plural, wrap } from './layout.ts'
import type { Style } from './style.ts'

export interface WatchedChange {
  /** As people see it. */
  readonly path: string
  readonly kind: 'changed' | 'added' | 'removed'
}

/** "17:40:02  agents/writer.md changed: 3 written, 15 in step."; what does not fit stands below. */
export function watchLines(
  time: Date,
  changes: readonly WatchedChange[],
  outcome: string,
  style: Style,
  columns: number,
): string[] {
  const clock = time.toTimeString().slice(0, 8)
  const margin = ' '.repeat(clock.length + 2)
  const [first, ...others] = changes
  if (first === undefined) return [`${style.dim(clock)}  ${outcome}.`]
  const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`
  const kinds = new Set(changes.map(({ kind }) => kind))
  const kind = kinds.size === 1 ? first.kind : 'changed'
  const room = columns - margin.length - more.length - kind.length - 2
  const what = `${cut(oneLine(first.path), Math.max(20, room))}${more} ${kind}:`
  const isShort = margin.length + displayWidth(`${what} ${outcome}.`) <= columns
  if (isShort) return [`${style.dim(clock)}  ${what} ${outcome}.`]
  return [`${style.dim(clock)}  ${what}`, ...wrap(`${outcome}.`, columns - margin.length).map((line) => margin + line)]
}

/** "agents and troupe.yaml" */
export function watchedPlaces(paths: readonly string[]): string {
  const last = paths.at(-1) ?? ''
  return paths.length < 2 ? last : `${paths.slice(0, -1).join(', ')} and ${last}`
}
