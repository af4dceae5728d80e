/** The machine as a harness would find it: where it is started, whose home that is, and which variables are set. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Effective } from '../../harness/schema/harness.ts'
import { expandPlace, showPath } from '../roots.ts'
import type { Show } from '../walk.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Machine {
  readonly here: string
  readonly home: string
  readonly environment: Environment
  readonly show: Show
}

export function openMachine(here: string, home: string, environment: Environment): Machine {
  return { here, home, environment: { ...environment, HOME: home }, show: showPath(here, home) }
}

/** The folders from where the harness is started up to the root of its project. */
export function foldersUp({ root: { marker, holds, otherwise } }: Effective, here: string): string[] {
  const folders = foldersAbove(here)
  const last = folders.indexOf(rootAbove({ marker, holds }, here) ?? otherwise)
  return last < 0 ? folders : folders.slice(0, last + 1)
}

/** The nearest folder from here upwards that is the root of a project; null where there is none. */
export function rootAbove({ marker, holds }: Pick<Effective['root'], 'marker' | 'holds'>, here: string): string | null {
  return foldersAbove(here).find((folder) => isMarked(join(folder, marker), holds)) ?? null
}

function foldersAbove(here: string): string[] {
  return dirname(here) === here ? [here] : [here, ...foldersAbove(dirname(here))]
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

/** The folders that a place stands for, in its order; whether they exist is another question. */
export function foldersOf(effective: Effective, place: Place, machine: Machine): string[] {
  if (isSwitchedOff(place.unless, machine)) return []
  const named = (place.folder ?? []).filter((folder) => {
    return !isSwitchedOff(place.unlessIn[folder.slice(folder.lastIndexOf('/') + 1)] ?? [], machine)
  })
  if (place.walk === undefined) return named.flatMap((folder) => expandFolder(folder, machine))
  const found = foldersUp(effective, machine.here).flatMap((above) => named.map((folder) => join(above, folder)))
  return place.walk === 'up' ? found : found.reverse()
}

/** What comes out empty is not there. */
export function expandFolder(place: string, { here, environment }: Machine): string[] {
  const path = expandPlace(place, environment)
  return path === '' ? [] : [resolve(here, path)]
}

function isSwitchedOff(variables: readonly string[], { environment }: Machine): boolean {
  return variables.some((name) => /^(1|true)$/i.test(environment[name] ?? ''))
}
