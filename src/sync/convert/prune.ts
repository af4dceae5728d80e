/** Removes outputs of earlier runs that are no longer wanted: their agent is gone, refused now, or renamed. */
import { existsSync, lstatSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isInside } from '../../disk/roots.ts'
import type { Registry } from '../../harness/registry.ts'
import type { DriftKind } from '../../model/drift.ts'
import type { Candidate } from '../../workbench/file.ts'
import { type LockEntry, splitPartKey } from '../../workbench/lock-file.ts'
import type { ConversionContext } from './context.ts'
import type { RemovalState } from './target-settings.ts'
import { previousKey } from './write-output.ts'

export function prune(work: ConversionContext): void {
  const { run, request, roster, refused, claimed, below } = work
  const read = new Set(roster.files.flatMap(({ candidate }) => partsOf(candidate)).map(below))
  const unread = new Set(roster.diagnostics.map(({ path }) => path))
  /** A source that could not be read this time may still want its outputs. */
  const isCertain = ({ source }: LockEntry) => {
    if (source === null || read.has(source)) return true
    const path = join(request.out, source)
    // A dangling link is there too.
    const isGone = lstatSync(path, { throwIfNoEntry: false }) === undefined
    return isGone || (existsSync(path) && !unread.has(work.show(path)))
  }
  // Several projects may write to one folder, and each prunes only its own outputs.
  const isOurs = ({ source }: LockEntry) => source === null || isInside(work.project, join(request.out, source))
  for (const [path, entry] of [...run.owned]) {
    // A source may once have been an output.
    const isClaimed = roster.claims.has(path) || claimed.has(path)
    const isWanted = (isClaimed && !refused.has(path)) || read.has(path)
    if (entry.by !== request.command || isWanted || !isOurs(entry) || !isCertain(entry)) continue
    if (splitPartKey(path) === null && !isPlaceOfOutputs(request.registry, path, request.out)) continue
    if (splitPartKey(path) === null) pruneFile(work, path, entry)
    else prunePart(work, path, entry)
  }
}

/** Where some harness has its agents or skills: anything else the lock file names was not written by Troupe. */
function isPlaceOfOutputs({ all }: Registry, path: string, root: string): boolean {
  const isHome = root === homedir()
  const isInSkill = (write = '') => {
    const [before = '', after] = write.split('{name}')
    return after !== undefined && before !== '' && path.startsWith(before) && path.includes('/', before.length)
  }
  if (all.some(({ skills }) => isInSkill(skills?.write))) return true
  return all.some(({ carriers }) =>
    carriers.some(({ project, user, prompt: { file } }) => {
      const places = [project?.write, isHome ? user?.write?.replace(/^~\//, '') : undefined]
      return places.some((place) => {
        const [before, after] = (place ?? '').split('{name}')
        if (before === undefined || after === undefined) return false
        const isFile = path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length
        return isFile || (file !== undefined && path.startsWith(before) && path.endsWith(`/${file}`))
      })
    }),
  )
}

/** The file, and its prompt file. */
function partsOf({ path, carrier: { prompt } }: Candidate): string[] {
  const isBeside = prompt.in === 'beside' && prompt.file !== undefined
  return isBeside ? [path, join(dirname(path), prompt.file ?? '')] : [path]
}

const driftOf: Record<RemovalState, DriftKind | null> = { removed: 'stale', edited: 'edited', gone: null, closed: null }

function pruneFile(work: ConversionContext, path: string, entry: LockEntry): void {
  const { run, request } = work
  const isEdited = run.plan(path, null) === 'hand-edited'
  report(work, isEdited ? 'edited' : 'stale', path, entry)
  if (!isEdited) run.remove(path)
  else if (request.overwrites?.(path) === true) run.remove(path, true)
}

/** An entry of a shared file, or a setting in one. */
function prunePart(work: ConversionContext, key: string, entry: LockEntry): void {
  const { configs, left, request } = work
  if (configs.isSet(key) || left.has(previousKey(entry.source, entry.to))) return
  const kind = driftOf[configs.leave(key, entry, request.overwrites?.(key) ?? request.force)]
  if (kind !== null) report(work, kind, key, entry)
}

function report({ request }: ConversionContext, kind: DriftKind, path: string, { source, to }: LockEntry): void {
  request.onDrift?.({ kind, path, source, agent: null, target: to }, null)
}
