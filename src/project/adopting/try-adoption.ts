/** Tries to take one hand edit back into its source. */
import { join } from 'node:path'
import { type Adopted, adopt, convert, type ReadText } from '../../convert/adopting/adopt.ts'
import { withOriginal } from '../../convert/keep.ts'
import { parseSource, type Source } from '../../convert/parse.ts'
import { readAgents } from '../../harness/read.ts'
import { keptFor } from '../converting/originals.ts'
import { referencesOf } from '../converting/references.ts'
import { policyFor } from '../converting/refusal.ts'
import type { ConversionRequest } from '../converting/request.ts'
import type { Enlisted, Roster } from '../converting/roster.ts'
import { skillFinder } from '../converting/skills.ts'
import type { Candidate } from '../discover.ts'
import { readHashedFile, type TextFile } from '../files.ts'
import { contentHash } from '../hash.ts'
import type { Lock } from '../lock.ts'
import { projectFolders, showPath } from '../roots.ts'
import type { HandEdit } from './hand-edits.ts'

export interface Tried {
  readonly edit: HandEdit
  readonly result: TriedResult
}

type TriedResult =
  | { readonly why: string }
  | {
      readonly adopted: Adopted
      readonly original: Source
      /** Its lines end with a carriage return too, which were left out here. */
      readonly returns: boolean
    }

interface Batch {
  readonly request: ConversionRequest
  readonly owned: Lock
  readonly roster: Roster
}

export function tryAdoption({ request, owned, roster }: Batch, enlisted: Enlisted | undefined, edit: HandEdit): Tried {
  const { entry, place, path, file } = edit
  const failed = (why: string): Tried => ({ edit, result: { why } })
  if (enlisted === undefined || entry.source === null) return failed('its source is no longer there')
  const isInParts = request.targets.some(
    ({ harness, carrier }) => harness.id === entry.to && carrier.prompt.in === 'beside',
  )
  if (isInParts) return failed('its agent stands in several files')
  const target = request.targets.find(({ carrier }) => carrier === place?.carrier)
  if (place === null || target === undefined) return failed('nobody can say which dialect it is')
  const { candidate } = enlisted
  const read = readHashedFile(candidate.path, enlisted.path)
  if ('problem' in read) return failed('its source cannot be read')
  if (read.file.findings.length > 0) return failed('its source holds bytes that are no text')
  if (read.hash !== entry.sourceHash) return failed('its source was changed too since it was built')
  const project = projectFolders(request.here)[0] ?? request.here
  const readOriginal = reader(request, candidate, enlisted.path, read.file, project)
  const output: Candidate = { ...place, path: join(request.out, path), scope: 'project' }
  const readEdited = reader(request, output, path, file, project)
  const original = readOriginal(withoutReturns(read.file.text))
  const edited = readEdited(file.text.replaceAll('\r\n', '\n'))
  if (original === null || edited === null) return failed('there is no agent in it')
  const show = showPath(request.here)
  const naming = roster.naming.get(target)
  const options = {
    target,
    name: naming?.nameOf(candidate, original.agent.name) ?? original.agent.name,
    renamed: naming?.renamedFor(candidate.plugin?.name) ?? new Map<string, string>(),
    policy: policyFor(request, target.harness),
    models: request.models(target.harness),
    keepAsking: request.keepAsking,
    findSkill: skillFinder(candidate, target.harness, project, show),
    ...keptFor(request.registry, request.out, owned.get(entry.source)),
  }
  const made = convert(original, options)
  // The lock knows what was made then; what is made today says more, as long as it is the same.
  const isSame = made.output.kind === 'file' && contentHash(Buffer.from(made.output.text)) === entry.hash
  const back = {
    findSkill: skillFinder(output, candidate.harness, project, show),
    ...(isSame
      ? { kept: withOriginal(made.kept, original), original: original.text }
      : keptFor(request.registry, request.out, entry)),
  }
  const result = adopt({ original, readOriginal, edited, readEdited, forth: options, made, back })
  return { edit, result: 'why' in result ? result : { ...result, original, returns: original.text !== read.file.text } }
}

/** Line ends are no difference: where all are of one kind, they are put back in the end. */
function withoutReturns(text: string): string {
  return /(?<!\r)\n/.test(text) ? text : text.replaceAll('\r\n', '\n')
}

/** Reads texts as if they stood in the place of a file. */
function reader(
  { registry }: ConversionRequest,
  { harness, carrier, path, relativePath }: Candidate,
  shown: string,
  { encoding }: TextFile,
  project: string,
): ReadText {
  const surroundings = referencesOf(path, project)
  return (text) => {
    const { agents, document } = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
    const [agent] = agents
    if (agent === undefined || agent.isBeyondLimit) return null
    return parseSource({ registry, harness, carrier, path: shown, text, encoding, document }, agent)
  }
}
