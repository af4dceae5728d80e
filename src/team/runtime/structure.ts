/** Keeps structure.json, the project's tree, up to date. */
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { readRegularText } from '../../disk/read-file.ts'
import type { Workplace } from '../engine/engine.ts'
import type { TreeEntry } from '../state/config.ts'

/** Larger trees are useless. */
const TREE_LIMIT = 20_000

/** Sorted; dot files and ignored names left out; links not followed. */
export function scanTree(root: string, ignore: readonly string[]): TreeEntry[] {
  const ignored = ignore.map(patternOf)
  const tree: TreeEntry[] = []
  const enter = (folder: string, prefix: string) => {
    for (const entry of sortedEntries(folder)) {
      if (tree.length >= TREE_LIMIT) return
      const path = prefix + entry.name
      if (entry.name.startsWith('.') || ignored.some((pattern) => pattern.test(entry.name) || pattern.test(path)))
        continue
      if (entry.isDirectory()) {
        tree.push({ path: `${path}/`, type: 'dir' })
        enter(join(folder, entry.name), `${path}/`)
      } else if (entry.isFile()) tree.push({ path, type: 'file' })
    }
  }
  enter(root, '')
  return tree
}

/** Returns whether it had changed. */
export function saveTree(path: string, tree: readonly TreeEntry[]): boolean {
  const text = tree.length === 0 ? '[]\n' : `[\n${tree.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n]\n`
  try {
    if (readRegularText(path) === text) return false
  } catch {
    // Not there yet.
  }
  writeAtomically(path, text)
  return true
}

/** `*` matches any part of a name. */
function patternOf(words: string): RegExp {
  const body = words
    .replace(/\/+$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
  return new RegExp(`^${body}$`)
}

function sortedEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  } catch {
    return []
  }
}

/** The maximum age (ms), and the minimum interval as a multiple of the scan time: with work, and without. */
const BUSY_PACE = { age: 5000, times: 50 }
const IDLE_PACE = { age: 15_000, times: 5000 }

export class StructureKeeper {
  readonly #workplace: Workplace
  #entries: readonly TreeEntry[] = []
  #looked = Number.NEGATIVE_INFINITY
  #took = 0

  constructor(workplace: Workplace) {
    this.#workplace = workplace
  }

  get entries(): readonly TreeEntry[] {
    return this.#entries
  }

  /** Rescans when it is time to; new work must not get an outdated tree. */
  keep(isBusy: boolean): void {
    const { places, config, clock } = this.#workplace
    const began = clock.steady()
    const { age, times } = isBusy ? BUSY_PACE : IDLE_PACE
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
