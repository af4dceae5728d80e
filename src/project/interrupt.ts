/** Ctrl-C while files are written: the run ends after the current file instead of in the middle of it. */
import { setImmediate } from 'node:timers/promises'

export interface Interruption {
  /** The code to exit with when a signal has come (130 for Ctrl-C), else null. */
  readonly code: () => Promise<number | null> | number | null
  readonly stop: () => void
}

const codes = { SIGINT: 130, SIGTERM: 143 } as const
type Signal = keyof typeof codes

/** How long work may go on without looking for a signal (ms): nobody notices that, and looking is not free. */
const PACE = 50

/** Only the first signal is held back; a second one ends the program at once, which is safe, only less tidy. */
export function watchInterruption(): Interruption {
  let code: number | null = null
  let looked = Date.now()
  const heard = (signal: Signal) => {
    code ??= codes[signal]
    stop()
  }
  const stop = () => {
    for (const signal of Object.keys(codes) as Signal[]) process.removeListener(signal, heard)
  }
  for (const signal of Object.keys(codes) as Signal[]) process.on(signal, heard)
  /** Node learns of signals only between two pieces of work, so there must be a between. */
  const look = async () => {
    await setImmediate()
    looked = Date.now()
    return code
  }
  return {
    // The clock may be set back meanwhile.
    code: () => (code === null && Math.abs(Date.now() - looked) > PACE ? look() : code),
    stop,
  }
}
