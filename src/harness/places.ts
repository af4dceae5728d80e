/** Which harnesses a path belongs to, told by the path alone. */
import { baseOf, expandBraces, segmentPattern, suffixPattern } from './glob.ts'
import type { Registry } from './registry.ts'
import type { Carrier, Harness } from './schema/harness.ts'

/** A kind of file at one of its places: the unit that discovery works with. */
export interface CarrierPlace {
  readonly harness: Harness
  readonly carrier: Carrier
  /** A plain glob, relative to the scope's root or absolute after expansion. */
  readonly pattern: string
  readonly base: string
  readonly ignore: readonly RegExp[]
}

/** Places that depend on another file come first: a plugin's `agents/` is the plugin's, not anybody's. */
export function carrierPlaces(registry: Registry, scope: 'project' | 'user' | 'managed'): CarrierPlace[] {
  const places = registry.all.flatMap((harness) =>
    harness.carriers.flatMap((carrier) => {
      const place = carrier[scope]
      if (place === undefined) return []
      const ignore = (place.ignore ?? []).map(segmentPattern)
      const patterns = place.read.flatMap(expandBraces)
      return patterns.map((pattern) => ({ harness, carrier, pattern, base: baseOf(pattern), ignore }))
    }),
  )
  const depends = ({ carrier }: CarrierPlace) => (carrier.when === undefined ? 1 : 0)
  return places.sort((a, b) => depends(a) - depends(b))
}

export interface PlaceMatch {
  readonly harness: Harness
  readonly carrier: Carrier
  readonly relativePath: string
}

interface CompiledPlace extends CarrierPlace {
  readonly matches: RegExp
}

const compiled = new WeakMap<Registry, CompiledPlace[]>()

/** The kind of file that a path is by its folder, wherever the project's root is. */
export function placeOf(registry: Registry, path: string): PlaceMatch | null {
  let places = compiled.get(registry)
  if (places === undefined) {
    places = carrierPlaces(registry, 'project')
      // A place without a folder of its own, or one that depends on another file, says nothing by its path alone.
      .filter(({ base, carrier }) => base.startsWith('.') && carrier.when === undefined)
      .map((place) => ({ ...place, matches: suffixPattern(place.pattern) }))
    compiled.set(registry, places)
  }
  for (const { harness, carrier, base, matches, ignore } of places) {
    const before = matches.exec(path)?.[1]
    if (before === undefined) continue
    const relativePath = path.slice(before.length + base.length + 1)
    if (ignore.some((pattern) => pattern.test(relativePath.slice(relativePath.lastIndexOf('/') + 1)))) continue
    return { harness, carrier, relativePath }
  }
  return null
}

/** The other harnesses that load a file of the given harness from where it stands. */
export function alsoReadBy(registry: Registry, owner: Harness, path: string): string[] {
  return registry.all
    .filter((reader) => reader.id !== owner.id && borrows(reader, path, owner))
    .map(({ id }) => id)
    .sort()
}

/** Whether a harness loads a file from where others keep theirs. */
export function borrows({ readsAlso }: Harness, path: string, owner?: Harness): boolean {
  const patterns = readsAlso.filter(({ harness }) => owner === undefined || harness === owner.id)
  return patterns.flatMap(({ read }) => read.flatMap(expandBraces)).some((one) => suffixPattern(one).test(path))
}
