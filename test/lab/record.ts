/** Keeps what the laboratory saw, for the summary of the lab and for docs/proof.md. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const recordFolder = process.env.LAB_RECORDS ?? 'node_modules/.cache/troupe/lab'

export interface Tally {
  equal: number
  all: number
}

export interface LabRecord {
  readonly id: string
  readonly title: string
  readonly version: string | null
  /** Agents that were loaded and should be; agents that were not and should not be. */
  readonly loading: Tally
  /** Whole tool sets and prompts, as a child and as the main session. */
  readonly child: Tally
  readonly main: Tally
  /** Things that were looked at in real agents, written for this harness. */
  readonly live: Tally
  /** Single calls of tools that were decided as explained. */
  readonly calls: Tally
  /** What the HUD adds to a prompt, in milliseconds. */
  readonly hud: { readonly median: number; readonly worst: number; readonly prompts: number }
  readonly date: string
}

/** Each experiment adds what it saw. */
export function writeRecord(id: string, seen: Partial<LabRecord>): void {
  mkdirSync(recordFolder, { recursive: true })
  const path = join(recordFolder, `${id}.json`)
  const before = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  writeFileSync(path, JSON.stringify({ ...before, id, ...seen }))
}

/** Counts how many of two lists are the same, place by place. */
export function tally(observed: readonly unknown[], predicted: readonly unknown[]): Tally {
  const equal = observed.filter((one, index) => JSON.stringify(one) === JSON.stringify(predicted[index])).length
  return { equal, all: predicted.length }
}
