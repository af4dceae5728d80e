/** Whether a workplace is what it seems: a link or a pipe in it, which came with a project, could lead a write anywhere. */
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isOutside } from '../project/write.ts'
import { LAST } from './lock.ts'
import type { Places } from './places.ts'

/** The first thing in it that Troupe does not write to, as a sentence; null: all is as it should be. */
export function strangePlace(places: Places): string | null {
  const { folder, run, inbox, claims, runs, worktrees, program, sessions, checks } = places
  const folders = [folder, run, inbox, claims, runs, worktrees, join(program, '..'), sessions, checks]
  const { chat, tasks, status, structure, chatLines, log, written, config } = places
  for (const path of folders) {
    const why = lookAt(places.root, path, 'folder')
    if (why !== null) return why
  }
  const numbered = existsSync(run) ? readdirSync(run).filter((name) => /^(journal|lock|chat-lines)\./.test(name)) : []
  const endless = numbered.find((name) => Number(/\.(\d+)/.exec(name)?.[1] ?? 0) >= LAST)
  if (endless !== undefined) return `${relative(places.root, join(run, endless))} has a number that none can follow`
  for (const path of [
    config,
    chat,
    tasks,
    status,
    structure,
    chatLines,
    log,
    written,
    ...numbered.map((name) => join(run, name)),
  ]) {
    const why = lookAt(places.root, path, 'file')
    if (why !== null) return why
  }
  return null
}

function lookAt(root: string, path: string, kind: 'folder' | 'file'): string | null {
  const known = lstatSync(path, { throwIfNoEntry: false })
  if (known === undefined) return null
  const shown = relative(root, path)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return `${shown} is a link to something that is not there`
  if (known.isSymbolicLink() && isOutside(realpathSync(root), realpathSync(path)))
    return `${shown} is a link to a place outside of the project`
  const isRight = kind === 'folder' ? found.isDirectory() : found.isFile()
  return isRight ? null : `${shown} is not a ${kind}`
}
