/** The file in which a persistent member finds its work, one line of JSON each. It only grows: never is all of it read. */
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { NotRead, openRegular } from '../project/regular-file.ts'
import { readAt } from './chat-file.ts'

/** So much of its end is looked at after a crash: more than the last delivery can have (bytes). */
const TAIL = 4 * 1024 * 1024

/** How the line of a run begins. */
const beginning = /^\{"handoff":"[^"]*","run":"([^"]*)",/

/** The runs at the end of the file; a line that a full disk cut off does not count. */
export function deliveredIn(path: string): Set<string> {
  try {
    const file = openRegular(path)
    try {
      const { size } = fstatSync(file)
      const start = Math.max(0, size - TAIL)
      const lines = readAt(file, start, size - start)
        .toString('utf8')
        .split('\n')
      const runs = lines.map((line) => (line.endsWith('}') ? beginning.exec(line)?.[1] : undefined))
      return new Set(runs.filter((run) => run !== undefined))
    } finally {
      closeSync(file)
    }
  } catch {
    // Its program may have removed it, or put something else there.
    return new Set()
  }
}

/** A line that was cut off is begun anew, below its half. */
export function deliverTo(path: string, id: string, run: string, rest: object): void {
  const file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new NotRead('no-file', 'it is not a regular file')
    const isTorn = stat.size > 0 && readAt(file, stat.size - 1, 1)[0] !== 10
    const bytes = Buffer.from(`${isTorn ? '\n' : ''}${JSON.stringify({ handoff: id, run, ...rest })}\n`)
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
  } finally {
    closeSync(file)
  }
}
