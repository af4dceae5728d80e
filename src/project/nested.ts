/** Projects of a monorepo below a folder: those with agents of their own, which a harness sees only when it is started there. */
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { carrierPlaces } from '../harness/places.ts'
import type { Registry } from '../harness/registry.ts'

/** How far is looked: packages lie near the top, and nobody waits for a hint. */
const DEEPEST = 3
const MOST_FOLDERS = 2000

const skipped = new Set(['node_modules', 'dist', 'build', 'target', 'vendor'])

/** `known`: files that were found already. */
export function nestedProjects(registry: Registry, here: string, known: readonly string[]): string[] {
  const marks = marksOf(registry)
  const covered = new Set(known.flatMap((path) => foldersAbove(here, path)))
  const found: string[] = []
  let level = [here]
  let room = MOST_FOLDERS
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = []
    for (const folder of level) {
      if (room-- <= 0) return found.sort()
      const names = foldersIn(folder)
      const isMarked = names.some((name) => marks.get(name)?.some((mark) => existsSync(join(folder, mark))))
      if (folder !== here && isMarked && !covered.has(folder)) found.push(folder)
      else if (depth < DEEPEST)
        next.push(
          ...names.filter((name) => !name.startsWith('.') && !skipped.has(name)).map((name) => join(folder, name)),
        )
    }
    level = next
  }
  return found.sort()
}

function foldersAbove(here: string, path: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(path); folder.length > here.length; folder = dirname(folder)) folders.push(folder)
  return folders
}

/** Folders of harnesses, and manifests: what makes a folder a project of its own, by the first part of the way there. */
function marksOf(registry: Registry): Map<string, string[]> {
  const folders = carrierPlaces(registry, 'project')
    .filter(({ base, carrier }) => base.startsWith('.') && carrier.agents === undefined)
    .map(({ base }) => base)
  const manifests = registry.all.flatMap(({ plugins }) =>
    (plugins?.manifests ?? []).filter((file) => file.includes('/')),
  )
  const marks = new Map<string, string[]>()
  for (const mark of new Set([...folders, ...manifests])) {
    const [first = ''] = mark.split('/')
    marks.set(first, [...(marks.get(first) ?? []), mark])
  }
  return marks
}

function foldersIn(folder: string): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.filter((one) => one.isDirectory()).map(({ name }) => name)
}
