/** Finds a program, and runs it: it may hang, crash, print too much or leave children behind, and there is always a result. */
import { spawn } from 'node:child_process'
import { accessSync, closeSync, constants, mkdtempSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { signalGroup } from './processes.ts'
import { readRegularText } from './read-file.ts'
import { onExit } from './signals.ts'

export interface ProgramRun {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdin?: string
  /** Milliseconds; then the whole process group is killed. */
  readonly limit: number
  /** Maximum output in bytes; then the whole process group is killed. */
  readonly most?: number
  /** Its error output is not wanted, and may have any length. */
  readonly stderr?: 'ignore'
  /** Whether it ends with us, however we end. Not for a host process, whose signals are not ours to handle. */
  readonly endsWithUs?: boolean
}

export interface ProgramResult {
  /** Null where the program was killed or could not be started. */
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
  /** What went wrong with running it, as a sentence; null if it ended by itself. */
  readonly trouble: string | null
  /** The same, as a code. */
  readonly cause: 'unstarted' | 'late' | 'large' | 'signal' | null
}

/** More output than this is garbage or an endless loop. */
const MOST_OUTPUT = 64 * 1024 * 1024
/** How often the size of the output is checked (ms): a program can print gigabytes in a second. */
const LOOK = 25

/**
 * Output goes into files: some programs exit without flushing a pipe, and lose all but its first 64 kB. A child left
 * behind can also hold a pipe open forever.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramResult> {
  const { most = MOST_OUTPUT } = run
  let folder: string
  try {
    folder = mkdtempSync(join(tmpdir(), 'troupe-output-'))
  } catch (error) {
    return { exit: null, stdout: '', stderr: '', trouble: unstarted(error), cause: 'unstarted' }
  }
  const files = ['stdout', 'stderr'].map((name) => join(folder, name))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  try {
    const ended = await untilEnd(run, files, most, removeFolder)
    const [stdout = '', stderr = ''] = files.map((file) => readOutput(file, most))
    return { stdout, stderr, ...ended }
  } finally {
    removeFolder()
  }
}

function readOutput(file: string, most: number): string {
  try {
    return readRegularText(file, { most, part: 'start' })
  } catch {
    // The folder for temporary files was cleared.
    return ''
  }
}

type End = Pick<ProgramResult, 'exit' | 'trouble' | 'cause'>

function untilEnd(run: ProgramRun, files: readonly string[], most: number, tidyUp: () => void): Promise<End> {
  return new Promise((resolve) => {
    const [out = 'ignore', err = 'ignore'] = files.map((file) => openSync(file, 'w'))
    const isTooLarge = () => files.some((file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > most)
    // A group of its own, so that everything it starts can be ended with it.
    const child = spawn(run.program, run.args, {
      cwd: run.cwd,
      env: run.environment,
      detached: true,
      stdio: ['pipe', out, run.stderr ?? err],
    })
    for (const file of [out, err]) if (typeof file === 'number') closeSync(file)
    const killGroup = () => signalGroup(child.pid, 'SIGKILL')
    const endWithUs = () => {
      killGroup()
      tidyUp()
    }
    const forget = run.endsWithUs === true ? onExit(endWithUs) : () => {}
    let killed: End | null = null
    const kill = (how: End) => {
      killed ??= { ...how, trouble: `${how.trouble} and was killed` }
      killGroup()
    }
    const late: End = { exit: null, trouble: `it did not end within ${seconds(run.limit)}`, cause: 'late' }
    const large: End = { exit: null, trouble: `it printed more than ${inUnits(most)}`, cause: 'large' }
    const timer = setTimeout(() => kill(late), run.limit)
    const watch = setInterval(() => isTooLarge() && kill(large), LOOK)
    const end = (how: End) => {
      clearTimeout(timer)
      clearInterval(watch)
      killGroup()
      forget()
      // A fast program may exceed the limit and end between two checks.
      resolve(killed ?? (isTooLarge() ? large : how))
    }
    child.on('error', (error) => end({ exit: null, trouble: unstarted(error), cause: 'unstarted' }))
    child.stdin?.on('error', () => {})
    child.stdin?.end(run.stdin ?? '')
    child.on('exit', (exit, signal) => {
      if (signal === null) end({ exit, trouble: null, cause: null })
      else end({ exit: null, trouble: `it was killed by ${signal}`, cause: 'signal' })
    })
  })
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} seconds`
}

function inUnits(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} kB` : `${Math.round(bytes / 1024 / 1024)} MB`
}

function unstarted(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return `it could not be started (${code ?? message})`
}

export interface ServerProcess {
  /** What the ready pattern matched; null if there is no server. */
  readonly address: string | null
  readonly trouble: string | null
  readonly close: () => void
}

/** Starts a long-running program, and waits until it prints its address. It ends with us, however we end. */
export function startServerProcess(run: Omit<ProgramRun, 'most' | 'tidy'>, ready: RegExp): Promise<ServerProcess> {
  return new Promise((resolve) => {
    const child = spawn(run.program, run.args, {
      cwd: run.cwd,
      env: run.environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const killGroup = () => signalGroup(child.pid, 'SIGKILL')
    const forget = onExit(killGroup)
    const close = () => {
      killGroup()
      forget()
    }
    const answer = (address: string | null, trouble: string | null) => {
      clearTimeout(timer)
      for (const stream of [child.stdout, child.stderr]) stream.off('data', listen).resume()
      if (address === null) close()
      resolve({ address, trouble, close })
    }
    const timer = setTimeout(() => answer(null, `it was not ready within ${seconds(run.limit)}`), run.limit)
    const listen = (chunk: Buffer) => {
      if (output.length < MOST_OUTPUT) output += chunk.toString('utf8')
      const address = ready.exec(output)?.[1]
      if (address !== undefined) answer(address, null)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.on('error', (error) => answer(null, unstarted(error)))
    child.on('exit', (code) => answer(null, `it ended with exit code ${code}: ${output.slice(-300)}`))
  })
}

/** On the PATH: its real path, with links followed; null where there is none that can be run. */
export function findProgram(name: string, path = process.env.PATH ?? ''): string | null {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  for (const folder of path.split(delimiter)) {
    // A relative folder on the PATH could be the project's own.
    if (!isAbsolute(folder)) continue
    for (const ending of endings) {
      const found = programAt(join(folder, name + ending))
      if (found !== null) return found
    }
  }
  return null
}

export function programAt(path: string): string | null {
  try {
    const real = realpathSync(path)
    if (!statSync(real).isFile()) return null
    // Scripts are run by Node and need not be executable.
    accessSync(real, /\.[cm]?js$/.test(real) ? constants.R_OK : constants.X_OK)
    return real
  } catch {
    return null
  }
}
