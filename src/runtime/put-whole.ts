/** Files for others to read: whole at every moment, the old one or the new one. */
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const DRAFT = '.draft-'

export function putWhole(path: string, text: string): void {
  const draft = draftIn(dirname(path))
  try {
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** One at a time for each process, which its name tells. */
export function draftIn(folder: string): string {
  return join(folder, `${DRAFT}${process.pid}`)
}

/** What killed processes left behind. */
export function removeDrafts(folder: string, isRunning: (pid: number) => boolean): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(DRAFT) ? Number(name.slice(DRAFT.length)) : Number.NaN
    if (Number.isInteger(pid) && !isRunning(pid)) rmSync(join(folder, name), { force: true })
  }
}
