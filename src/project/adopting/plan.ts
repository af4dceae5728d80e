/** Which hand edits can go back into which sources, and what the sources would say then. */
import { type Change, changeName, contradicts, isEqual } from '../../convert/adopting/changes.ts'
import type { Adoption } from '../../model/adoption.ts'
import { encode } from '../../text/decode.ts'
import { applyEdits } from '../../text/edit.ts'
import { recallNothing } from '../converting/recall.ts'
import type { ConversionRequest } from '../converting/request.ts'
import { enlist } from '../converting/roster.ts'
import { readHead } from '../files.ts'
import type { Lock } from '../lock.ts'
import { showPath } from '../roots.ts'
import type { HandEdit } from './hand-edits.ts'
import { type Tried, tryAdoption } from './try-adoption.ts'

export interface AdoptionPlan {
  readonly adoptions: readonly Adoption[]
  /** By path below the root: what the source would be. */
  readonly sources: ReadonlyMap<string, Uint8Array>
}

/** `isAccepted`: whether an agent may gain this. */
export function planAdoptions(
  request: ConversionRequest,
  owned: Lock,
  edits: readonly HandEdit[],
  isAccepted: (capability: string) => boolean,
): AdoptionPlan {
  const roster = enlist(request, owned, recallNothing, readHead)
  const below = showPath(request.out)
  const files = new Map(roster.files.map((file) => [below(file.candidate.path), file]))
  const adoptions: Adoption[] = []
  const sources = new Map<string, Uint8Array>()
  for (const source of new Set(edits.map(({ entry }) => entry.source))) {
    const file = source === null ? undefined : files.get(source)
    const some = edits.filter(({ entry }) => entry.source === source)
    const all = some.map((edit) => tryAdoption({ request, owned, roster }, file, edit))
    const settled = settle(all, isAccepted)
    adoptions.push(...settled.adoptions)
    if (source !== null && settled.bytes !== null) sources.set(source, settled.bytes)
  }
  return { adoptions, sources }
}

/** Those of one source together: where two of them want different things of one field, neither goes back. */
function settle(
  all: readonly Tried[],
  isAccepted: (capability: string) => boolean,
): { readonly adoptions: readonly Adoption[]; readonly bytes: Uint8Array | null } {
  const problems = all.map((one) => problemWith(one, all, isAccepted))
  const chosen = all.filter((_one, index) => problems[index] === null)
  const merged = merge(chosen)
  const adoptions = all.map(({ edit, result }, index): Adoption => {
    const { path, entry } = edit
    const changes = 'why' in result ? [] : [...new Set(result.adopted.changes.map(changeName))]
    const widened = 'why' in result ? [] : result.adopted.widened
    const problem = problems[index] ?? (merged === null ? 'the changes of several outputs meet in one place' : null)
    return { path, source: entry.source, target: entry.to, changes, widened, problem }
  })
  return { adoptions, bytes: merged }
}

function problemWith(one: Tried, all: readonly Tried[], isAccepted: (capability: string) => boolean): string | null {
  if ('why' in one.result) return one.result.why
  const { changes, widened } = one.result.adopted
  for (const { edit, result } of all) {
    if (edit === one.edit || 'why' in result) continue
    const other = changes.find((change) => result.adopted.changes.some((another) => contradicts(change, another)))
    if (other !== undefined) return `${edit.path} says something else of ${changeName(other)}`
  }
  const gained = widened.filter((capability) => !isAccepted(capability))
  if (gained.length === 0) return null
  return `the agent could do more then: ${gained.join(', ')} (--allow-widening=${gained.join(',')} accepts it)`
}

/** The source with all the changes; null: they cannot be made together. */
function merge(chosen: readonly Tried[]): Uint8Array | null {
  const seen: Change[] = []
  const edits = chosen.flatMap(({ result }) =>
    'why' in result
      ? []
      : result.adopted.changes.flatMap((change, place) => {
          if (seen.some((one) => isEqual(one, change))) return []
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
