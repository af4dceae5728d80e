/** What is done when the program is told to end: tidying up, or ending after the current file. */
import { setImmediate } from 'node:timers/promises'

/** Ctrl-C, a request to end, and a terminal that is closed: the exit codes that shells know them by. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
export type EndingSignal = keyof typeof signalCodes
export const endingSignals = Object.keys(signalCodes) as EndingSignal[]

const open = new Set<() => void>()

/** The way out must not take long and must not fail; give it back to say that it is no longer needed. */
export function onExit(end: () => void): () => void {
  if (open.size === 0) listen()
  open.add(end)
  return () => {
    open.delete(end)
    if (open.size === 0) stopListening()
  }
}

function runExitHandlers(): void {
  for (const end of open) {
    open.delete(end)
    try {
      end()
    } catch {
      // The others must still have their turn.
    }
  }
}

function leave(signal: EndingSignal): void {
  runExitHandlers()
  process.exit(signalCodes[signal])
}

function listen(): void {
  process.on('exit', runExitHandlers)
  for (const signal of endingSignals) process.on(signal, leave)
}

function stopListening(): void {
  process.removeListener('exit', runExitHandlers)
  for (const signal of endingSignals) process.removeListener(signal, leave)
}

/** Such a signal while files are written: the run ends after the current file instead of in the middle of it. */
interface Interruption {
  /** The code to exit with when a signal has come (130 for Ctrl-C), else null. */
  readonly code: () => Promise<number | null> | number | null
  readonly stop: () => void
}

/** How long work may go on without looking for a signal (ms): nobody notices that, and looking is not free. */
const PACE = 50

/** Only the first signal is held back; a second one ends the program at once, which is safe, only less tidy. */
export function watchInterruption(): Interruption {
  let code: number | null = null
  let looked = Date.now()
  const heard = (signal: EndingSignal) => {
    code ??= signalCodes[signal]
    stop()
  }
  const stop = () => {
    for (const signal of endingSignals) process.removeListener(signal, heard)
  }
  for (const signal of endingSignals) process.on(signal, heard)
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
