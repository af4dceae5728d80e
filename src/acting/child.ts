/** The process of a harness: in our own group, so that whatever ends us ends it, and with a bound on what it may say. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { withoutColours } from '../proof/extract.ts'
import { wholeSlice } from '../text/whole-slice.ts'
import type { Launch } from './launch.ts'

/** A line that is longer is no line of a protocol. */
const LONGEST_LINE = 16 * 1024 * 1024
/** The end of what it complained about. */
const COMPLAINT = 4096
/** Between asking it to end and making it (ms). */
const GRACE = 1500

export interface Child {
  readonly process: ChildProcessWithoutNullStreams
  /** Null: it was killed, or could not be started. */
  readonly ended: Promise<number | null>
  /** The last it complained about. */
  readonly complaint: () => string
  readonly end: () => void
}

export function startChild({ program, args, environment, cwd }: Launch, signal: AbortSignal, polite = 0): Child {
  const child = spawn(program, args, { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (bytes: Buffer) => {
    complaint = wholeSlice(complaint + bytes.toString('utf8'), -COMPLAINT)
  })
  // What it does not want to read is no trouble of ours.
  child.stdin.on('error', () => {})
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      complaint = `it could not be started (${(error as NodeJS.ErrnoException).code ?? error.message})`
      resolve(null)
    })
    child.on('close', (code) => resolve(code))
  })
  let timer: NodeJS.Timeout | null = null
  const end = () => {
    if (timer !== null || child.exitCode !== null) return
    child.kill('SIGTERM')
    timer = setTimeout(() => child.kill('SIGKILL'), GRACE)
    timer.unref()
  }
  // Whoever was asked to stop and goes on is ended.
  const stop = () => setTimeout(end, polite).unref()
  signal.addEventListener('abort', stop, { once: true })
  void ended.then(() => signal.removeEventListener('abort', stop))
  return {
    process: child,
    ended,
    complaint: () => wholeSlice(withoutColours(complaint).trim().split('\n').slice(-3).join(' '), -400),
    end,
  }
}

/** How long a harness has to stop by itself when it is asked to (ms). */
export const POLITE = 3000

/** Whole lines, as they come. */
export function onLines(stream: NodeJS.ReadableStream, hear: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  let length = 0
  stream.on('data', (bytes: Buffer) => {
    const lines = decoder.write(bytes).split('\n')
    const rest = lines.pop() ?? ''
    for (const line of lines) {
      hear(parts.join('') + line)
      parts = []
      length = 0
    }
    length += rest.length
    // Of what never ends, nothing is kept.
    if (length <= LONGEST_LINE) parts.push(rest)
    else parts = []
  })
}
