/** Keeps structure.json current: the project's tree, without a model. */
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readRegularText } from '../project/regular-file.ts'
import type { TreeEntry } from '../workplace/structure.ts'
import { putWhole } from './put-whole.ts'

/** Larger trees help nobody. */
const MOST = 20_000

/** Sorted; dot files and ignored names left out; links not followed. */
export function scanTree(root: string, ignore: readonly string[]): TreeEntry[] {
  const ignored = ignore.map(patternOf)
  const tree: TreeEntry[] = []
  const enter = (folder: string, prefix: string) => {
    for (const entry of entriesOf(folder)) {
      if (tree.length >= MOST) return
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

/** Says whether it had changed. */
export function saveTree(path: string, tree: readonly TreeEntry[]): boolean {
  const text = tree.length === 0 ? '[]\n' : `[\n${tree.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n]\n`
  try {
    if (readRegularText(path) === text) return false
  } catch {
    // Not there yet.
  }
  putWhole(path, text)
  return true
}

/** `*` stands for any part of a name. */
function patternOf(words: string): RegExp {
  const body = words
    .replace(/\/+$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
  return new RegExp(`^${body}$`)
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  } catch {
    return []
  }
}
