/**
 * Takes out of a copy of a project whatever would make a harness start other programs: settings, hooks, servers and plugins
 * are removed, and definitions lose the keys that name them. Only ever called on a copy.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expandBraces, suffixPattern } from '../../harness/glob.ts'
import type { Registry } from '../../harness/registry.ts'
import { takeInventory } from '../../project/inventory.ts'
import { TROUPE_FILE } from '../../project/troupe-file.ts'
import { rehearse } from '../../proof/rehearsal.ts'
import { FOLDER } from '../../runtime/places.ts'

export interface Quieted {
  /** Files that are not in the copy, by path. */
  readonly leftOut: readonly string[]
  /** Keys that definitions in the copy do not have. */
  readonly takenOut: readonly { readonly path: string; readonly keys: readonly string[] }[]
}

export function quietCopy(copy: string, registry: Registry): Quieted {
  const { files } = takeInventory({ registry, here: copy })
  const leftOut: string[] = []
  const takenOut: { path: string; keys: readonly string[] }[] = []
  const kept = new Set<string>()
  const pathOf = (path: string) => relative(copy, path)
  for (const harness of registry.all) {
    const mine = files.filter(({ candidate }) => candidate.harness.id === harness.id)
    const rehearsal = rehearse(harness, copy, mine)
    const broken = new Set(rehearsal.leftOut.map(({ candidate }) => pathOf(candidate.path)))
    for (const { candidate } of mine) if (!broken.has(pathOf(candidate.path))) kept.add(pathOf(candidate.path))
    for (const path of broken) leave(path)
    for (const { file, keys, text } of rehearsal.takenOut) {
      const path = pathOf(file.candidate.path)
      writeFileSync(join(copy, path), text)
      if (keys.length > 0) takenOut.push({ path, keys })
    }
  }
  const mayStart = startersOf(registry)
  for (const path of filesIn(copy)) if (!kept.has(path) && mayStart(path)) leave(path)
  return { leftOut: leftOut.sort(), takenOut: takenOut.sort((a, b) => (a.path < b.path ? -1 : 1)) }

  function leave(path: string): void {
    rmSync(join(copy, path), { force: true })
    leftOut.push(path)
  }
}

/** In every folder, and in capitals or not: where a harness looks depends on where it is started, and on the disk. */
function startersOf(registry: Registry): (path: string) => boolean {
  const patterns = (globs: readonly string[]) =>
    globs.flatMap(expandBraces).map((glob) => new RegExp(suffixPattern(glob).source, 'is'))
  const starting = patterns(registry.all.flatMap(({ oracle }) => oracle?.startsFrom ?? []))
  const telling = patterns(
    registry.all.flatMap(({ components }) => [...(components.instructions ?? []), ...(components.rules ?? [])]),
  )
  const isOurs = (path: string) => path === TROUPE_FILE || path.startsWith(`${FOLDER}/`)
  return (path) => !isOurs(path) && starting.some((one) => one.test(path)) && !telling.some((one) => one.test(path))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}
