/** One line on a terminal that says how far long work has come, and is gone when it ends. */
import type { CommandInput } from './command.ts'

export interface Progress {
  readonly show: (done: number, total: number) => void
  readonly end: () => void
}

/** Work that is over sooner (ms) needs no line, and nobody reads faster than this. */
const PATIENCE = 400
const PACE = 100

/** Somebody looks at a terminal where a line can change. */
export function isWatched({ options }: CommandInput): boolean {
  return process.stderr.isTTY === true && !process.env.CI && options.quiet !== true
}

export function openProgress(input: CommandInput, verb: string): Progress {
  if (!isWatched(input)) return { show: () => {}, end: () => {} }
  const { stderr } = process
  const started = Date.now()
  let last = 0
  return {
    show: (done, total) => {
      const now = Date.now()
      if (now - started < PATIENCE || now - last < PACE) return
      last = now
      stderr.write(`\r${verb} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}\x1b[K`)
    },
    end: () => void (last > 0 && stderr.write('\r\x1b[K')),
  }
}
