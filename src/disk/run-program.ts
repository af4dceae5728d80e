/** Runs a program that may hang, crash, talk too much or leave children behind, and always comes back with an answer. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRegularText } from './read-file.ts'
import { onExit } from './signals.ts'

export interface ProgramRun {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Milliseconds; then the whole process group is killed. */
  readonly limit: number
}

export interface ProgramResult {
  /** Null where the program was killed or could not be started. */
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
  /** What went wrong with running it, as a sentence; null when it ended by itself. */
  readonly trouble: string | null
}

/** More than this is rubbish or an endless loop. */
const MOST_OUTPUT = 64 * 1024 * 1024

/**
 * Its output goes into files: some programs end without waiting for what they wrote into a pipe, and lose all but its
 * first 64 kB. A child that was left behind can also hold a pipe open for ever.
 */
export function runProgram(run: ProgramRun): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const folder = mkdtempSync(join(tmpdir(), 'troupe-output-'))
    const files = ['stdout', 'stderr'].map((name) => join(folder, name))
    const [out = 'ignore', err = 'ignore'] = files.map((file) => openSync(file, 'w'))
    // A group of its own, so that whatever it starts can be ended with it.
    const child = spawn(run.program, run.args, {
      cwd: run.cwd,
      env: run.environment,
      detached: true,
      stdio: ['pipe', out, err],
    })
    const forget = onExit(() => {
      killProcessGroup(child)
      rmSync(folder, { recursive: true, force: true })
    })
    let trouble: string | null = null
    const stop = (why: string) => {
      trouble ??= why
      killProcessGroup(child)
    }
    const timer = setTimeout(
      () => stop(`it did not end within ${Math.round(run.limit / 1000)} seconds and was killed`),
      run.limit,
    )
    const watch = setInterval(() => {
      if (files.some((file) => statSync(file).size > MOST_OUTPUT)) stop('it printed more than 64 MB and was killed')
    }, 100)
    let isOver = false
    const end = (exit: number | null) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      clearInterval(watch)
      killProcessGroup(child)
      const [stdout = '', stderr = ''] = files.map(readOutput)
      for (const file of [out, err]) if (typeof file === 'number') closeSync(file)
      rmSync(folder, { recursive: true, force: true })
      forget()
      resolve({ exit: trouble === null ? exit : null, stdout, stderr, trouble })
    }
    child.on('error', (error) => {
      trouble = `it could not be started (${(error as NodeJS.ErrnoException).code ?? error.message})`
      end(null)
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(run.stdin ?? '')
    child.on('exit', (code, signal) => {
      if (signal !== null) trouble ??= `it was ended by ${signal}`
      end(code)
    })
  })
}

function readOutput(file: string): string {
  return readRegularText(file, { most: MOST_OUTPUT, part: 'start' })
}

export interface ServerProcess {
  /** What the ready pattern found, or why there is no server. */
  readonly address: string | null
  readonly trouble: string | null
  readonly close: () => void
}

/** Starts a program that stays, and waits until it prints its address. */
export function startServerProcess(run: ProgramRun, ready: RegExp): Promise<ServerProcess> {
  return new Promise((resolve) => {
    const child = spawn(run.program, run.args, {
      cwd: run.cwd,
      env: run.environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const forget = onExit(() => killProcessGroup(child))
    const close = () => {
      killProcessGroup(child)
      forget()
    }
    const answer = (address: string | null, trouble: string | null) => {
      clearTimeout(timer)
      for (const stream of [child.stdout, child.stderr]) stream.off('data', listen).resume()
      if (address === null) close()
      resolve({ address, trouble, close })
    }
    const timer = setTimeout(
      () => answer(null, `it was not ready within ${Math.round(run.limit / 1000)} seconds`),
      run.limit,
    )
    const listen = (chunk: Buffer) => {
      if (output.length < MOST_OUTPUT) output += chunk.toString('utf8')
      const address = ready.exec(output)?.[1]
      if (address !== undefined) answer(address, null)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.on('error', (error) =>
      answer(null, `it could not be started (${(error as NodeJS.ErrnoException).code ?? error.message})`),
    )
    child.on('exit', (code) => answer(null, `it ended with exit code ${code}: ${output.slice(-300)}`))
  })
}

/** Ends the program and everything it started, by the group's own number. */
export function killProcessGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in the group.
  }
}
