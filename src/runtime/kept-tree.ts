/** The kernel's work, without a model: the project's tree as it is, in memory and in structure.json. */
import type { TreeEntry } from '../workplace/structure.ts'
import type { Setting } from './engine.ts'
import { saveTree, scanTree } from './structure-file.ts'

/** How old it may become (ms); large trees are looked at less often. */
const AGE = 5000
const RARELY = 50

export class KeptTree {
  readonly #setting: Setting
  #entries: readonly TreeEntry[] = []
  #due = 0

  constructor(setting: Setting) {
    this.#setting = setting
  }

  get entries(): readonly TreeEntry[] {
    return this.#entries
  }

  /** Looks again where it is time to. */
  keep(): void {
    const { places, config, clock } = this.#setting
    const began = clock.steady()
    if (began < this.#due) return
    this.#entries = scanTree(places.root, config.ignorePatterns)
    try {
      saveTree(places.structure, this.#entries)
    } catch {
      // Next time.
    }
    this.#due = clock.steady() + Math.max(AGE, RARELY * (clock.steady() - began))
  }
}
