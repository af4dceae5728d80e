/** What was kept of an agent's original, completed from the original itself where it is still there and unchanged. */
import { resolve } from 'node:path'
import { withOriginal } from '../../convert/keep.ts'
import { type Kept, keptFrom, TAKEN_OUT } from '../../convert/kept.ts'
import { parseSource, type Source } from '../../convert/parse.ts'
import { readAgents } from '../../harness/read.ts'
import type { Registry } from '../../harness/registry.ts'
import { readHashedFile } from '../files.ts'
import { sourceHashOf } from '../hash.ts'
import { keptOf, type LockEntry } from '../lock.ts'
import { expandPlace } from '../roots.ts'
import { referencesOf } from './references.ts'

export interface KnownOriginal {
  readonly kept: Kept | null
  /** The text of the original, where it is still there and unchanged: what the lock says of it can be believed. */
  readonly original?: string
}

/** `root`: what paths in the lock are relative to. */
export function keptFor(registry: Registry, root: string, entry: LockEntry | undefined): KnownOriginal {
  const kept = keptFrom(keptOf(entry))
  if (kept === null || entry === undefined) return { kept }
  const original = readOriginal(registry, root, kept, entry)
  if (original === null) return { kept }
  return { kept: isMissing(kept) ? withOriginal(kept, original) : kept, original: original.text }
}

function isMissing({ header, data }: Kept): boolean {
  const missing = data === undefined ? null : TAKEN_OUT
  return header.some((entry) => typeof entry !== 'string' && entry[1] === missing)
}

function readOriginal(registry: Registry, root: string, { from }: Kept, entry: LockEntry): Source | null {
  const [id = '', kind = ''] = from.split('/')
  const harness = registry.byId(id)
  const carrier = harness?.carriers.find((one) => one.id === kind)
  if (harness === undefined || carrier === undefined || carrier.agents !== undefined || entry.source === null)
    return null
  const path = resolve(root, expandPlace(entry.source))
  const read = readHashedFile(path, entry.source)
  if ('problem' in read) return null
  const { text } = read.file
  const surroundings = referencesOf(path, root)
  const { agents, document } = readAgents({
    registry,
    harness,
    carrier,
    text,
    relativePath: entry.source,
    surroundings,
  })
  const [agent] = agents
  return agent === undefined || sourceHashOf(read.hash, agent.agent) !== entry.sourceHash
    ? null
    : parseSource({ registry, harness, carrier, path: entry.source, text, document }, agent)
}
