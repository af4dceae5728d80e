/** Keeps files that were read to list their agents until they are converted, so that each is opened once. */
import { hashedFile, readBytes, readHashedFile, sharedBuffer } from '../../project/read-text.ts'

export interface ReadCache {
  /** The beginning of a file, as far as a header usually goes; null where it cannot be read. */
  readonly head: (path: string) => string | null
  /** The cached content, which is then dropped; otherwise it is read now. */
  readonly read: typeof readHashedFile
}

const HEAD = 4096
/** The cache size; everything beyond it is read again when needed. */
const CAPACITY = 64 * 1024 * 1024
/** Few large chunks: a buffer per file would cost more to manage than to read. */
const CHUNK = 1024 * 1024

export function openReadCache(room = CAPACITY): ReadCache {
  const kept = new Map<string, Buffer>()
  let left = room
  let board = Buffer.alloc(0)
  let used = 0
  const roomFor = (size: number) => {
    if (size > left || size > CHUNK) return sharedBuffer(size)
    if (used + size > board.length) {
      board = Buffer.allocUnsafeSlow(CHUNK)
      used = 0
    }
    return board.subarray(used, used + size)
  }
  return {
    head: (path) => {
      const read = readBytes(path, path, roomFor)
      if (!('bytes' in read)) return null
      const { bytes } = read
      if (bytes.buffer === board.buffer) {
        kept.set(path, bytes)
        used += bytes.length
        left -= bytes.length
      }
      return bytes.toString('utf8', 0, HEAD)
    },
    read: (path, shown) => {
      const bytes = kept.get(path)
      if (bytes === undefined) return readHashedFile(path, shown)
      kept.delete(path)
      return hashedFile(bytes)
    },
  }
}
