/** Which harnesses a path belongs to, decided by the path alone. */
import { expandBraces, globBase, ignorePattern, suffixPattern } from '../../model/path-glob.ts'
import type { Registry } from '../registry.ts'
import type { Carrier, Harness } from '../schema/harness.ts'

/** A kind of file at one of its places: the unit of discovery. */
export interface CarrierPlace {
  readonly harness: Harness
  readonly carrier: Carrier
  /** A plain glob, relative to the scope's root or absolute after expansion. */
  readonly pattern: string
  readonly base: string
  readonly ignore: readonly RegExp[]
}

/** The places of a scope; those of plugins are relative to a plugin's folder, and not part of a project. */
export function carrierPlaces(registry: Registry, scope: 'project' | 'user' | 'managed'): CarrierPlace[] {
  return registry.all.flatMap((harness) =>
    harness.carriers.filter(({ plugin }) => plugin !== true).flatMap((carrier) => placesIn(harness, carrier, scope)),
  )
}

export function placesIn(harness: Harness, carrier: Carrier, scope: 'project' | 'user' | 'managed'): CarrierPlace[] {
  const place = carrier[scope]
  if (place === undefined) return []
  const ignore = (place.ignore ?? []).map(ignorePattern)
  const patterns = place.read.flatMap(expandBraces)
  return patterns.map((pattern) => ({ harness, carrier, pattern, base: globBase(pattern), ignore }))
}

export interface PlaceMatch {
  readonly harness: Harness
  readonly carrier: Carrier
  readonly relativePath: string
  /** The folder above the place, with its slash. */
  readonly root: string
}

interface CompiledPlace extends CarrierPlace {
  readonly matches: RegExp
}

const compiled = new WeakMap<Registry, CompiledPlace[]>()

/** The kind of a file according to its folder, for any project root. */
export function matchPlace(registry: Registry, path: string): PlaceMatch | null {
  let places = compiled.get(registry)
  if (places === undefined) {
    places = carrierPlaces(registry, 'project')
      // A place without its own folder cannot be recognised by its path alone, except settings, which have a
      // distinctive name.
      .filter(({ base, carrier, pattern }) => base.startsWith('.') || isSettings(carrier, pattern))
      .map((place) => ({ ...place, matches: suffixPattern(place.pattern) }))
    compiled.set(registry, places)
  }
  for (const { harness, carrier, base, matches, ignore } of places) {
    // Cheaper than the pattern, and mostly the answer.
    if (!path.includes(base)) continue
    const before = matches.exec(path)?.[1]
    if (before === undefined) continue
    const relativePath = path.slice(before.length + (base === '' ? 0 : base.length + 1))
    if (ignore.some((pattern) => pattern.test(relativePath))) continue
    return { harness, carrier, relativePath, root: before }
  }
  return null
}

function isSettings({ agents }: Carrier, pattern: string): boolean {
  return agents !== undefined && agents.at !== '' && !pattern.includes('*')
}

/** The other harnesses that load a file of the given harness from its place. */
export function alsoReadBy(registry: Registry, owner: Harness, path: string): string[] {
  return registry.all
    .filter((reader) => reader.id !== owner.id && loadsFromOthers(reader, path, owner))
    .map(({ id }) => id)
    .sort()
}

/** Whether a harness loads a file from the places of other harnesses. */
export function loadsFromOthers({ readsAlso }: Harness, path: string, owner?: Harness): boolean {
  const patterns = readsAlso.filter(({ harness }) => owner === undefined || harness === owner.id)
  return patterns.flatMap(({ read }) => read.flatMap(expandBraces)).some((one) => suffixPattern(one).test(path))
}
