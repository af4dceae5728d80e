/** Files for others to read: whole at every moment, the old one or the new one. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function putWhole(path: string, text: string): void {
  const draft = join(dirname(path), `.draft-${process.pid}`)
  try {
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
