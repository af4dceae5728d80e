/** The agents of a project as they go on the stage, each with what is predicted of it. */
import { relative } from 'node:path'
import type { Registry } from '../harness/registry.ts'
import { harnessSees } from '../harness/repairs.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { fileOf, type LoadedFile } from '../project/load-file.ts'
import { type LoadingPrediction, predictLoading } from '../project/predict-loading.ts'
import type { Merged } from './as-merged.ts'
import type { Loaded } from './loader.ts'
import type { Rehearsal } from './rehearsal.ts'

export interface Part {
  readonly found: FoundAgent
  /** Its file, below the project's root. */
  readonly path: string
  /** As the copy defines it, and as the harness sees that where it mends broken text itself. */
  readonly agent: Agent
  readonly predicted: LoadingPrediction
  readonly takenOut: readonly string[]
  /** The harness calls an agent of its own by that name. */
  readonly isTaken: boolean
}

export function partsOf(
  registry: Registry,
  harness: Harness,
  root: string,
  agents: readonly FoundAgent[],
  { takenOut, leftOut }: Rehearsal,
): Part[] {
  const parts = agents.flatMap((found): Part[] => {
    if (leftOut.includes(found.file)) return []
    const changed = takenOut.find(({ file }) => file === found.file)
    // The prediction must be about the file that the harness is given.
    const file = changed === undefined ? found.file : withText(registry, found.file, changed.text)
    const { carrier } = file.candidate
    const agent = file.read.agents.find((one) => one.agent.name === found.agent.name)?.agent
    if (agent === undefined) return []
    return [
      {
        found,
        path: relative(root, file.candidate.path),
        agent: asSeen(registry, file, agent),
        predicted: predictLoading(registry, file, { models: !canBeAnyModel(agent, harness) }),
        takenOut: changed?.keys ?? [],
        isTaken: carrier.name.taken.includes(agent.fields.displayName?.value ?? agent.name),
      },
    ]
  })
  if (!parts.some(({ predicted }) => predicted.spoilsAll)) return parts
  return parts.map((part) => ({ ...part, predicted: { ...part.predicted, fails: { main: true, child: true } } }))
}

/** The stub is whatever model it is called, unless the harness looks at the name before it asks. */
function canBeAnyModel({ fields }: Agent, { oracle }: Harness): boolean {
  const pattern = oracle?.providers?.pattern
  const value = fields.model?.value
  return pattern === undefined || typeof value !== 'string' || new RegExp(pattern, 'u').test(value)
}

/** What it may do was read as it is held already. */
function asSeen(registry: Registry, file: LoadedFile, agent: Agent): Agent {
  const text = harnessSees(file.candidate.harness, file.read.document)
  const seen = text === null ? undefined : withText(registry, file, text).read.agents[0]?.agent
  return seen === undefined ? agent : { ...seen, access: agent.access }
}

function withText(registry: Registry, { candidate, path, source }: LoadedFile, text: string): LoadedFile {
  return fileOf(registry, candidate, path, { ...source, text })
}

/** What other layers make of it counts, up to whether it is there at all. */
export function asMerged(part: Part, { agent }: Merged): Part {
  const { predicted } = part
  const final = agent(part.agent)
  return final === null ? { ...part, predicted: { ...predicted, loaded: false } } : { ...part, agent: final }
}

/** The name of an agent of the harness's own is always there, so that what is told of it must tell whose it is. */
export function isThere({ oracle }: Harness, { agent, predicted }: Part, { names, told }: Loaded): boolean {
  if (predicted.refused) return false
  const isBuiltIn = oracle?.load.builtIn.includes(agent.name) === true
  if (!isBuiltIn) return names.includes(agent.name)
  const description = agent.fields.description?.value
  return (
    predicted.loaded || (description !== undefined && told.get(agent.name)?.description?.trim() === description.trim())
  )
}
