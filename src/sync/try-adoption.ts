/** Tries to apply one hand edit to its source. */

import { join } from 'node:path'
import { type Adopted, adopt, type ReadText } from '../convert/adopt.ts'
import { createSource, type Source } from '../convert/agent/source.ts'
import { convertDefinition } from '../convert/convert.ts'
import { policyOf } from '../convert/gaps.ts'
import { withSecretsOf } from '../convert/restore/keep.ts'
import { contentHash } from '../disk/hash.ts'
import { projectFolders, showPath } from '../disk/roots.ts'
import { readAgents } from '../harness/read/agents.ts'
import { readHashedFile, type TextFile } from '../project/read-text.ts'
import { pathFinder, projectReferences, skillFinder } from '../project/references.ts'
import type { Candidate } from '../workbench/file.ts'
import type { LockFile } from '../workbench/lock-file.ts'
import { decisionsFor } from '../workbench/refusal.ts'
import { keptFor } from './convert/original.ts'
import type { ConversionRequest } from './convert/request.ts'
import type { ConversionSources, ListedSource } from './convert/sources.ts'
import type { HandEdit } from './drift.ts'

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
