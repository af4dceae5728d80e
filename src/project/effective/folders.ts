/** The folders that rules speak of, as they are on this machine. */
import { existsSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { SourceLayer } from '../../harness/effective/layers.ts'
import type { Folders } from '../../harness/effective/rules.ts'
import { plainData, reach, type TrackedMap } from '../../harness/effective/tracked.ts'
import type { Effective } from '../../harness/schema/harness.ts'
import { expandPlace } from '../roots.ts'
import { findFiles } from './find-files.ts'
import { foldersOf, foldersUp, type Machine } from './machine.ts'
import type { Reader } from './source.ts'

export function foldersOnDisk(reader: Reader, layers: readonly SourceLayer[]): Folders {
  const { effective, machine } = reader
  const root = foldersUp(effective, machine.here).at(-1) ?? machine.here
  const places = Object.fromEntries(
    Object.entries(effective.places).map(([name, place]) => [name, resolve(expandPlace(place, machine.environment))]),
  )
  const seen = Object.fromEntries(Object.entries(places).map(([name, path]) => [name, relative(root, path)]))
  return { home: machine.home, places, relative: seen, skills: skillFolders(reader, layers) }
}

function skillFolders({ effective, machine }: Reader, layers: readonly SourceLayer[]): string[] {
  const found = effective.skills.flatMap((place) => {
    const folders = place.sources === true ? sourceFolders(effective, machine) : foldersOf(effective, place, machine)
    return folders.flatMap((folder) => findFiles(folder, [place.read], machine.show))
  })
  const named = namedFolders(effective, machine, layers).flatMap((folder) =>
    findFiles(folder, ['**/SKILL.md'], machine.show),
  )
  return [...new Set([...found, ...named].map(({ path }) => path.slice(0, path.lastIndexOf('/'))))]
}

/** The folders that hold definitions: they hold skills too. */
function sourceFolders(effective: Effective, machine: Machine): string[] {
  const holding = effective.sources.filter(({ reads }) =>
    reads.some(({ read }) => read.some((one) => one.includes('*'))),
  )
  return [...new Set(holding.flatMap((source) => foldersOf(effective, source, machine)))]
}

function namedFolders(
  { settings: { skills: key } }: Effective,
  machine: Machine,
  layers: readonly SourceLayer[],
): string[] {
  const lists = layers.map(({ settings }) => listAt(settings, key))
  const last = lists.findLast((list) => list !== null) ?? []
  return last
    .map((path) => resolve(machine.here, expandPlace(path, machine.environment)))
    .filter((path) => existsSync(path) && statSync(path).isDirectory())
}

function listAt(settings: TrackedMap | null, key: string | undefined): string[] | null {
  const found = settings === null || key === undefined ? undefined : reach(settings, key.split('.'))
  const value = found === undefined ? null : plainData(found)
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null
}
