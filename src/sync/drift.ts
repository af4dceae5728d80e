/** Where a build writes, and outputs there that are not up to date or were edited by hand. */

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Target } from '../convert/plan.ts'
import { isInside } from '../disk/roots.ts'
import { matchPlace, type PlaceMatch } from '../harness/recognise/places.ts'
import type { Drift } from '../model/drift.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { readHashedFile, readLockFile, readTextOrNull, type TextFile } from '../project/read-text.ts'
import type { TroupeFile } from '../project/troupe-file.ts'
import type { LockEntry, LockFile } from '../workbench/lock-file.ts'
import { openBuildCache } from './build-cache.ts'
import type { ConversionRequest } from './convert/request.ts'

const messages: Record<Drift['kind'], (drift: Drift) => string> = {
  missing: ({ path }) => `${path} has not been built from this yet.`,
  'source-changed': ({ path }) => `${path} is older than this.`,
  'rules-changed': ({ source }) => `This was built from ${source} by rules that have since changed.`,
  edited: ({ source }) => `This was edited by hand and no longer matches ${source}.`,
  foreign: ({ source }) => `Troupe did not write this file, but ${source} would be built here.`,
  stale: ({ source }) => `This file is no longer needed. It was built from ${source}.`,
}

const edited = 'Make the change in the source, or adopt it with `troupe build --on-edit adopt`.'

/** `wanted`: the text that the output should have, where it is a file of its own. */
export function driftDiagnostic(root: string, drift: Drift, wanted: string | null): Diagnostic {
  const { kind, path, source } = drift
  const now = wanted === null ? null : readTextOrNull(join(root, path))
  const line = now === null || wanted === null ? 1 : firstDifference(now, wanted)
  const isInSource = source !== null && (kind === 'missing' || kind === 'source-changed')
  const place = isInSource ? { path: source, line: lineIn(root, source, wanted, line) } : { path, line }
  const problem = fileProblem('not-in-step', place.path, messages[kind](drift))
  return { ...problem, line: place.line, ...(kind === 'edited' ? { hint: edited } : {}) }
}

function firstDifference(now: string, wanted: string): number {
  const [here, there] = [now.split('\n'), wanted.split('\n')]
  const at = here.findIndex((line, index) => line !== there[index])
  return at < 0 ? here.length : at + 1
}

/** The line of the source that became this line of the output, if it can be found. */
function lineIn(root: string, source: string, wanted: string | null, line: number): number {
  const said = wanted?.split('\n')[line - 1]?.trim() ?? ''
  const lines = said === '' ? [] : (readTextOrNull(join(root, source))?.split('\n') ?? [])
  return lines.findIndex((one) => one.trim() === said) + 1 || 1
}

/** Where the outputs of a build go: the project, another folder, or a harness's user folder. */
interface OutputRoot {
  /** The output root. */
  readonly out: string
  /** As written in `troupe.yaml`; null: the project itself. */
  readonly said: string | null
  readonly targets: readonly Target[]
}

/** Null where a harness has no such place. */
export function outputRootsOf(
  root: string,
  { targets, outs }: Pick<TroupeFile, 'targets' | 'outs'>,
  findTarget: (word: string) => Target,
): { readonly destinations: readonly OutputRoot[]; readonly problem: string | null } {
  const groups = new Map<string, { said: string | null; targets: Target[] }>()
  for (const word of targets) {
    const said = outs.get(word) ?? null
    const target = findTarget(word)
    const isHome = said === '~' || said === '~/'
    const placed = isHome ? forUser(target) : target
    if (placed === null)
      return { destinations: [], problem: `${target.harness.title} has no folder for user-wide agents.` }
    const out = isHome ? homedir() : resolve(root, (said ?? '.').replace(/^~(?=\/)/, homedir()))
    const group = groups.get(out) ?? { said, targets: [] }
    group.targets.push(placed)
    groups.set(out, group)
  }
  return { destinations: [...groups].map(([out, group]) => ({ out, ...group })), problem: null }
}

/** Outputs of earlier builds of this project in the home, if it is no longer a destination: none is wanted there. */
export function formerOutputRoots(root: string, destinations: readonly OutputRoot[]): OutputRoot[] {
  const home = homedir()
  if (home === root || destinations.some(({ out }) => out === home)) return []
  const isOurs = ({ by, source }: LockEntry) => by === 'build' && source !== null && isInside(root, join(home, source))
  return [...readLockFile(home).lock.values()].some(isOurs) ? [{ out: home, said: '~', targets: [] }] : []
}

/** The same kind of file at its place in a home folder. */
function forUser({ harness, carrier }: Target): Target | null {
  const write = carrier.user?.write?.replace(/^~\//, '')
  if (write === undefined || carrier.project === undefined) return null
  return { harness, carrier: { ...carrier, project: { ...carrier.project, write } } }
}

/** An output that was edited since it was written. */
export interface HandEdit {
  /** Below the root. */
  readonly path: string
  readonly entry: LockEntry
  /** Null: its dialect is unknown. */
  readonly place: PlaceMatch | null
  readonly file: TextFile
}

/** Only those of the targets being built; entries of shared files are not included. */
export function findHandEdits({ out, command, targets, registry }: ConversionRequest, owned: LockFile): HandEdit[] {
  const wanted = new Set(targets.map(({ harness }) => harness.id))
  const memory = openBuildCache(out)
  const edits: HandEdit[] = []
  for (const [path, entry] of owned) {
    if (entry.by !== command || path.includes('#') || entry.to === null || !wanted.has(entry.to)) continue
    const file = join(out, path)
    if (memory.hashOf(file) === entry.hash) continue
    const read = readHashedFile(file, path)
    if ('problem' in read || read.hash === entry.hash) continue
    edits.push({ path, entry, place: matchPlace(registry, path), file: read.file })
  }
  return edits
}
