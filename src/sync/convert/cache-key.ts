/** Digests of everything besides the source that affects a conversion: where they are equal, so is the result. */
import type { Target } from '../../convert/plan.ts'
import { exactHash } from '../../disk/hash.ts'
import { builtInHarnesses, type Registry } from '../../harness/registry.ts'
import type { Naming } from '../../workbench/naming.ts'
import type { ConversionRequest } from './request.ts'

/** Inserted by the build; the sources themselves have none, because they can change at any time. */
declare const TROUPE_EDITION: string | undefined

const buildId: string | null = typeof TROUPE_EDITION === 'undefined' ? null : TROUPE_EDITION

/** Short, because it is in every line of the lock file; there are never many different ones. */
const LENGTH = 8

/** How files are read and agents are found in them. Null: unknown, so everything is done again. */
export function readKey({ registry, decisionsText }: ConversionRequest): string | null {
  return buildId === null || decisionsText === undefined ? null : fingerprint([buildId, ownHarnesses(registry)])
}

/** How they become agents of the target. The key for reading comes first. */
export function cacheKey(
  reading: string,
  request: ConversionRequest,
  target: Target,
  naming: Naming | undefined,
): string {
  const { decisionsText, models, keepAsking, accepted, ignoredKeys } = request
  const { harness, carrier } = target
  const { all, capabilities } = accepted(harness)
  const said = [
    harness.id,
    carrier.id,
    decisionsText?.(harness),
    sorted(Object.entries(models(harness))),
    keepAsking,
    [all, sorted(capabilities)],
    // An agent may name any other.
    (naming?.all ?? []).map(([plugin, renamed]) => [plugin, sorted(renamed)]),
    sorted(ignoredKeys ?? new Map()),
  ]
  return `${reading}-${fingerprint(said)}`
}

export function hasReadKey(reading: string, making: string): boolean {
  return making.startsWith(`${reading}-`)
}

function ownHarnesses({ all }: Registry) {
  return all.filter((one) => !builtInHarnesses.includes(one))
}

function fingerprint(said: unknown): string {
  return exactHash(Buffer.from(JSON.stringify(said))).slice(0, LENGTH)
}

function sorted<T>(entries: Iterable<readonly [string, T]>): (readonly [string, T])[] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
}
