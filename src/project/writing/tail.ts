/** A file that only grows, and that a failed write does not leave half grown. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'

export interface Tail {
  readonly size: () => number
  readonly append: (bytes: Uint8Array) => void
  readonly close: () => void
}

/** `good`: how much of it is to be kept; null: all. */
export function openTail(path: string, good: number | null): Tail {
  const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants
  // No link is followed: the file may have come with a project.
  const file = openSync(path, O_RDWR | O_CREAT | O_APPEND | (O_NOFOLLOW ?? 0), 0o600)
  let size = fstatSync(file).size
  if (good !== null && good < size) {
    ftruncateSync(file, good)
    size = good
  }
  return {
    size: () => size,
    append: (bytes) => {
      try {
        writeFileSync(file, bytes)
      } catch (error) {
        ftruncateSync(file, size)
        throw error
      }
      size += bytes.length
    },
    close: () => closeSync(file),
  }
}
