/** Whether a file has been left alone for a while: until then it may be being written. */
import { fstatSync } from 'node:fs'

/** Where others write to it all the time it never rests; nobody saves a file for so long (ms). */
const MOST = 2000
/** Whoever waits for a rest looks more often; one who has not looked for longer waits for another (ms). */
const FORGOTTEN = 1000

interface Look {
  readonly inode: number
  readonly size: number
  readonly modified: number
  /** Since when it is so, when it was first looked at, and when last. */
  readonly since: number
  readonly first: number
  readonly last: number
}

export class Rest {
  readonly #clock: () => number
  #last: Look | null = null

  /** `clock`: milliseconds that never jump. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** `ms`: so long. At the first look it has not. */
  hasCome(file: number, ms: number, most = MOST): boolean {
    const { ino: inode, size, mtimeMs: modified } = fstatSync(file)
    const now = this.#clock()
    const last = this.#last?.inode === inode ? this.#last : null
    const isSame = last?.size === size && last.modified === modified
    const isWaiting = last !== null && now - last.last <= FORGOTTEN
    const { since, first } = { since: isSame ? last.since : now, first: isWaiting ? last.first : now }
    this.#last = { inode, size, modified, since, first, last: now }
    return now - since >= ms || now - first >= Math.max(ms, most)
  }

  forget(): void {
    this.#last = null
  }
}
