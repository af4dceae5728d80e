/** Outputs of earlier runs that nothing asks for any more: their agent is gone, has another name, or its target is. */
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Drift } from '../../model/drift.ts'
import type { LockEntry } from '../lock.ts'
import type { Work } from './work.ts'

export function prune(work: Work): void {
  const { run, request, roster, below } = work
  const read = new Set(roster.files.map(({ candidate }) => below(candidate.path)))
  const unread = new Set(roster.diagnostics.map(({ path }) => path))
  /** A source that could not be read this time may still want its outputs. */
  const isCertain = ({ source }: LockEntry) => {
    if (source === null || read.has(source)) return true
    const path = join(request.out, source)
    // A link that leads nowhere stands there too.
    const isGone = lstatSync(path, { throwIfNoEntry: false }) === undefined
    return isGone || (existsSync(path) && !unread.has(work.show(path)))
  }
  for (const [path, entry] of [...run.owned]) {
    if (entry.by !== request.command || roster.claims.has(path) || path.includes('#') || !isCertain(entry)) continue
    const drift: Drift = { kind: 'stale', path, source: entry.source, agent: null, target: entry.to }
    request.onDrift?.(drift)
    run.remove(path)
  }
}
