/** What a play has at hand: the workplace, its two orchestrators, chance, and the count of what was done to them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { readJournal } from '../../../src/team/engine/journal-reader.ts'
import type { WorkplacePaths } from '../../../src/team/engine/paths.ts'
import { foldRecords, type State } from '../../../src/team/state/state.ts'
import type { Chance } from './chance.ts'

export interface Scene {
  readonly places: WorkplacePaths
  /** Outside of the workplace: what members say they have done. */
  readonly ledger: string
  readonly cli: string
  readonly chance: Chance
  readonly clock: string
  /** Each kind of write has a disk of its own that can be filled. */
  readonly hasDisks: boolean
  readonly orchestrators: (ChildProcess | null)[]
  readonly faults: Record<string, number>
  /** What was done, in order, and after how many messages. */
  readonly story: string[]
  /** Text of a message, to be worked on in one handoff. */
  readonly sent: string[]
  /** Processes that are to go on after a while. */
  readonly stopped: Promise<void>[]
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function count(scene: Scene, what: string): void {
  scene.faults[what] = (scene.faults[what] ?? 0) + 1
  scene.story.push(`${scene.sent.length}: ${what}`)
}

/** Whether a process can be in a network of its own here. */
export const canLeaveNetwork = spawnSync('unshare', ['--net', 'true']).status === 0

/**
 * Two of them, as if somebody had started it twice by mistake, the second one in a container without a network; it waits for
 * the first one's end, and the first one for its.
 */
export function keepTwoRunning(scene: Scene): void {
  for (const [at, child] of scene.orchestrators.entries()) {
    if (child !== null && child.exitCode === null && child.signalCode === null) continue
    const isAway = at === 1 && canLeaveNetwork
    scene.orchestrators[at] = startOrchestrator(scene, ['--stay'], { isAway })
    if (isAway) count(scene, 'orchestrators started in another network')
  }
}

interface Conditions {
  readonly isAway?: boolean
  /** The most that a file may hold, in blocks of 512 bytes. */
  readonly blocks?: number
}

export function startOrchestrator(
  { places, cli, clock }: Scene,
  words: readonly string[],
  { isAway = false, blocks }: Conditions = {},
): ChildProcess {
  const env = { ...process.env, CLOCK: clock, NODE_OPTIONS: `--require ${join(places.root, 'clock.cjs')}` }
  const limit = blocks === undefined ? '' : `ulimit -f ${blocks}; `
  const out = join(places.root, 'orchestrator.out')
  const resume = [process.execPath, cli, '-C', places.root, 'work', 'resume', '--quiet', ...words]
  const all = [...(isAway ? ['unshare', '--net'] : []), ...resume]
  return spawn('/bin/sh', ['-c', `${limit}exec "$@" >> "$0" 2>&1`, out, ...all], { env, stdio: 'ignore' })
}

export function killBoth(scene: Scene): void {
  for (const child of scene.orchestrators) if (child?.kill('SIGKILL')) count(scene, 'kill -9 of an orchestrator')
}

export function stateOf({ journal }: WorkplacePaths): State {
  return foldRecords(readJournal(journal).records)
}

/** Programs of members that still run, wherever they went; `ledger`: those, too, that kept nothing but their folder. */
export function processesIn(root: string, ledger?: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) =>
        readQuietly(`/proc/${pid}/environ`).includes(`TROUPE_WORKPLACE=${root}\0`) ||
        (ledger !== undefined && folderOf(pid) === join(ledger, 'away')),
    )
}

function folderOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

export function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
