/** What stands where a file is to be written. */
import { contentHash } from '../hash.ts'
import type { LockEntry } from '../lock.ts'
import { readRegular } from '../regular-file.ts'
import type { Destination } from './destination.ts'

/**
 * Nothing; the same bytes; what Troupe wrote; what Troupe did not write; a path that leads outside the root or to
 * nowhere; what Troupe wrote and somebody changed since.
 */
export type Standing = 'new' | 'same' | 'ours' | 'foreign' | 'outside' | 'hand-edited'

export interface Found {
  readonly standing: Standing
  /** Null: it is not there, or it was not necessary to read it. */
  readonly before: Buffer | null
}

/** `bytes`: what is to be written, if anything. `owned`: what the lock says of the path. */
export function inspect(
  destination: Destination | null,
  bytes: Uint8Array | null,
  owned: LockEntry | undefined,
): Found {
  if (destination === null) return { standing: 'outside', before: null }
  const { stat } = destination
  if (stat === undefined) return { standing: 'new', before: null }
  if (!stat.isFile()) return { standing: 'foreign', before: null }
  // A file of another length that is not ours needs no reading.
  if (owned === undefined && stat.size !== bytes?.length) return { standing: 'foreign', before: null }
  let before: Buffer
  try {
    before = readRegular(destination.file)
  } catch {
    return { standing: 'foreign', before: null }
  }
  if (bytes !== null && before.equals(bytes)) return { standing: 'same', before }
  if (owned === undefined) return { standing: 'foreign', before }
  return { standing: contentHash(before) === owned.hash ? 'ours' : 'hand-edited', before }
}

/** Why a file must not be written or removed, as half a sentence; null: it may. */
export function forbids(standing: Standing, force: boolean | undefined): string | null {
  if (standing === 'outside') return 'its path leads outside the folder, or to a place that is not for outputs'
  if (force === true) return null
  if (standing === 'foreign') return 'Troupe did not write the file that stands there'
  if (standing === 'hand-edited') return 'it was changed by hand since Troupe wrote it'
  return null
}
