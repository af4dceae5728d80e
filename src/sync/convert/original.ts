/** What was kept of an agent's original, completed from the original itself where that still exists unchanged. */
import { resolve } from 'node:path'
import { createSource, type Source } from '../../convert/agent/source.ts'
import { withSecretsOf } from '../../convert/restore/keep.ts'
import { type KeptSource, parseKept, SECRET_REMOVED } from '../../convert/restore/kept.ts'
import { definitionHash } from '../../disk/hash.ts'
import { expandPlace } from '../../disk/roots.ts'
import { readAgents } from '../../harness/read/agents.ts'
import type { Registry } from '../../harness/registry.ts'
import { readHashedFile } from '../../project/read-text.ts'
import { projectReferences } from '../../project/references.ts'
import { keptOf, type LockEntry } from '../../workbench/lock-file.ts'

export interface KnownOriginal {
  readonly kept: KeptSource | null
  /** The text of the original, if it is still there and unchanged: then the lock file can be trusted about it. */
  readonly original?: string
}

/** `root`: what paths in the lock file are relative to. */
export function keptFor(registry: Registry, root: string, entry: LockEntry | undefined): KnownOriginal {
  const kept = parseKept(keptOf(entry))
  if (kept === null || entry === undefined) return { kept }
  const original = readOriginal(registry, root, kept, entry)
  if (original === null) return { kept }
  return { kept: isMissing(kept) ? withSecretsOf(kept, original) : kept, original: original.text }
}

function isMissing({ header, data }: KeptSource): boolean {
  const missing = data === undefined ? null : SECRET_REMOVED
  return header.some((entry) => typeof entry !== 'string' && entry[1] === missing)
}

function readOriginal(registry: Registry, root: string, { from }: KeptSource, entry: LockEntry): Source | null {
  const [id = '', kind = ''] = from.split('/')
  const harness = registry.byId(id)
  const carrier = harness?.carriers.find((one) => one.id === kind)
  if (harness === undefined || carrier === undefined || carrier.agents !== undefined || entry.source === null)
    return null
  const path = resolve(root, expandPlace(entry.source))
  const read = readHashedFile(path, entry.source)
  if ('problem' in read) return null
  const { text } = read.file
  const surroundings = projectReferences(path, root)
  const { agents, document } = readAgents({
    registry,
    harness,
    carrier,
    text,
    relativePath: entry.source,
    surroundings,
  })
  const [agent] = agents
  return agent === undefined || definitionHash(read.hash, agent.agent) !== entry.sourceHash
    ? null
    : createSource({ registry, harness, carrier, path: entry.source, text, document }, agent)
}
