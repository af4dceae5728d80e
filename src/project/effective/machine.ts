/** The machine as a harness sees it: working folder, home folder, environment variables. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expandPlace, foldersUp, showPath } from '../../disk/roots.ts'
import { findByGlob, type ShowPath } from '../../disk/walk.ts'
import type { EffectiveSpec } from '../../harness/schema/harness.ts'
import { expandBraces, globBase } from '../../model/path-glob.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface HostMachine {
  readonly here: string
  readonly home: string
  readonly environment: Environment
  readonly show: ShowPath
}

export function openMachine(here: string, home: string, environment: Environment): HostMachine {
  return { here, home, environment: { ...environment, HOME: home }, show: showPath(here, home) }
}

/** The folders from where the harness is started up to the root of its project. */
export function foldersToRoot({ root: { marker, holds, otherwise } }: EffectiveSpec, here: string): string[] {
  const folders = foldersUp(here)
  const last = folders.indexOf(rootAbove({ marker, holds }, here) ?? otherwise)
  return last < 0 ? folders : folders.slice(0, last + 1)
}

/** The nearest folder from here upwards that is the root of a project; null where there is none. */
export function rootAbove(
  { marker, holds }: Pick<EffectiveSpec['root'], 'marker' | 'holds'>,
  here: string,
): string | null {
  return foldersUp(here).find((folder) => isMarked(join(folder, marker), holds)) ?? null
}

function isMarked(marker: string, holds: string): boolean {
  return existsSync(join(marker, holds)) || (existsSync(marker) && statSync(marker).isFile())
}

interface Place {
  readonly folder?: readonly string[] | undefined
  readonly walk?: 'down' | 'up' | undefined
  readonly unless: readonly string[]
  readonly unlessIn: Readonly<Record<string, readonly string[]>>
}

/** The folders that a place means, in order; they need not exist. */
export function foldersOf(effective: EffectiveSpec, place: Place, machine: HostMachine): string[] {
  if (isSwitchedOffBy(place.unless, machine)) return []
  const named = (place.folder ?? []).filter((folder) => {
    return !isSwitchedOffBy(place.unlessIn[folder.slice(folder.lastIndexOf('/') + 1)] ?? [], machine)
  })
  if (place.walk === undefined) return named.flatMap((folder) => expandFolder(folder, machine))
  const found = foldersToRoot(effective, machine.here).flatMap((above) => named.map((folder) => join(above, folder)))
  return place.walk === 'up' ? found : found.reverse()
}

/** A place that expands to nothing does not exist. */
export function expandFolder(place: string, { here, environment }: HostMachine): string[] {
  const path = expandPlace(place, environment)
  return path === '' ? [] : [resolve(here, path)]
}

function isSwitchedOffBy(variables: readonly string[], { environment }: HostMachine): boolean {
  return variables.some((name) => /^(1|true)$/i.test(environment[name] ?? ''))
}

/** Files inside one folder, in the order in which harnesses find them: near ones before those in deeper folders. */
interface FoundFile {
  readonly path: string
  /** Below the folder for its kind of file. */
  readonly relativePath: string
}

export function findFiles(folder: string, patterns: readonly string[], show: ShowPath): FoundFile[] {
  const found = patterns.flatMap(expandBraces).flatMap((pattern) => {
    const base = [folder, globBase(pattern)].filter((part) => part !== '').join('/')
    return findByGlob(folder, pattern, show).files.map((path) => ({ path, relativePath: path.slice(base.length + 1) }))
  })
  const depth = ({ path }: FoundFile) => path.split('/').length
  return found.sort((a, b) => depth(a) - depth(b))
}
