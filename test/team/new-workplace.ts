/** A workplace for one test, played by the program that users have, with members that are lines for the shell. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { killProcesses } from '../../src/disk/processes.ts'
import { readJournal } from '../../src/team/engine/journal-reader.ts'
import { type WorkplacePaths, workplacePaths } from '../../src/team/engine/paths.ts'
import { initWorkplace } from '../../src/team/runtime/init.ts'
import type { JournalRecord } from '../../src/team/state/records.ts'
import { foldRecords, type State } from '../../src/team/state/state.ts'
import { processesIn } from '../faults/workplace/scene.ts'

const program = resolve('dist/cli.cjs')
export const NOBODY = 65534

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Place extends WorkplacePaths {
  readonly run: string
  readonly troupe: (...words: string[]) => Ran
  /** As somebody without special rights, where we are root: root can write everywhere. */
  readonly asNobody: (...words: string[]) => Ran
  /** Does not wait for its end; the caller kills it. */
  readonly inBackground: (...words: string[]) => {
    readonly kill: () => Promise<void>
    readonly ended: Promise<void>
    readonly pid: number
  }
  readonly put: (path: string, text: string) => void
  readonly state: () => State
  readonly records: () => JournalRecord[]
  readonly close: () => void
}

/** Member and the line that plays it; whom it may hand to stands behind an arrow: `coder > reviewer`. */
export function openPlace(
  team: Readonly<Record<string, string | null>>,
  rules: Readonly<Record<string, unknown>> = {},
): Place {
  const root = mkdtempSync(join(tmpdir(), 'troupe-place-'))
  chmodSync(root, 0o755)
  const places = workplacePaths(root)
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const members: Record<string, object> = {}
  for (const [key, command] of Object.entries(team)) {
    const [name = '', targets = ''] = key.split(' > ')
    const handoff = JSON.stringify(targets.split(' ').filter(Boolean))
    put(`.workplace/agents/${name}.md`, `---\nname: ${name}\nrole: "Worker"\nhandoff_to: ${handoff}\n---\nYou work.\n`)
    if (command !== null) members[name] = { command }
  }
  put('troupe.yaml', JSON.stringify({ work: { backoff: 0.05, attempts: 2, ...rules, members } }))
  initWorkplace(root, { name: 'test', description: '', others: ['x'] })
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TROUPE_'))
  const environment = { ...Object.fromEntries(own), NO_COLOR: '1' }
  const background: ChildProcess[] = []
  const words = (given: readonly string[]) => [program, '-C', root, 'work', ...given]
  const run = (given: readonly string[], user: object = {}): Ran => {
    const options = { encoding: 'utf8', env: environment, timeout: 60_000, ...user } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, words(given), options)
    return { code: status, stdout, stderr }
  }
  return {
    ...places,
    put,
    troupe: (...given) => run(given),
    asNobody: (...given) => run(given, process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY, cwd: '/' } : {}),
    inBackground: (...given) => {
      const child = spawn(process.execPath, words(given), { env: environment, stdio: 'ignore' })
      background.push(child)
      const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
      return {
        pid: child.pid ?? 0,
        ended,
        kill: () => {
          child.kill('SIGKILL')
          return ended
        },
      }
    },
    state: () => foldRecords(readJournal(places.journal).records),
    records: () => readJournal(places.journal).records,
    close: () => {
      // Those that a test which failed has not ended: they would bring the folder back.
      for (const child of background) child.kill('SIGKILL')
      killProcesses(processesIn(root).map(Number))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Waits for something that will be so; a limit is for what hangs. */
export async function until(what: () => boolean): Promise<void> {
  const limit = performance.now() + 30_000
  while (!what()) {
    if (performance.now() > limit) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export function read(path: string): string {
  return readFileSync(path, 'utf8')
}
