/** A workplace whose members are played in real harnesses, against a model whose every word is written down beforehand. */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { builtInHarnesses } from '../../src/harness/registry.ts'
import { readJournal } from '../../src/team/engine/journal-reader.ts'
import { type WorkplacePaths, workplacePaths } from '../../src/team/engine/paths.ts'
import type { JournalRecord } from '../../src/team/state/records.ts'
import type { Cue } from '../../src/verify/stub/script.ts'
import { type Stub, startStub } from '../../src/verify/stub/server.ts'
import { runnable } from './lab.ts'

const troupe = resolve('dist/cli.cjs')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface House {
  readonly root: string
  readonly places: WorkplacePaths
  readonly stub: Stub
  readonly start: (words: readonly string[], environment?: Record<string, string>) => ChildProcess
  readonly run: (words: readonly string[], environment?: Record<string, string>) => Promise<Ran>
  readonly read: (path: string) => string
  readonly records: () => readonly JournalRecord[]
  readonly close: () => Promise<void>
}

/** `files`: the project, its agents and its troupe.yaml. */
export async function openHouse(
  files: Readonly<Record<string, string>>,
  cues: readonly Cue[],
  programs: Readonly<Record<string, string>> = {},
): Promise<House> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-work-')))
  const root = join(base, 'project')
  const bin = join(base, 'bin')
  for (const folder of [root, bin]) mkdirSync(folder)
  for (const { id, oracle, embody } of builtInHarnesses) {
    if (oracle === undefined || embody === undefined) continue
    symlinkSync(programs[id] ?? runnable(id).program, join(bin, oracle.program.name))
  }
  // Whoever waits for what never comes waits longer than any test.
  const stub = await startStub({ cues, mostAnswers: 2000, patience: 3_600_000 })
  const start = (words: readonly string[], environment: Record<string, string> = {}) => {
    const { PATH = '', ...others } = process.env
    const clean = Object.fromEntries(Object.entries(others).filter(([name]) => !/^(TROUPE|VITEST)/.test(name)))
    const env = { ...clean, PATH: `${bin}:${PATH}`, TROUPE_MODEL: stub.url, ...environment }
    return spawn(process.execPath, [troupe, ...words], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const run = (words: readonly string[], environment: Record<string, string> = {}) =>
    new Promise<Ran>((done) => {
      const child = start(words, environment)
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (text) => {
        stdout += text
      })
      child.stderr.on('data', (text) => {
        stderr += text
      })
      child.on('close', (code) => done({ code, stdout, stderr }))
    })
  await run(['work', 'init', '--quiet'])
  // The project has its own agents.
  for (const name of readdirSync(join(root, '.workplace/agents')))
    if (name !== 'kernel.md') rmSync(join(root, '.workplace/agents', name))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const places = workplacePaths(root)
  return {
    root,
    places,
    stub,
    start,
    run,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    records: () => readJournal(places.journal).records,
    close: async () => {
      await run(['work', 'stop', '--quiet'])
      await stub.close()
      rmSync(base, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Processes that a workplace has left behind: by its mark in their environment, and by the groups of its runs. */
export function leftBehind({ root, records }: Pick<House, 'root' | 'records'>): string[] {
  const groups = new Set(records().flatMap((record) => (record.t === 'claimed' ? [record.pid] : [])))
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const environment = readQuietly(`/proc/${pid}/environ`)
      const stat = readQuietly(`/proc/${pid}/stat`)
      const [state = 'Z', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const isOurs = environment.includes(`TROUPE_WORKPLACE=${root}\0`) || groups.has(Number(group))
      return isOurs && state !== 'Z' ? [`${pid} ${readQuietly(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`] : []
    })
}

/**
 * Ports on which somebody listens who was not there before: all of them in a network of our own; where others share it,
 * those of processes that know the workplace.
 */
export function newPorts({ root, stub }: Pick<House, 'root' | 'stub'>, before: readonly string[]): string[] {
  const isAlone = before.length === 0
  return openPorts(stub).filter((port) => !before.includes(port) && (isAlone || isOfProject(root, port)))
}

export function openPorts(stub: Pick<Stub, 'url'>): string[] {
  const own = new URL(stub.url).port
  return [...listeners().keys()].filter((port) => port !== own)
}

/** Port to the socket behind it. */
function listeners(): Map<string, string> {
  const rows = readQuietly('/proc/net/tcp')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return new Map(
    rows
      .filter(([, , , state]) => state === '0A')
      .map((row) => [String(Number.parseInt(row[1]?.split(':')[1] ?? '0', 16)), row[9] ?? '']),
  )
}

function isOfProject(root: string, port: string): boolean {
  const socket = `socket:[${listeners().get(port)}]`
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid) || !readQuietly(`/proc/${pid}/environ`).includes(root)) return false
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === socket
      } catch {
        return false
      }
    })
  })
}

/** Waits until it is so, or a while has passed. */
export async function until(isSo: () => boolean, limit = 60_000): Promise<boolean> {
  for (let waited = 0; waited < limit; waited += 50) {
    if (isSo()) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return isSo()
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
