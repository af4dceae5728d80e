/** One row of a workplace's status: its text, what it is about, and what a person can do about that. */
import { displayWidth } from './layout.ts'

/** What a row tells of. Ids are those of all equal ones, the latest first. */
export type Subject =
  | {
      readonly kind: 'question' | 'dead'
      readonly ids: readonly string[]
      readonly agent: string
      readonly text: string
    }
  /** Something that was said, or that went wrong: nothing to press a key for. */
  | {
      readonly kind: 'note'
      readonly title: string
      readonly text: string
      readonly agent: string
      readonly handoff: string | null
    }
  | { readonly kind: 'handoff' | 'chain'; readonly ids: readonly string[] }
  | { readonly kind: 'members'; readonly names: readonly string[] }

export interface Row {
  /** The same for as long as the row is about the same thing. */
  readonly key: string
  readonly text: string
  /** Something of what it says does not fit. */
  readonly isCut: boolean
  readonly subject: Subject
  /** The command that does something about it; null: there is none. */
  readonly way: string | null
}

export interface Section {
  readonly title: string
  readonly rows: readonly Row[]
  /** Said where there are no rows, or of what is not among them. */
  readonly note: string | null
}

/** Things that read the same are one row, where the first of them is. */
export function groupEqual<T>(all: readonly T[], sameAs: (one: T) => readonly unknown[]): (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const one of all) {
    const key = JSON.stringify(sameAs(one))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return [...groups.values()]
}

/** "3 x " before what is there three times. */
export function times(count: number): string {
  return count === 1 ? '' : `${count} x `
}

/** The widest of them, within bounds. */
export function columnWidth(texts: readonly string[], most: number): number {
  return Math.min(most, Math.max(0, ...texts.map(displayWidth)))
}

/** How long, to the second at first and to the minute later: what changes every second asks for attention. */
export function span(ms: number): string {
  if (ms < 60_000) return `${Math.floor(ms / 1000)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`
  return `${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min`
}

export function money(cost: number): string {
  return cost === 0 || cost >= 0.01 ? cost.toFixed(2) : cost.toPrecision(1)
}

/** Too narrow for long names and long figures. */
export function isNarrow(columns: number): boolean {
  return columns < 64
}
