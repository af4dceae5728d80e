/** Lets the nth change of the disk go wrong: the process is killed before it or in the middle of it, or it fails. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** `kill` before the call; `tear`: killed after half of a write; `half`: full after half of a write; else the code it fails with. */
export type Fault = 'kill' | 'tear' | 'half' | 'ENOSPC' | 'EACCES' | 'EIO'

const changing = ['openSync', 'writeSync', 'mkdirSync', 'renameSync', 'linkSync', 'unlinkSync'] as const
/** Tidying up is worth a kill, but not a failure: where even that fails, the next run tidies up. */
const tidying = ['rmSync', 'rmdirSync', 'ftruncateSync'] as const

export interface Sabotage {
  /** The changes there were, by the name of the call. */
  readonly calls: readonly string[]
  readonly stop: () => void
}

/** `lasting`: all later ones fail too, as on a disk that is full. */
export function sabotage(fault: Fault, at: number, lasting = false): Sabotage {
  const names = namesFor(fault)
  // biome-ignore lint/suspicious/noExplicitAny: the functions of fs, by name
  const table = fs as any
  const originals = names.map((name) => [name, table[name]] as const)
  const calls: string[] = []
  for (const [name, original] of originals) {
    table[name] = (...words: unknown[]) => {
      if (name === 'openSync' && words[1] === 'r') return original(...words)
      const now = calls.push(name) - 1
      if (now !== at && !(lasting && now > at)) return original(...words)
      if (fault === 'tear' || fault === 'half') writeHalf(original, words as [number, Buffer, number, number])
      if (fault === 'kill' || fault === 'tear') process.kill(process.pid, 'SIGKILL')
      throw Object.assign(new Error(`sabotaged ${name}`), { code: fault === 'half' ? 'ENOSPC' : fault })
    }
  }
  syncBuiltinESMExports()
  return {
    calls,
    stop: () => {
      for (const [name, original] of originals) table[name] = original
      syncBuiltinESMExports()
    },
  }
}

function namesFor(fault: Fault): readonly string[] {
  if (fault === 'tear' || fault === 'half') return ['writeSync']
  return fault === 'kill' ? [...changing, ...tidying] : [...changing, 'fsyncSync']
}

function writeHalf(
  writeSync: typeof fs.writeSync,
  [file, bytes, offset = 0, length = bytes.length]: [number, Buffer, number, number],
) {
  writeSync(file, bytes, offset, Math.floor(length / 2))
}
