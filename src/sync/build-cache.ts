/**
 * What this machine knows of a project: the contents of files that nobody touched since, and which lines of the lock it has
 * made itself. Only ever a shortcut: without it the same is found out by reading and converting. It lies outside of the
 * project, because whoever can write there could also write this.
 */
import { mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { writeAtomically } from '../disk/atomic-write.ts'
import { exactHash } from '../disk/hash.ts'
import { readRegularText } from '../disk/read-file.ts'
import { expandPlace, realPathOrNull } from '../disk/roots.ts'
import { hashFile, readHashedFile } from '../project/read-text.ts'
import { entryText, type LockEntry, type LockFile } from '../workbench/lock-file.ts'

export interface BuildCache {
  /** The content hash of a file; null: there is none, or it cannot be read. */
  readonly hashOf: (path: string) => string | null
  /** Reads a file in any case, and remembers its content hash. */
  readonly read: typeof readHashedFile
  /** A file was just written with this content, or read after it looked like this. */
  readonly learn: (path: string, hash: string, seen?: Stats) => void
  /** Whether a line of the lock is one that this machine has made: then what it says of its output was true. */
  readonly hasMade: (path: string, entry: LockEntry) => boolean
  /** It has made this one just now. */
  readonly vouch: (path: string, entry: LockEntry) => void
  /** Keeps what is known of files that were asked about and of lines that are still there, for the next time. */
  readonly keep: (lock: LockFile) => void
}

/**
 * A line of the file: inode, size, time of the last change of any kind, what the content was, and the path. Most are
 * only compared and written again as they are, so they stay text.
 */
type Line = string

/** Clocks of file systems tick this slowly (ms), some only every other second: what changed just now may change unseen. */
const TICK = 20
const SLOW_TICK = 2000

const HEAD = 'troupe memory 2\n'
/** Between files and lines of the lock. */
const BREAK = '\n\n'
const HASH = 32

export function openBuildCache(root: string): BuildCache {
  const file = cacheFile(root)
  const { files: before, made } = read(file)
  let isMadeNew = false
  /** Each line is looked at by several targets. */
  const judged = new WeakMap<LockEntry, boolean>()
  const now = new Map<string, Line | null>()
  /** When those files changed whose lines are new. */
  const changes = new Map<string, number>()

  const remember = (path: string, stat: Stats, hash: string) => {
    now.set(path, `${statPrefix(stat)}${hash} ${path}`)
    changes.set(path, stat.ctimeMs)
  }

  return {
    hashOf: (path) => {
      const known = now.get(path)
      if (known !== undefined) return known === null ? null : hashIn(known, path)
      const stat = statFile(path)
      const last = stat === null ? undefined : before.get(path)
      if (stat !== null && last?.startsWith(statPrefix(stat)) === true) {
        now.set(path, last)
        return hashIn(last, path)
      }
      const hash = stat === null ? null : hashFile(path)
      if (stat === null || hash === null) now.set(path, null)
      else remember(path, stat, hash)
      return hash
    },
    read: (path, shown) => {
      // Looked at first: a file that changes in between will look other the next time.
      const stat = statFile(path)
      const file = readHashedFile(path, shown)
      if (stat !== null && 'hash' in file) remember(path, stat, file.hash)
      return file
    },
    learn: (path, hash, seen) => {
      const stat = seen ?? statFile(path)
      if (stat !== null) remember(path, stat, hash)
    },
    hasMade: (path, entry) => {
      let isMade = judged.get(entry)
      if (isMade === undefined) {
        isMade = made.get(path) === entryDigest(entry)
        judged.set(entry, isMade)
      }
      return isMade
    },
    vouch: (path, entry) => {
      const mark = entryDigest(entry)
      judged.set(entry, true)
      if (made.get(path) === mark || path.includes('\n')) return
      made.set(path, mark)
      isMadeNew = true
    },
    keep: (lock) => {
      const present = Date.now()
      const isSettled = (path: string) => {
        const changed = changes.get(path)
        return changed === undefined || changed + tickOf(changed) < present
      }
      const lines: Line[] = []
      for (const [path, line] of now) if (line !== null && isSettled(path) && !path.includes('\n')) lines.push(line)
      const marks = [...made].filter(([path]) => lock.has(path)).map(([path, mark]) => `${mark} ${path}`)
      const isSame = changes.size === 0 && lines.length === before.size && !isMadeNew && marks.length === made.size
      if (isSame) return
      try {
        writeCacheFile(file, `${HEAD}${lines.join('\n')}${BREAK}${marks.join('\n')}\n`)
      } catch {
        // Next time the files are read again, that is all.
      }
    },
  }
}

/** How a line begins as long as the file looks like this. */
function statPrefix({ ino, size, ctimeMs }: Stats): string {
  return `${ino} ${size} ${ctimeMs} `
}

function hashIn(line: Line, path: string): string {
  const end = line.length - path.length - 1
  return line.slice(end - HASH, end)
}

/** Of a file that is there; a folder or a device has no content to speak of. */
function statFile(path: string): Stats | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() === true ? stat : null
  } catch {
    return null
  }
}

function tickOf(time: number): number {
  return Number.isInteger(time / 1000) ? SLOW_TICK : TICK
}

function entryDigest(entry: LockEntry): string {
  return exactHash(entryText(entry))
}

/** Both by path. What is no such line begins like no file looks. */
function read(path: string): { readonly files: ReadonlyMap<string, Line>; readonly made: Map<string, string> } {
  const files = new Map<string, Line>()
  const made = new Map<string, string>()
  let text: string
  try {
    text = readRegularText(path)
  } catch {
    return { files, made }
  }
  const end = text.indexOf(BREAK)
  if (!text.startsWith(HEAD) || !text.endsWith('\n') || end < 0) return { files, made }
  for (const line of text.slice(HEAD.length, end).split('\n')) if (line !== '') files.set(pathIn(line), line)
  for (const line of text.slice(end + BREAK.length, -1).split('\n'))
    if (line !== '') made.set(line.slice(HASH + 1), line.slice(0, HASH))
  return { files, made }
}

/** Behind the hash, which comes after the third space. */
function pathIn(line: Line): string {
  const second = line.indexOf(' ', line.indexOf(' ') + 1)
  return line.slice(line.indexOf(' ', second + 1) + HASH + 2)
}

/** Where this machine remembers a project: in the folder that the user has for such things, never in the project. */
function cacheFile(root: string): string {
  return join(cacheFolder(), 'troupe', 'projects', exactHash(realPathOrNull(root) ?? root))
}

/** What is not absolute would lead into the project. */
function cacheFolder(): string {
  const said = expandPlace('${XDG_CACHE_HOME:-~/.cache}')
  return isAbsolute(said) ? said : expandPlace('~/.cache')
}

function writeCacheFile(file: string, text: string): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeAtomically(file, text, { mode: 0o600 })
  removeOldCaches(folder, basename(file))
}

const MONTHS = 90 * 24 * 60 * 60 * 1000

/** Projects that nobody has built for a long time, or that are no longer there. */
function removeOldCaches(folder: string, own: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const stat = name === own ? undefined : statSync(file, { throwIfNoEntry: false })
    if (stat !== undefined && stat.mtimeMs + MONTHS < Date.now()) rmSync(file, { force: true })
  }
}
