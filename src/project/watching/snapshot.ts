/** What a build reads, as it stands at one moment: by this alone it is decided whether to build again. */
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { agentExtensions } from '../../harness/detect.ts'
import { realOf } from '../files.ts'

export interface Snapshot {
  /** By path: a mark that changes with the file. */
  readonly files: ReadonlyMap<string, string>
  /** Where something could happen that matters. */
  readonly folders: ReadonlySet<string>
}

export interface Inputs {
  /** The root of the project. */
  readonly root: string
  /** Folders with all that is in them, and files; whether they are there or not. */
  readonly paths: Iterable<string>
}

export function takeSnapshot({ root, paths }: Inputs): Snapshot {
  const files = new Map<string, string>()
  const folders = new Set<string>()
  const entered = new Set<string>()
  const enter = (folder: string) => {
    const real = realOf(folder)
    if (real === null || entered.has(real)) return
    entered.add(real)
    folders.add(folder)
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      const stat = statOf(path)
      if (stat?.isDirectory()) {
        if (!passedOver.has(name)) enter(path)
      } else if (isAgentFile(name)) files.set(path, markOf(stat))
    }
  }
  for (const path of paths) {
    const stat = statOf(path)
    if (stat?.isDirectory()) enter(path)
    else files.set(path, markOf(stat))
    const place = placeOf(path, root)
    if (place !== null) folders.add(place)
  }
  return { files, folders }
}

export interface InputChange {
  readonly path: string
  readonly kind: 'changed' | 'added' | 'removed'
}

export function changesBetween(before: Snapshot, after: Snapshot): InputChange[] {
  const changes: InputChange[] = []
  for (const [path, mark] of after.files) {
    const old = before.files.get(path) ?? ABSENT
    if (mark !== old) changes.push({ path, kind: old === ABSENT ? 'added' : mark === ABSENT ? 'removed' : 'changed' })
  }
  for (const [path, mark] of before.files) {
    if (!after.files.has(path) && mark !== ABSENT) changes.push({ path, kind: 'removed' })
  }
  return changes
}

/** Whether a file is perhaps only on its way: gone, or without a word in it. */
export function isOnItsWay({ path, kind }: InputChange, { files }: Snapshot): boolean {
  return kind === 'removed' || files.get(path)?.startsWith('0:') === true
}

const ABSENT = ''
const passedOver = new Set(['.git', 'node_modules', '.troupe'])
const extensions = new Set(agentExtensions)

function isAgentFile(name: string): boolean {
  return extensions.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
}

/** Of a file that may not be there. */
export function markAt(path: string): string {
  return markOf(statOf(path))
}

function markOf(stat: ReturnType<typeof statOf>): string {
  return stat === null ? ABSENT : `${stat.size}:${stat.mtimeMs}:${stat.ino}`
}

function statOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Where a path would appear that is not there; elsewhere than in the project nobody listens for that. */
function placeOf(path: string, root: string): string | null {
  const folder = dirname(path)
  if (statOf(folder)?.isDirectory()) return folder
  return folder.startsWith(`${root}/`) ? placeOf(folder, root) : null
}
