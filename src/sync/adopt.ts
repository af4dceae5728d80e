/** Plans and performs adoption: which hand edits can be applied to which sources, and what the sources become. */

import { join } from 'node:path'
import { type Adopted, adopt, type ReadText } from '../convert/adopt.ts'
import { createSource, type Source } from '../convert/agent/source.ts'
import { changeName, contradicts, type DefinitionChange, isSameChange } from '../convert/changes.ts'
import { convertDefinition } from '../convert/convert.ts'
import { policyOf } from '../convert/gaps.ts'
import { withSecretsOf } from '../convert/restore/keep.ts'
import { contentHash } from '../disk/hash.ts'
import { projectFolders, showPath } from '../disk/roots.ts'
import { encode } from '../formats/decode.ts'
import { applyEdits } from '../formats/edit/edits.ts'
import { readAgents } from '../harness/read/agents.ts'
import type { Adoption, HandEditChoice } from '../model/drift.ts'
import { readHashedFile, readHead, type TextFile } from '../project/read-text.ts'
import { pathFinder, projectReferences, skillFinder } from '../project/references.ts'
import type { Candidate } from '../workbench/file.ts'
import type { LockFile } from '../workbench/lock-file.ts'
import { decisionsFor } from '../workbench/refusal.ts'
import { keptFor } from './convert/original.ts'
import type { ConversionRequest } from './convert/request.ts'
import { type ConversionSources, findSources, type ListedSource } from './convert/sources.ts'
import { nothingUnchanged } from './convert/unchanged-sources.ts'
import { findHandEdits, type HandEdit } from './drift.ts'
import type { Run } from './run/run.ts'

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

export interface AdoptionAttempt {
  readonly edit: HandEdit
  readonly result: AttemptResult
}

type AttemptResult =
  | { readonly why: string }
  | {
      readonly adopted: Adopted
      readonly original: Source
      /** Its lines end with a carriage return too, which is left out here. */
      readonly returns: boolean
    }

interface Batch {
  readonly request: ConversionRequest
  readonly owned: LockFile
  readonly roster: ConversionSources
}

export function tryAdoption(
  { request, owned, roster }: Batch,
  enlisted: ListedSource | undefined,
  edit: HandEdit,
): AdoptionAttempt {
  const { entry, place, path, file } = edit
  const failed = (why: string): AdoptionAttempt => ({ edit, result: { why } })
  if (enlisted === undefined || entry.source === null) return failed('its source no longer exists')
  const isInParts = request.targets.some(
    ({ harness, carrier }) => harness.id === entry.to && carrier.prompt.in === 'beside',
  )
  if (isInParts) return failed('its agent consists of several files')
  const target = request.targets.find(({ carrier }) => carrier === place?.carrier)
  if (place === null || target === undefined) return failed('its dialect is unclear')
  const { candidate } = enlisted
  const read = readHashedFile(candidate.path, enlisted.path)
  if ('problem' in read) return failed('its source cannot be read')
  if (read.file.findings.length > 0) return failed('its source is not plain text')
  if (read.hash !== entry.sourceHash) return failed('its source has also changed since the last build')
  const project = projectFolders(request.here)[0] ?? request.here
  const readOriginal = reader(request, candidate, enlisted.path, read.file, project)
  const output: Candidate = { ...place, path: join(request.out, path), scope: 'project' }
  const readEdited = reader(request, output, path, file, project)
  const original = readOriginal(withoutReturns(read.file.text))
  const edited = readEdited(file.text.replaceAll('\r\n', '\n'))
  if (original === null || edited === null) return failed('it contains no agent')
  const show = showPath(request.here)
  const naming = roster.naming.get(target)
  const options = {
    target,
    name: naming?.nameOf(candidate, original.agent.name) ?? original.agent.name,
    renamed: naming?.renamedFor(candidate.plugin?.name) ?? new Map<string, string>(),
    policy: policyOf(decisionsFor(request, target.harness)),
    models: request.models(target.harness),
    keepAsking: request.keepAsking,
    findSkill: skillFinder(candidate, target.harness, project, show),
    isThere: pathFinder(request.out),
    ...keptFor(request.registry, request.out, owned.get(entry.source)),
  }
  const made = convertDefinition(original, options)
  // The lock file knows what was written then; today's conversion knows more, as long as it is the same.
  const isSame = made.output.kind === 'file' && contentHash(Buffer.from(made.output.text)) === entry.hash
  const back = {
    findSkill: skillFinder(output, candidate.harness, project, show),
    ...(isSame
      ? { kept: withSecretsOf(made.kept, original), original: original.text }
      : keptFor(request.registry, request.out, entry)),
  }
  const result = adopt({ original, readOriginal, edited, readEdited, forth: options, made, back })
  return { edit, result: 'why' in result ? result : { ...result, original, returns: original.text !== read.file.text } }
}

/** Line ends are no difference: if all are of one kind, they are restored at the end. */
function withoutReturns(text: string): string {
  return /(?<!\r)\n/.test(text) ? text : text.replaceAll('\r\n', '\n')
}

/** Reads texts as if they were the content of a file. */
function reader(
  { registry }: ConversionRequest,
  { harness, carrier, path, relativePath }: Candidate,
  shown: string,
  { encoding }: TextFile,
  project: string,
): ReadText {
  const surroundings = projectReferences(path, project)
  return (text) => {
    const { agents, document } = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
    const [agent] = agents
    if (agent === undefined || agent.isBeyondLimit) return null
    return createSource({ registry, harness, carrier, path: shown, text, encoding, document }, agent)
  }
}
