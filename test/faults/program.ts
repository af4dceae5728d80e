/** The runs of work.ts as a program of its own, which can be killed, interrupted, and started as somebody else. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

export const NOBODY = 65534

const entry = `
  import { change, writeMany } from './work.ts'
  import { sabotage } from './saboteur.ts'
  import { open, undone, write } from './stage.ts'
  import { diskReport } from './full-disk.ts'
  const [task, root, ...rest] = process.argv.slice(2)
  if (task === 'change') {
    sabotage(rest[0], Number(rest[1]))
    change(root)
  } else if (task === 'undo') {
    sabotage(rest[0], Number(rest[1]))
    undone(root)
  } else if (task === 'edit') {
    sabotage(rest[0], Number(rest[1]))
    const run = open(root)
    run.edit('opencode.json', Buffer.from('{"edited": "again"}'))
    run.commit()
  } else if (task === 'crash') {
    const run = open(root)
    write(run, 'a.md', 'a')
    run.edit('config.json', Buffer.from('{}'))
    throw new Error('a defect')
  } else if (task === 'hold') {
    const run = open(root)
    run.edit('config.json', Buffer.from('{}'))
    process.stdout.write('holds it')
    setInterval(() => {}, 1000)
  } else if (task === 'many') {
    const told = (written) => process.stdout.write(written + ' files\\n')
    writeMany(root, Number(rest[0]), rest[1], told).then((code) => { process.exitCode = code })
  } else process.stdout.write(JSON.stringify(diskReport(task, root)))
`

export interface Program {
  readonly path: string
  readonly start: (...words: string[]) => Started
  /** As somebody without special rights, where we are root: root can write everywhere. */
  readonly startAsNobody: (...words: string[]) => Started
  readonly remove: () => void
}

export interface Started {
  readonly child: ChildProcess
  /** When it has said this. */
  readonly said: (what: string) => Promise<void>
  readonly ended: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>
}

export async function buildProgram(): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-program-'))
  chmodSync(folder, 0o755)
  const path = join(folder, 'work.cjs')
  await build({
    stdin: { contents: entry, resolveDir: resolve('test/faults'), loader: 'ts' },
    outfile: path,
    bundle: true,
    platform: 'node',
    target: 'node20',
    // The entry of jsonc-parser for Node cannot be bundled.
    mainFields: ['module', 'main'],
    logLevel: 'error',
  })
  const words = (given: string[]) => [path, ...given]
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  return {
    path,
    start: (...given) => watch(spawn(process.execPath, words(given), { stdio: ['ignore', 'pipe', 'pipe'] })),
    startAsNobody: (...given) =>
      watch(spawn(process.execPath, words(given), { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', ...user })),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function watch(child: ChildProcess): Started {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (data) => {
    stdout += data
  })
  child.stderr?.on('data', (data) => {
    stderr += data
  })
  const ended = new Promise<Awaited<Started['ended']>>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  const said = (what: string) =>
    new Promise<void>((resolve) => {
      child.stdout?.on('data', () => stdout.includes(what) && resolve())
      child.on('close', () => resolve())
    })
  return { child, said, ended }
}
