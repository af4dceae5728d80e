/**
 * The agents that a workplace is begun with, on the disk: written once, and written anew as long as they are what Troupe
 * wrote. What somebody edited or removed stays that way.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { exactHash } from '../project/hash.ts'
import { readRegularText } from '../project/regular-file.ts'
import type { Places } from './places.ts'
import { putWhole } from './put-whole.ts'

/** Paths from the root. */
export interface Changes {
  readonly made: readonly string[]
  readonly changed: readonly string[]
  /** What would be written otherwise, and why it was not. */
  readonly left: readonly { readonly path: string; readonly why: 'edited' | 'removed' }[]
}

/** File name to the fingerprint of what was written; of this machine: a clone that lacks it takes every agent for edited. */
type Written = Readonly<Record<string, string>>

export function writeSuggested(
  { root, agents, written: record }: Places,
  suggested: readonly (readonly [file: string, text: string])[],
  /** Names of agents that were there once. */
  before: readonly string[],
): Changes {
  const known = readRecord(record)
  const now: Record<string, string> = { ...known }
  const done: { made: string[]; changed: string[]; left: Changes['left'][number][] } = {
    made: [],
    changed: [],
    left: [],
  }
  for (const [file, text] of suggested) {
    const path = join(agents, file)
    const shown = relative(root, path)
    const current = readText(path)
    if (current === text) continue
    if (current === null && existsSync(path)) done.left.push({ path: shown, why: 'edited' })
    else if (current === null && (file in known || before.includes(file.replace(/\.md$/, ''))))
      done.left.push({ path: shown, why: 'removed' })
    else if (current === null) {
      writeFileSync(path, text, { flag: 'wx' })
      now[file] = exactHash(text)
      done.made.push(shown)
    } else if (known[file] === exactHash(current)) {
      putWhole(path, text)
      now[file] = exactHash(text)
      done.changed.push(shown)
    } else done.left.push({ path: shown, why: 'edited' })
  }
  if (JSON.stringify(now) !== JSON.stringify(known)) putWhole(record, `${JSON.stringify(now, null, 2)}\n`)
  return done
}

function readRecord(path: string): Written {
  try {
    const data: unknown = JSON.parse(readRegularText(path))
    return typeof data === 'object' && data !== null ? (data as Written) : {}
  } catch {
    return {}
  }
}

function readText(path: string): string | null {
  try {
    return readRegularText(path)
  } catch {
    return null
  }
}
