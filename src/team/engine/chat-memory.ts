/**
 * The hashes of all chat lines ever read, in a file: append-only, and only read if the chat no longer continues what was
 * read. The journal records how many of them count; the rest was never committed.
 *
 * Each lock holder has its own file, named after the number of the lock, and starts it with the contents of the previous
 * one: a process that was suspended while another took over writes to a file that is no longer read.
 */
import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { readRegularFile } from '../../disk/read-file.ts'
import { readAt } from './chat-file.ts'

const ENTRY_BYTES = 6
/** The header: how many older entries were dropped. */
const HEAD_BYTES = 6
/** Above this number (6 MB), the older half is dropped. */
const ENTRY_LIMIT = 1024 * 1024

/** `number`: that of the lock. */
export function ownChatLines({ chatLines }: { readonly chatLines: string }, number: number): string {
  return `${chatLines}.${number}`
}

export class ReadLines {
  readonly #path: string
  readonly #most: number
  #file: number | null = null
  #dropped = 0
  #sorted: { readonly size: number; readonly hashes: Float64Array } | null = null

  constructor(path: string, most = ENTRY_LIMIT) {
    this.#path = path
    this.#most = most
  }

  /** The number of entries on the disk, including dropped ones. */
  get size(): number {
    const { size } = fstatSync(this.#open())
    return this.#dropped + Math.max(0, Math.floor((size - HEAD_BYTES) / ENTRY_BYTES))
  }

  /** Appends after the first `size`; returns the new number. */
  append(size: number, hashes: ArrayLike<number>): number {
    if (hashes.length === 0) return size
    const bytes = Buffer.allocUnsafe(hashes.length * ENTRY_BYTES)
    for (let index = 0; index < hashes.length; index++)
      bytes.writeUIntBE(hashes[index] ?? 0, index * ENTRY_BYTES, ENTRY_BYTES)
    const file = this.#open()
    writeAll(file, bytes, HEAD_BYTES + (size - this.#dropped) * ENTRY_BYTES)
    // Before the journal counts them: a gap would be unread lines.
    fdatasyncSync(file)
    this.#sorted = null
    const total = size + hashes.length
    if (total - this.#dropped > this.#most) this.#drop(total)
    return total
  }

  /** The last of the first `size`. */
  tail(size: number, count: number): number[] {
    const from = Math.max(this.#dropped, size - count)
    return [...this.#read(from, size)]
  }

  /** Whether a line is among the first `size`. */
  isKnown(size: number): (hash: number) => boolean {
    if (this.#sorted?.size !== size) this.#sorted = { size, hashes: this.#read(this.#dropped, size).sort() }
    const { hashes } = this.#sorted
    return (hash) => {
      let [low, high] = [0, hashes.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((hashes[middle] ?? 0) < hash) low = middle + 1
        else high = middle
      }
      return hashes[low] === hash
    }
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
    this.#sorted = null
  }

  #read(from: number, to: number): Float64Array {
    const bytes = readAt(
      this.#open(),
      HEAD_BYTES + (from - this.#dropped) * ENTRY_BYTES,
      Math.max(0, to - from) * ENTRY_BYTES,
    )
    const hashes = new Float64Array(Math.floor(bytes.length / ENTRY_BYTES))
    for (let index = 0; index < hashes.length; index++)
      hashes[index] = bytes.readUIntBE(index * ENTRY_BYTES, ENTRY_BYTES)
    return hashes
  }

  #open(): number {
    if (this.#file !== null) return this.#file
    inherit(this.#path)
    this.#file = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o644)
    const head = readAt(this.#file, 0, HEAD_BYTES)
    if (head.length === HEAD_BYTES) this.#dropped = head.readUIntBE(0, HEAD_BYTES)
    else writeAll(this.#file, Buffer.alloc(HEAD_BYTES), 0)
    return this.#file
  }

  #drop(total: number): void {
    const dropped = total - Math.floor(this.#most / 2)
    const kept = readAt(
      this.#open(),
      HEAD_BYTES + (dropped - this.#dropped) * ENTRY_BYTES,
      (total - dropped) * ENTRY_BYTES,
    )
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUIntBE(dropped, 0, HEAD_BYTES)
    writeAtomically(this.#path, Buffer.concat([head, kept]), { durable: true })
    this.close()
  }
}

/** Copies the previous file if this one is empty; the old one is removed once the new one is on the disk. */
function inherit(path: string): void {
  const [, name, own] = /^(.*)\.(\d+)$/.exec(basename(path)) ?? []
  if (name === undefined || existsSync(path)) return
  const folder = dirname(path)
  const numberOf = (one: string) => (one === name ? 0 : Number(one.slice(name.length + 1)))
  const before = readdirSync(folder)
    .filter((one) => one === name || (one.startsWith(`${name}.`) && /^\d+$/.test(one.slice(name.length + 1))))
    .filter((one) => numberOf(one) < Number(own))
    .sort((a, b) => numberOf(a) - numberOf(b))
  const last = before.at(-1)
  const bytes = last === undefined ? null : readQuietly(join(folder, last))
  if (bytes === null) return
  writeAtomically(path, bytes, { durable: true })
  for (const one of before) rmSync(join(folder, one), { force: true })
}

/** An unreadable file counts as lost: then lines that may be old are not run. */
function readQuietly(path: string): Buffer | null {
  try {
    return readRegularFile(path)
  } catch {
    return null
  }
}

function writeAll(file: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written, position + written)
}
