/** What a play has at hand: the workplace, its two orchestrators, chance, and the count of what was done to them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJournal } from '../../../src/runtime/journal-file.ts'
import type { Places } from '../../../src/runtime/places.ts'
import { fold, type State } from '../../../src/workplace/state.ts'
import type { Chance } from './chance.ts'

export interface Scene {
  readonly places: Places
  readonly cli: string
  readonly chance: Chance
  readonly clock: string
  readonly orchestrators: (ChildProcess | null)[]
  readonly faults: Record<string, number>
  /** Text of a message, to be found in the journal exactly once. */
  readonly sent: string[]
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function count(scene: Scene, what: string): void {
  scene.faults[what] = (scene.faults[what] ?? 0) + 1
}

/** Two of them, as if somebody had started it twice by mistake; the second one waits for the first one's end. */
export function keepTwoRunning(scene: Scene): void {
  for (const [at, child] of scene.orchestrators.entries()) {
    if (child !== null && child.exitCode === null && child.signalCode === null) continue
    scene.orchestrators[at] = startOrchestrator(scene, ['--stay'])
  }
}

export function startOrchestrator({ places, cli, clock }: Scene, words: readonly string[]): ChildProcess {
  const env = { ...process.env, CLOCK: clock, NODE_OPTIONS: `--require ${join(places.root, 'clock.cjs')}` }
  const out = join(places.root, 'orchestrator.out')
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      'exec "$@" >> "$0" 2>&1',
      out,
      process.execPath,
      cli,
      '-C',
      places.root,
      'work',
      'resume',
      '--quiet',
      ...words,
    ],
    { env, stdio: 'ignore' },
  )
  return child
}

export function stateOf({ journal }: Places): State {
  return fold(readJournal(journal).records)
}

/** Programs of members that still run, wherever they went. */
export function processesIn(root: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readQuietly(`/proc/${pid}/environ`).includes(`TROUPE_WORKPLACE=${root}\0`))
}

export function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
