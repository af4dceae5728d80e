/** A workplace whose members are played in real harnesses, against a model whose every word is written down beforehand. */
import { spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { builtInHarnesses } from '../../src/harness/registry.ts'
import type { Cue } from '../../src/proof/stub/play.ts'
import { type Stub, startStub } from '../../src/proof/stub/server.ts'
import { readJournal } from '../../src/runtime/journal-file.ts'
import { type Places, placesOf } from '../../src/runtime/places.ts'
import type { JournalRecord } from '../../src/workplace/records.ts'
import { runnable } from './lab.ts'

const troupe = resolve('dist/cli.cjs')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface House {
  readonly root: string
  readonly places: Places
  readonly stub: Stub
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
  const stub = await startStub({ cues, mostAnswers: 2000 })
  const run = (words: readonly string[], environment: Record<string, string> = {}) =>
    new Promise<Ran>((done) => {
      const { PATH = '', HOME = '', ...others } = process.env
      const clean = Object.fromEntries(Object.entries(others).filter(([name]) => !/^(TROUPE|VITEST)/.test(name)))
      const child = spawn(process.execPath, [troupe, ...words], {
        cwd: root,
        env: { ...clean, HOME, PATH: `${bin}:${PATH}`, TROUPE_MODEL: stub.url, ...environment },
      })
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
  const places = placesOf(root)
  return {
    root,
    places,
    stub,
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
