/** Writes a report: a file that is made anew each time, and never in the place of something else. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { encode } from '../text/decode.ts'
import { reason } from './files.ts'
import { writeNewFile } from './write.ts'

/** Null: it was written. */
export function writeReportFile(path: string, text: string): string | null {
  const temporary = `${path}.troupe-${process.pid}`
  try {
    writeNewFile(temporary, encode(text, 'utf-8'), { mode: null, durable: false })
    renameSync(temporary, path)
    return null
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary, { force: true })
    return reason(error)
  }
}
