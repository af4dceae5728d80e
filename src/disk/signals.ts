/** Handles signals that end the program: clean up, or stop after the current file. */
import { setImmediate } from 'node:timers/promises'

/** Ctrl-C, a request to end, and a closed terminal, with the exit codes that shells use. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
export type EndingSignal = keyof typeof signalCodes
export const endingSignals = Object.keys(signalCodes) as EndingSignal[]

const open = new Set<() => void>()

/** The handler must be fast and must not fail; call the returned function once it is no longer needed. */
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
      // The other handlers must still run.
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

/** An ending signal during writing: the run stops after the current file, not in the middle of it. */
interface Interruption {
  /** The code to exit with after a signal (130 for Ctrl-C), else null. */
  readonly code: () => Promise<number | null> | number | null
  readonly stop: () => void
}

/** How long work may continue without checking for a signal (ms): too short to notice, and checking is not free. */
const PACE = 50

/** Only the first signal is deferred; a second one ends the program at once, which is safe, only less tidy. */
export function watchInterruption(): Interruption {
  let code: number | null = null
  let looked = Date.now()
  const onSignal = (signal: EndingSignal) => {
    code ??= signalCodes[signal]
    stop()
  }
  const stop = () => {
    for (const signal of endingSignals) process.removeListener(signal, onSignal)
  }
  for (const signal of endingSignals) process.on(signal, onSignal)
  /** Node handles signals only between two tasks, so this yields. */
  const look = async () => {
    await setImmediate()
    looked = Date.now()
    return code
  }
  return {
    // The clock may have been set back meanwhile.
    code: () => (code === null && Math.abs(Date.now() - looked) > PACE ? look() : code),
    stop,
  }
}
