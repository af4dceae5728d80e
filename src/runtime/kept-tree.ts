/** The kernel's work, without a model: the project's tree as it is, in memory and in structure.json. */
import type { TreeEntry } from '../workplace/structure.ts'
import type { Setting } from './engine.ts'
import { saveTree, scanTree } from './structure-file.ts'

/** How old it may become (ms), and how many times as long as looking at it takes: while there is work, and while there is none. */
const BUSY = { age: 5000, times: 50 }
const IDLE = { age: 15_000, times: 5000 }

export class KeptTree {
  readonly #setting: Setting
  #entries: readonly TreeEntry[] = []
  #looked = Number.NEGATIVE_INFINITY
  #took = 0

  constructor(setting: Setting) {
    this.#setting = setting
  }

  get entries(): readonly TreeEntry[] {
    return this.#entries
  }

  /** Looks again where it is time to; work that comes is not told about a tree of long ago. */
  keep(isBusy: boolean): void {
    const { places, config, clock } = this.#setting
    const began = clock.steady()
    const { age, times } = isBusy ? BUSY : IDLE
    if (began - this.#looked < Math.max(age, times * this.#took)) return
    this.#entries = scanTree(places.root, config.ignorePatterns)
    try {
      saveTree(places.structure, this.#entries)
    } catch {
      // Next time.
    }
    this.#looked = clock.steady()
    this.#took = this.#looked - began
  }
}
