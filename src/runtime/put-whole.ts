/** Files for others to read: whole at every moment, the old one or the new one. */
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { thisIdentity } from './identity.ts'

const DRAFT = '.draft-'

export function putWhole(path: string, text: string | Uint8Array): void {
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
  const { pid } = thisIdentity()
  return join(folder, `${DRAFT}${pid}-${ownSpace()}`)
}

/** A draft of a process that cannot be asked is believed to be forgotten after so long (ms). */
const FORGOTTEN = 60 * 60 * 1000

/** What killed processes left behind. */
export function removeDrafts(folder: string, isRunning: (pid: number) => boolean): void {
  for (const name of readdirSync(folder)) {
    const [, pid, space] = name.startsWith(DRAFT) ? (/^(\d+)-(\w+)$/.exec(name.slice(DRAFT.length)) ?? []) : []
    if (pid === undefined) continue
    const path = join(folder, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (space === ownSpace() ? !isRunning(Number(pid)) : age > FORGOTTEN) rmSync(path, { force: true })
  }
}

function ownSpace(): string {
  return thisIdentity().space.replace(/\W/g, '') || '0'
}
