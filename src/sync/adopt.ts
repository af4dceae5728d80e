/** Plans and performs adoption: which hand edits can be applied to which sources, and what the sources become. */
import { changeName, contradicts, type DefinitionChange, isSameChange } from '../convert/changes.ts'
import { showPath } from '../disk/roots.ts'
import { encode } from '../formats/decode.ts'
import { applyEdits } from '../formats/edit/edits.ts'
import type { Adoption, HandEditChoice } from '../model/drift.ts'
import { readHead } from '../project/read-text.ts'
import type { LockFile } from '../workbench/lock-file.ts'
import type { ConversionRequest } from './convert/request.ts'
import { findSources } from './convert/sources.ts'
import { nothingUnchanged } from './convert/unchanged-sources.ts'
import { findHandEdits, type HandEdit } from './drift.ts'
import type { Run } from './run/run.ts'
import { type AdoptionAttempt, tryAdoption } from './try-adoption.ts'

interface AdoptionPlan {
  readonly adoptions: readonly Adoption[]
  /** By path below the root: the new content of the source. */
  readonly sources: ReadonlyMap<string, Uint8Array>
}

/** `isAccepted`: whether an agent may gain this. */
export function planAdoptions(
  request: ConversionRequest,
  owned: LockFile,
  edits: readonly HandEdit[],
  isAccepted: (capability: string) => boolean,
): AdoptionPlan {
  const roster = findSources(request, owned, nothingUnchanged, readHead)
  const below = showPath(request.out)
  const files = new Map(roster.files.map((file) => [below(file.candidate.path), file]))
  const adoptions: Adoption[] = []
  const sources = new Map<string, Uint8Array>()
  for (const source of new Set(edits.map(({ entry }) => entry.source))) {
    const file = source === null ? undefined : files.get(source)
    const some = edits.filter(({ entry }) => entry.source === source)
    const all = some.map((edit) => tryAdoption({ request, owned, roster }, file, edit))
    const settled = combineAttempts(all, isAccepted)
    adoptions.push(...settled.adoptions)
    if (source !== null && settled.bytes !== null) sources.set(source, settled.bytes)
  }
  return { adoptions, sources }
}

/** Those of one source together: where two of them disagree about a field, neither is applied. */
function combineAttempts(
  all: readonly AdoptionAttempt[],
  isAccepted: (capability: string) => boolean,
): { readonly adoptions: readonly Adoption[]; readonly bytes: Uint8Array | null } {
  const problems = all.map((one) => problemWith(one, all, isAccepted))
  const chosen = all.filter((_one, index) => problems[index] === null)
  const merged = merge(chosen)
  const adoptions = all.map(({ edit, result }, index): Adoption => {
    const { path, entry } = edit
    const changes = 'why' in result ? [] : [...new Set(result.adopted.changes.map(changeName))]
    const widened = 'why' in result ? [] : result.adopted.widened
    const problem = problems[index] ?? (merged === null ? 'several outputs change the same place' : null)
    return { path, source: entry.source, target: entry.to, changes, widened, problem }
  })
  return { adoptions, bytes: merged }
}

function problemWith(
  one: AdoptionAttempt,
  all: readonly AdoptionAttempt[],
  isAccepted: (capability: string) => boolean,
): string | null {
  if ('why' in one.result) return one.result.why
  const { changes, widened } = one.result.adopted
  for (const { edit, result } of all) {
    if (edit === one.edit || 'why' in result) continue
    const other = changes.find((change) => result.adopted.changes.some((another) => contradicts(change, another)))
    if (other !== undefined) return `${edit.path} changes ${changeName(other)} differently`
  }
  const gained = widened.filter((capability) => !isAccepted(capability))
  if (gained.length === 0) return null
  return `the agent could do more: ${gained.join(', ')} (accept it with --allow-widening=${gained.join(',')})`
}

/** The source with all the changes; null: they cannot be made together. */
function merge(chosen: readonly AdoptionAttempt[]): Uint8Array | null {
  const seen: DefinitionChange[] = []
  const edits = chosen.flatMap(({ result }) =>
    'why' in result
      ? []
      : result.adopted.changes.flatMap((change, place) => {
          if (seen.some((one) => isSameChange(one, change))) return []
          seen.push(change)
          return result.adopted.edits[place] ?? []
        }),
  )
  const [first] = chosen
  if (first === undefined || 'why' in first.result) return null
  const { original, returns } = first.result
  try {
    const text = applyEdits(original.text, edits)
    return encode(returns ? text.replaceAll('\n', '\r\n') : text, original.encoding ?? 'utf-8')
  } catch {
    return null
  }
}

/** Applies hand edits to their sources, as the first part of the run that rebuilds everything from them. */
export function adoptHandEdits(
  request: ConversionRequest,
  run: Run,
  choose: (path: string) => HandEditChoice,
  isAccepted: (capability: string) => boolean,
): readonly Adoption[] {
  const wanted = findHandEdits(request, run.owned).filter(({ path }) => choose(path) === 'adopt')
  if (wanted.length === 0) return []
  const { adoptions, sources } = planAdoptions(request, run.owned, wanted, isAccepted)
  const unwritable = new Set<string>()
  for (const [path, bytes] of sources) {
    if (run.plan(path, bytes) !== 'outside') run.edit(path, bytes)
    else unwritable.add(path)
    if (run.failed.has(path)) unwritable.add(path)
  }
  return adoptions.map((one) =>
    one.problem === null && one.source !== null && unwritable.has(one.source)
      ? { ...one, problem: 'its source cannot be written' }
      : one,
  )
}
