/** Whatever is started or made for a proof ends with the program, however the program ends. */

const open = new Set<() => void>()
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** The way out must not take long and must not fail; give it back to say that it is no longer needed. */
export function atTheLatest(end: () => void): () => void {
  if (open.size === 0) listen()
  open.add(end)
  return () => {
    open.delete(end)
    if (open.size === 0) stopListening()
  }
}

function endAll(): void {
  for (const end of open) {
    open.delete(end)
    try {
      end()
    } catch {
      // The others must still have their turn.
    }
  }
}

function leave(signal: NodeJS.Signals): void {
  endAll()
  process.exit(codes[signal as keyof typeof codes])
}

function listen(): void {
  process.on('exit', endAll)
  for (const signal of Object.keys(codes)) process.on(signal, leave)
}

function stopListening(): void {
  process.removeListener('exit', endAll)
  for (const signal of Object.keys(codes)) process.removeListener(signal, leave)
}
