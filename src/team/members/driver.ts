/** The port that drives a harness through one turn, over any protocol, and the child process behind it. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { wholeSlice } from '../../formats/text.ts'
import type { Embody } from '../../harness/schema/embody.ts'
import { stripColors } from '../../verify/extract.ts'
import type { Launch } from './launch.ts'

/** The harness asks for permission. */
export interface PermissionRequest {
  /** The tool as the harness calls it, or the closest match. */
  readonly tool: string
  /** What it is about: commands, paths; all of them must be allowed. Empty: unknown. */
  readonly subjects: readonly string[]
  /** For people. */
  readonly about: string
}

/** What a driver reports during a turn. */
export interface TurnListener {
  /** Before the first prompt. */
  readonly session: (id: string) => void
  /** The model was called once more. */
  readonly step: () => void
  readonly spent: (cost: number) => void
  readonly requestPermission: (request: PermissionRequest) => Promise<boolean>
}

export interface MemberTurn {
  readonly embody: Embody
  readonly launch: Launch
  readonly prompt: string
  /** The session to continue; null: a new one. */
  readonly resume: string | null
  /** The server of the team, if the protocol passes it. */
  readonly server: {
    readonly command: string
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }
  readonly listener: TurnListener
  /** Ends it, gracefully first. */
  readonly signal: AbortSignal
}

export type TurnEnd =
  | { readonly answer: string }
  /** `untouched`: the model was never called. */
  | { readonly trouble: string; readonly untouched: boolean }

export type TurnDriver = (turn: MemberTurn) => Promise<TurnEnd>

/** A longer line is not part of a protocol. */
const LONGEST_LINE = 16 * 1024 * 1024
/** The end of its error output. */
const COMPLAINT_LIMIT = 4096
/** Between SIGTERM and SIGKILL (ms). */
const KILL_GRACE = 1500

export interface Child {
  readonly process: ChildProcessWithoutNullStreams
  /** Null: it was killed, or could not be started. */
  readonly ended: Promise<number | null>
  /** The end of its error output. */
  readonly complaint: () => string
  readonly end: () => void
}

export function startChild({ program, args, environment, cwd }: Launch, signal: AbortSignal, polite = 0): Child {
  const child = spawn(program, args, { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (bytes: Buffer) => {
    complaint = wholeSlice(complaint + bytes.toString('utf8'), -COMPLAINT_LIMIT)
  })
  // Input that it does not read is not an error.
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
    timer = setTimeout(() => child.kill('SIGKILL'), KILL_GRACE)
    timer.unref()
  }
  // A harness that was asked to stop and continues is ended.
  const stop = () => setTimeout(end, polite).unref()
  signal.addEventListener('abort', stop, { once: true })
  void ended.then(() => signal.removeEventListener('abort', stop))
  return {
    process: child,
    ended,
    complaint: () => wholeSlice(stripColors(complaint).trim().split('\n').slice(-3).join(' '), -400),
    end,
  }
}

/** How long a harness has to stop by itself when asked to (ms). */
export const STOP_GRACE = 3000

/** Complete lines, as they arrive. */
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
    // Nothing is kept of a line without end.
    if (length <= LONGEST_LINE) parts.push(rest)
    else parts = []
  })
}
