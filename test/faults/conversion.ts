/** A project with many agents, and the real program at work on it: started, watched, killed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOBODY } from './program.ts'
import { copyOf, isTaken, newRoot, put, removeRoot, snapshot } from './stage.ts'

export const AGENTS = 300

/** A copy of its own, which anybody may read and which stays as it is while the tests run. */
export function installProgram(): { readonly cli: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-installed-'))
  chmodSync(folder, 0o755)
  cpSync('dist', join(folder, 'dist'), { recursive: true })
  cpSync('package.json', join(folder, 'package.json'))
  return { cli: join(folder, 'dist/cli.cjs'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

export type Snapshot = Record<string, string>

/** The project before the run that faults happen to, and what can be seen before and after it. */
export interface Prepared {
  readonly root: string
  readonly before: Snapshot
  readonly after: Snapshot
}

/**
 * Half of the agents were converted before and were changed since, so that their outputs are replaced; the others are
 * new. Things of the user's stand between them: an agent, and a configuration with comments, that is edited too.
 */
export function prepareProject(cli: string): Prepared {
  const root = newRoot()
  put(root, '.opencode/agents/mine.md', '---\r\ndescription: Mine\r\n---\r\nNot to be touched.\r\n', 0o600)
  put(root, 'opencode.json', '{\r\n  // Mine.\r\n  "theme": "dark", /* kept */\r\n}\r\n', 0o640)
  for (let i = 0; i < AGENTS / 2; i++) put(root, sourcePath(i), sourceText(i, 'old'))
  expectFine(troupe(cli, root, ...convertWords))
  rmSync(join(root, '.troupe'), { recursive: true })
  for (let i = 0; i < AGENTS; i++) put(root, sourcePath(i), sourceText(i, 'new'))
  put(root, '.github/agents/dba.agent.md', databaseAgent)
  const done = copyOf(root)
  expectFine(troupe(cli, done, ...convertWords))
  const prepared = { root, before: snapshot(root), after: snapshot(done) }
  removeRoot(done)
  return prepared
}

export const convertWords = ['convert', '--to', 'opencode', '--json']

const sourcePath = (i: number) => `.claude/agents/agent-${i}.md`

function sourceText(i: number, word: string): string {
  const plain = `Do it in the ${word} way, and say so in one sentence at the end of it all.\n`.repeat(50)
  const telling = `Use Read, then Grep, and tell others with SendMessage: ${word} ${i}.\n`
  return `---\nname: agent-${i}\ndescription: "Agent ${i}: ${word}"\ntools: Read, Grep\n---\n${telling}${plain}`
}

/** Brings a server along, which goes into the configuration. */
const databaseAgent = `---
description: Talks to the database
tools: ['read', 'db/*']
mcp-servers:
  db:
    type: local
    command: db-mcp
    args: []
    tools: ['*']
---
Look at the schema first.
`

function expectFine({ status, stderr, stdout }: ReturnType<typeof troupe>): void {
  if (status !== 0) throw new Error(`exit ${status}: ${stderr}${stdout.slice(-2000)}`)
}

/** Below a device no folder can be made, not even by root. */
const environment = { PATH: process.env.PATH ?? '', HOME: '/dev/null/home', NO_COLOR: '1', LANG: 'C.UTF-8' }

/** To its end. */
export function troupe(cli: string, root: string, ...words: string[]) {
  const options = { cwd: root, env: environment, encoding: 'utf8', maxBuffer: 1 << 28 } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words], options)
  return { status, stdout, stderr }
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>
}

/** `asNobody`: as somebody without special rights, where we are root. */
export function start(cli: string, root: string, words: readonly string[], asNobody = false): Running {
  const user = asNobody && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(process.execPath, [cli, '-C', root, ...words], {
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  const ended = new Promise<Awaited<Running['ended']>>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, ended }
}

/** Calls when so many outputs have appeared or were replaced, at the very moment the system tells. */
export function onOutput(root: string, count: number, call: () => void): () => void {
  let seen = 0
  const watcher = watch(join(root, '.opencode/agents'), () => {
    if (++seen === count) call()
  })
  return () => watcher.close()
}

/** When the program has its turn to write. */
export async function running(root: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && !isTaken(root)) {
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
