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

/** Inode, size and time of the last change of any kind, and what the content was. */
type Known = readonly [inode: number, size: number, changed: number, hash: string]

/** Clocks of file systems tick this slowly (ms), some only every other second: what changed just now may change unseen. */
const TICK = 20
const SLOW_TICK = 2000

const SCHEMA = 1

export function openMemory(root: string): Memory {
  const own = ownFolder(root)
  const before = read(own.memory)
  const now = new Map<string, Known | null>()
  let isNew = false

  const remember = (path: string, stat: Stats, hash: string) => {
    now.set(path, [stat.ino, stat.size, stat.ctimeMs, hash])
    isNew = true
  }

  return {
    hashOf: (path) => {
      const known = now.get(path)
      if (known !== undefined) return known === null ? null : known[3]
      const stat = look(path)
      const last = stat === null ? undefined : before[path]
      if (stat !== null && last !== undefined && isSame(stat, last)) {
        now.set(path, last)
        return last[3]
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
      const known = [...now].filter((entry): entry is [string, Known] => entry[1] !== null)
      if (!isNew && known.length === Object.keys(before).length) return
      const present = Date.now()
      const settled = known.filter(([, [, , changed]]) => changed + tickOf(changed) < present)
      const text = JSON.stringify({ schema: SCHEMA, files: Object.fromEntries(settled) })
      try {
        putFile(own, own.memory, Buffer.from(text), { mode: null, durable: false })
      } catch {
        // Next time the files are read again, that is all.
      }
    },
  }
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

/** Whatever stands in the file of what was known: others can write there. */
function isSame({ ino, size, ctimeMs }: Stats, known: Known): boolean {
  if (!Array.isArray(known) || typeof known[3] !== 'string') return false
  const [inode, length, changed] = known
  return ino === inode && size === length && ctimeMs === changed
}

function tickOf(time: number): number {
  return Number.isInteger(time / 1000) ? SLOW_TICK : TICK
}

function read(path: string): Readonly<Record<string, Known>> {
  try {
    const { schema, files } = JSON.parse(readFileSync(path, 'utf8'))
    return schema === SCHEMA ? files : {}
  } catch {
    return {}
  }
}
