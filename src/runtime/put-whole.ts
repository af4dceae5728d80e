/** Files for others to read: whole at every moment, the old one or the new one. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

/** On the disk when it returns, also after a power cut. */
export function putSynced(path: string, bytes: Uint8Array): void {
  const draft = draftIn(dirname(path))
  try {
    writeFileSync(draft, bytes, { flush: true })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/** A name is on the disk when its folder is. */
export function syncFolder(folder: string): void {
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } catch {
    // Some systems cannot; the file itself is safe.
  } finally {
    closeSync(file)
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
