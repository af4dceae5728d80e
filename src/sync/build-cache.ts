/**
 * What this machine knows of a project: the hashes of files unchanged since, and which lines of the lock file it has
 * written itself. Only a cache: without it the same result is found by reading and converting. It is outside the
 * project, because anyone who can write there could also write this.
 */
import { mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { writeAtomically } from '../disk/atomic-write.ts'
import { exactHash } from '../disk/hash.ts'
import { readRegularText } from '../disk/read-file.ts'
import { expandPlace, realPathOrNull } from '../disk/roots.ts'
import { hashFile, readHashedFile } from '../project/read-text.ts'
import type { LockEntry, LockFile } from '../workbench/lock-file.ts'
import { entryDigest, openResultCache, type ResultCache } from './result-cache.ts'

export interface BuildCache {
  /** The content hash of a file; null: it does not exist, or cannot be read. */
  readonly hashOf: (path: string) => string | null
  /** Always reads the file, and remembers its content hash. */
  readonly read: typeof readHashedFile
  /** A file was just written with this content, or read after `seen` was taken. */
  readonly recordHash: (path: string, hash: string, seen?: Stats) => void
  /** Whether this machine has written a line of the lock file: then what it records about its output was true. */
  readonly hasMade: (path: string, entry: LockEntry) => boolean
  /** Records that this machine has just written this line. */
  readonly recordOutput: (path: string, entry: LockEntry) => void
  /** What became of agents, where that is not in the lock file. */
  readonly results: ResultCache
  /**
   * Saves what is known of files that were looked up and of lines that still exist, for the next run. `lockHash`: of the
   * lock file as it is now; null: that is unknown.
   */
  readonly keep: (lock: LockFile, lockHash: string | null) => void
}

/**
 * A line of the file: inode, size, time of the last change of any kind, content hash, and path. Most are only compared
 * and written again unchanged, so they stay text.
 */
type Line = string

/** File system clocks tick this slowly (ms), some only every other second: a fresh change may hide another one. */
const TICK = 20
const SLOW_TICK = 2000

/** The hash of the lock file follows, if all its lines are this machine's. */
const HEAD = 'troupe memory 3 '
/** Between that, files, and lines of the lock file. */
const BREAK = '\n\n'
const HASH = 32

/** `lockHash`: of the lock file whose lines are asked about; null: they may come from elsewhere. */
export function openBuildCache(root: string, lockHash: string | null = null): BuildCache {
  const file = cacheFile(root)
  const opened = Date.now()
  const { files: before, wholeLock, marks } = read(file)
  /** If this machine wrote all of the lock file, its lines need not be compared one by one. */
  const isWhole = lockHash !== null && lockHash === wholeLock
  let known: Map<string, string> | null = null
  const made = () => {
    known ??= parseMarks(marks)
    return known
  }
  let isMadeNew = false
  /** Each line is checked for several targets. */
  const judged = new Map<LockEntry, boolean>()
  const now = new Map<string, Line | null>()
  /** Change times of the files whose lines are new. */
  const changes = new Map<string, number>()

  const hasMade = (path: string, entry: LockEntry) => {
    let isMade = judged.get(entry)
    if (isMade === undefined) {
      isMade = isWhole || made().get(path) === entryDigest(entry)
      judged.set(entry, isMade)
    }
    return isMade
  }

  const remember = (path: string, stat: Stats, hash: string) => {
    now.set(path, `${statPrefix(stat)}${hash} ${path}`)
    changes.set(path, stat.ctimeMs)
  }

  const hashOf = (path: string) => {
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
  }
  // A file that changed since this run began may have been read before that.
  const isOld = (path: string) => (changes.get(path) ?? 0) + SLOW_TICK < opened
  const results = openResultCache(`${file}-results`, { hashOf, isOld })

  return {
    hashOf,
    read: (path, shown) => {
      // Before reading: a file that changes in between will have another stat next time.
      const stat = statFile(path)
      const file = readHashedFile(path, shown)
      if (stat !== null && 'hash' in file) remember(path, stat, file.hash)
      return file
    },
    recordHash: (path, hash, seen) => {
      const stat = seen ?? statFile(path)
      if (stat !== null) remember(path, stat, hash)
    },
    hasMade,
    recordOutput: (path, entry) => {
      const mark = entryDigest(entry)
      judged.set(entry, true)
      if (made().get(path) === mark || path.includes('\n')) return
      made().set(path, mark)
      isMadeNew = true
    },
    results,
    keep: (lock, newLockHash) => {
      const present = Date.now()
      const isSettled = (path: string) => {
        const changed = changes.get(path)
        return changed === undefined || changed + tickOf(changed) < present
      }
      const lines: Line[] = []
      for (const [path, line] of now) if (line !== null && isSettled(path) && !path.includes('\n')) lines.push(line)
      const isLockSame = isWhole && !isMadeNew && newLockHash === lockHash
      const isSame = changes.size === 0 && lines.length === before.size && isLockSame
      try {
        results.keep(writeCacheFile)
        if (isSame) return
        const left = isLockSame ? marks : marksText([...made()].filter(([path]) => lock.has(path)))
        const isAllMade = () => [...lock].every(([path, entry]) => entry.made === undefined || hasMade(path, entry))
        const hash = isLockSame || (newLockHash !== null && isAllMade()) ? newLockHash : ''
        writeCacheFile(file, [`${HEAD}${hash}`, lines.join('\n'), left].join(BREAK))
      } catch {
        // The files are simply read again next time.
      }
    },
  }
}

/** How a line begins while the file has this stat. */
function statPrefix({ ino, size, ctimeMs }: Stats): string {
  return `${ino} ${size} ${ctimeMs} `
}

function hashIn(line: Line, path: string): string {
  const end = line.length - path.length - 1
  return line.slice(end - HASH, end)
}

/** Of an existing file; a folder or a device has no content. */
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

interface CacheText {
  /** By path. An invalid line matches no file. */
  readonly files: ReadonlyMap<string, Line>
  /** The hash of a lock file of which this machine wrote every line. */
  readonly wholeLock: string
  /** The digests of such lines, as text: mostly that hash is enough. */
  readonly marks: string
}

function read(path: string): CacheText {
  const files = new Map<string, Line>()
  let text = ''
  try {
    text = readRegularText(path)
  } catch {
    // The same as an empty one.
  }
  const first = text.indexOf(BREAK)
  const second = text.indexOf(BREAK, first + BREAK.length)
  if (!text.startsWith(HEAD) || second < 0) return { files, wholeLock: '', marks: '' }
  for (const line of text.slice(first + BREAK.length, second).split('\n'))
    if (line !== '') files.set(pathIn(line), line)
  return { files, wholeLock: text.slice(HEAD.length, first), marks: text.slice(second + BREAK.length) }
}

/** Every line ends with a line end, so that a part of one counts for nothing. */
function marksText(marks: readonly (readonly [path: string, mark: string])[]): string {
  return marks.map(([path, mark]) => `${mark} ${path}\n`).join('')
}

function parseMarks(text: string): Map<string, string> {
  const marks = new Map<string, string>()
  for (const line of text.split('\n').slice(0, -1)) marks.set(line.slice(HASH + 1), line.slice(0, HASH))
  return marks
}

/** After the hash, which follows the third space. */
function pathIn(line: Line): string {
  const second = line.indexOf(' ', line.indexOf(' ') + 1)
  return line.slice(line.indexOf(' ', second + 1) + HASH + 2)
}

/** Where this machine caches a project: in the user's cache folder, never in the project. */
function cacheFile(root: string): string {
  return join(cacheFolder(), 'troupe', 'projects', exactHash(realPathOrNull(root) ?? root))
}

/** A relative path would lead into the project. */
function cacheFolder(): string {
  const said = expandPlace('${XDG_CACHE_HOME:-~/.cache}')
  return isAbsolute(said) ? said : expandPlace('~/.cache')
}

function writeCacheFile(file: string, text: string | Uint8Array): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeAtomically(file, text, { mode: 0o600 })
  removeOldCaches(folder, basename(file).slice(0, HASH))
}

const MONTHS = 90 * 24 * 60 * 60 * 1000

/** Removes caches of projects that were not built for a long time, or no longer exist. */
function removeOldCaches(folder: string, own: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const stat = name.startsWith(own) ? undefined : statSync(file, { throwIfNoEntry: false })
    if (stat !== undefined && stat.mtimeMs + MONTHS < Date.now()) rmSync(file, { force: true })
  }
}
