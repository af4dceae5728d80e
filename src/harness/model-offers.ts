/** What a harness offers, by what its ids mean: the models it lists, and its current one of each family. */
import { type ModelName, tellingMarks, tiers, understandModel } from './model-names.ts'
import type { Harness } from './schema/harness.ts'

export interface Offer {
  readonly id: string
  readonly name: ModelName
}

interface Offers {
  /** By vendor, family and version. */
  readonly exact: ReadonlyMap<string, readonly Offer[]>
  /** By vendor and family: the short name, or the newest id. */
  readonly current: ReadonlyMap<string, string>
  readonly vendors: ReadonlySet<string | null>
}

const collected = new WeakMap<Harness, Offers>()

/** All that could be the very model. */
export function offersLike(harness: Harness, name: ModelName): readonly Offer[] {
  return offersOf(harness).exact.get(exactKey(name)) ?? []
}

/** What to write for the family, whichever version that is today. */
export function currentOffer(harness: Harness, name: ModelName): string | undefined {
  return offersOf(harness).current.get(familyKey(name))
}

export function hasVendor(harness: Harness, { vendor }: ModelName): boolean {
  return offersOf(harness).vendors.has(vendor)
}

function offersOf(harness: Harness): Offers {
  const found = collected.get(harness) ?? collectOffers(harness)
  collected.set(harness, found)
  return found
}

function collectOffers({ models }: Harness): Offers {
  const listed = models.known.flatMap((id) => offer(id, id))
  // A tier that is another vendor's model, and a short name for a tier, say nothing about a family.
  const short = [
    ...tiers.flatMap((tier) => {
      const id = models.tiers[tier]
      return id === undefined ? [] : offer(id, id).filter(({ name }) => name.tier === tier)
    }),
    ...Object.entries(models.means)
      .flatMap(([alias, meaning]) => offer(alias, meaning))
      .filter(({ name }) => name.tier === null),
  ]
  const exact = new Map<string, Offer[]>()
  for (const one of listed) exact.set(exactKey(one.name), [...(exact.get(exactKey(one.name)) ?? []), one])
  const newest = listed.filter(({ name }) => tellingMarks(name).length === 0 && name.date === null).sort(newerFirst)
  const current = new Map<string, string>()
  for (const { id, name } of [...short, ...newest]) {
    if (!current.has(familyKey(name))) current.set(familyKey(name), id)
  }
  return { exact, current, vendors: new Set([...listed, ...short].map(({ name }) => name.vendor)) }
}

function offer(id: string, meaning: string): Offer[] {
  const name = understandModel(meaning)
  return name === null || name === 'inherit' ? [] : [{ id, name }]
}

function newerFirst({ name: one }: Offer, { name: other }: Offer): number {
  const [major, minor] = versionParts(one)
  const [otherMajor, otherMinor] = versionParts(other)
  return otherMajor - major || otherMinor - minor
}

function versionParts({ version }: ModelName): [number, number] {
  const [major = 0, minor = 0] = (version ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0)
  return [major, minor]
}

function familyKey({ vendor, family }: ModelName): string {
  return `${vendor} ${family}`
}

function exactKey(name: ModelName): string {
  return `${familyKey(name)} ${name.version}`
}
