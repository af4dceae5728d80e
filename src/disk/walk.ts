/** Finds files by glob, below one folder, following links but never in circles. */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { segmentPattern } from '../model/path-glob.ts'
import { describeError } from './errors.ts'
import { realInside } from './roots.ts'

export interface Walk {
  readonly files: string[]
  readonly problems: Diagnostic[]
}

export interface WholeWalk extends Walk {
  /** Every folder that was read. */
  readonly folders: string[]
}

/** How paths are shown to people. */
export type ShowPath = (absolute: string) => string

/** How many folders may still be read, where that is limited: links can make a few folders look like millions. */
export interface FolderLimit {
  readonly most: number
  left: number
}

/** What a walk must not exceed. */
export interface WalkLimit {
  readonly folders: FolderLimit
  /** The folder that no link may lead out of; null: links may lead anywhere. */
  readonly within: string | null
}

/** The files below `root` that match a plain glob, sorted. A folder that does not exist has no files. */
export function findByGlob(root: string, pattern: string, show: ShowPath, limit?: WalkLimit): Walk {
  const walk: LimitedWalk = { files: [], problems: [], ...(limit === undefined ? {} : { limit }) }
  descend(root, pattern.split('/'), walk, show, [])
  return walk
}

interface LimitedWalk extends Walk {
  readonly limit?: WalkLimit
}

/** All files below a folder with one of the extensions, except in version control and installed packages. */
export function findByExtension(root: string, extensions: readonly string[], show: ShowPath): WholeWalk {
  const walk: WholeWalk = { files: [], problems: [], folders: [] }
  const wanted = new Set(extensions)
  const enter = (folder: string, ancestors: readonly string[]) => {
    walk.folders.push(folder)
    for (const { path, name, folder: isFolder } of list(folder, walk, show)) {
      if (isFolder) {
        if (!skippedFolders.has(name)) enterOnce(path, ancestors, walk, show, enter)
      } else if (wanted.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())) walk.files.push(path)
    }
  }
  enterOnce(root, [], walk, show, enter)
  return walk
}

const skippedFolders = new Set(['.git', 'node_modules', '.venv', '__pycache__'])

function descend(
  folder: string,
  segments: readonly string[],
  walk: LimitedWalk,
  show: ShowPath,
  ancestors: readonly string[],
): void {
  const [segment, ...rest] = segments
  if (segment === undefined) return
  if (segment === '**') {
    enterOnce(folder, ancestors, walk, show, (here, above) => {
      const entries = list(here, walk, show)
      match(entries, rest, walk, show, above)
      for (const entry of entries) if (entry.folder) descend(entry.path, segments, walk, show, above)
    })
  } else if (segment.includes('*')) {
    match(list(folder, walk, show), segments, walk, show, ancestors)
  } else {
    const path = join(folder, segment)
    if (rest.length > 0) descend(path, rest, walk, show, ancestors)
    else if (targetOf(path) === 'file') walk.files.push(path)
  }
}

function match(
  entries: readonly Listed[],
  [segment = '', ...rest]: readonly string[],
  walk: LimitedWalk,
  show: ShowPath,
  ancestors: readonly string[],
): void {
  const pattern = segmentPattern(segment)
  for (const entry of entries) {
    if (!pattern.test(entry.name)) continue
    if (rest.length === 0 && !entry.folder) walk.files.push(entry.path)
    else if (rest.length > 0 && entry.folder) descend(entry.path, rest, walk, show, ancestors)
  }
}

interface Listed {
  readonly path: string
  readonly name: string
  readonly folder: boolean
}

function list(folder: string, walk: LimitedWalk, show: ShowPath): Listed[] {
  const { limit } = walk
  if (limit !== undefined && limit.folders.left-- <= 0) {
    const message = `Troupe reads at most ${limit.folders.most} folders here. What is in further ones is not listed.`
    if (limit.folders.left === -1) walk.problems.push(fileProblem('unreadable-file', show(folder), message))
    return []
  }
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      walk.problems.push(
        fileProblem('unreadable-file', show(folder), `The folder cannot be read (${describeError(error)}).`),
      )
    }
    return []
  }
  if (limit !== undefined && limit.within !== null && realInside(limit.within, folder) === null) {
    walk.problems.push(
      fileProblem('unreadable-file', show(folder), 'This is a link to something outside, so it is not read.'),
    )
    return []
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return [{ path, name: entry.name, folder: true }]
    if (!entry.isSymbolicLink()) return entry.isFile() ? [{ path, name: entry.name, folder: false }] : []
    const target = targetOf(path)
    // A dangling link is listed as a file, so that reading it reports the error.
    return [{ path, name: entry.name, folder: target === 'folder' }]
  })
}

/** What a path resolves to; a circular link counts as a file, so that reading it reports the error. */
function targetOf(path: string): 'file' | 'folder' | 'nothing' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'file' : 'nothing'
  }
}

/** Enters a folder unless it is one of its own ancestors, reached through links. */
function enterOnce(
  folder: string,
  ancestors: readonly string[],
  walk: Walk,
  show: ShowPath,
  enter: (folder: string, ancestors: readonly string[]) => void,
): void {
  let real: string
  try {
    real = realpathSync(folder)
  } catch {
    return
  }
  if (ancestors.includes(real)) {
    const message = 'This link points to a folder that contains it, so it is not followed.'
    walk.problems.push(fileProblem('symlink-loop', show(folder), message))
    return
  }
  enter(folder, [...ancestors, real])
}

function join(folder: string, name: string): string {
  return folder.endsWith('/') ? folder + name : `${folder}/${name}`
}
