/**
 * What the contents of files were when they were last read, so that files which nobody touched since need not be read
 * again. Only ever a shortcut: without it the same is found out by reading.
 */
import { readFileSync, type Stats, statSync } from 'node:fs'
import { hashFile, readHashedFile } from './files.ts'
import { ownFolder, putFile } from './writing/own-folder.ts'

export interface Memory {
  /** The content hash of a file; null: there is none, or it cannot be read. */
  readonly hashOf: (path: string) => string | null
  /** Reads a file in any case, and remembers its content hash. */
  readonly read: typeof readHashedFile
  /** A file was just written with this content, or read after it looked like this. */
  readonly learn: (path: string, hash: string, seen?: Stats) => void
  /** Keeps what is known of files that were asked about, for the next time. */
  readonly keep: () => void
}

/**
 * A line of the file: inode, size, time of the last change of any kind, what the content was, and the path. Most are
 * only compared and written again as they are, so they stay text.
 */
type Line = string

/** Clocks of file systems tick this slowly (ms), some only every other second: what changed just now may change unseen. */
const TICK = 20
const SLOW_TICK = 2000

const HEAD = 'troupe memory 1\n'
const HASH = 32

export function openMemory(root: string): Memory {
  const own = ownFolder(root)
  const before = read(own.memory)
  const now = new Map<string, Line | null>()
  /** When those files changed whose lines are new. */
  const changes = new Map<string, number>()

  const remember = (path: string, stat: Stats, hash: string) => {
    now.set(path, `${looks(stat)}${hash} ${path}`)
    changes.set(path, stat.ctimeMs)
  }

  return {
    hashOf: (path) => {
      const known = now.get(path)
      if (known !== undefined) return known === null ? null : hashIn(known, path)
      const stat = look(path)
      const last = stat === null ? undefined : before.get(path)
      if (stat !== null && last?.startsWith(looks(stat)) === true) {
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
      const stat = look(path)
      const file = readHashedFile(path, shown)
      if (stat !== null && 'hash' in file) remember(path, stat, file.hash)
      return file
    },
    learn: (path, hash, seen) => {
      const stat = seen ?? look(path)
      if (stat !== null) remember(path, stat, hash)
    },
    keep: () => {
      const present = Date.now()
      const isSettled = (path: string) => {
        const changed = changes.get(path)
        return changed === undefined || changed + tickOf(changed) < present
      }
      const lines: Line[] = []
      for (const [path, line] of now) if (line !== null && isSettled(path) && !path.includes('\n')) lines.push(line)
      if (changes.size === 0 && lines.length === before.size) return
      try {
        putFile(own, own.memory, Buffer.from(`${HEAD}${lines.join('\n')}\n`), { mode: null, durable: false })
      } catch {
        // Next time the files are read again, that is all.
      }
    },
  }
}

/** How a line begins as long as the file looks like this. */
function looks({ ino, size, ctimeMs }: Stats): string {
  return `${ino} ${size} ${ctimeMs} `
}

function hashIn(line: Line, path: string): string {
  const end = line.length - path.length - 1
  return line.slice(end - HASH, end)
}

/** Of a file that is there; a folder or a device has no content to speak of. */
function look(path: string): Stats | null {
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

/** By path. Others can write there: what is no such line begins like no file looks. */
function read(path: string): ReadonlyMap<string, Line> {
  const known = new Map<string, Line>()
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return known
  }
  if (!text.startsWith(HEAD) || !text.endsWith('\n')) return known
  const lines = text.slice(HEAD.length, -1).split('\n')
  for (const line of lines) if (line !== '') known.set(pathIn(line), line)
  return known
}

/** Behind the hash, which comes after the third space. */
function pathIn(line: Line): string {
  const second = line.indexOf(' ', line.indexOf(' ') + 1)
  return line.slice(line.indexOf(' ', second + 1) + HASH + 2)
}
