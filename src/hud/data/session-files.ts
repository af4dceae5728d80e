/** Work notes of agents, one file per session, in the user's own data folder. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { expandPlace } from '../../disk/roots.ts'
import { notesFrom, type WorkNotes } from '../sections/work-notes.ts'
import { readSmallText } from './data-text.ts'

/** `kind`: what is kept about the session. */
export function sessionFile(session: string, kind: string): string {
  // A name from outside must not lead to another folder.
  const name = session.replace(/[^\w-]/g, '_').slice(0, 100)
  return join(folder(), `${name}.${kind}.json`)
}

function folder(): string {
  return join(expandPlace('${XDG_DATA_HOME:-~/.local/share}'), 'troupe', 'hud')
}

const MONTH = 30 * 24 * 3600 * 1000

/** Removes what a program remembered of sessions that ended long ago. Notes of agents stay. */
export async function removeOldSessions(kind: string): Promise<void> {
  const names = await readdir(folder()).catch(() => [])
  for (const name of names.filter((one) => one.endsWith(`.${kind}.json`))) {
    const path = join(folder(), name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < Date.now() - MONTH) await rm(path, { force: true }).catch(() => {})
  }
}

export async function readSessionFile(path: string): Promise<unknown> {
  const text = await readSmallText(path)
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}

/** An atomic write. */
export async function writeSessionFile(path: string, data: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  writeAtomically(path, `${JSON.stringify(data)}\n`, { mode: 0o600 })
}

export async function readWorkNotes(session: string): Promise<WorkNotes> {
  return notesFrom(await readSessionFile(sessionFile(session, 'work')))
}

export async function writeWorkNotes(session: string, work: WorkNotes): Promise<void> {
  await writeSessionFile(sessionFile(session, 'work'), work)
}
