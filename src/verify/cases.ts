/** The agents of a project to verify, each with its prediction. */

import { relative } from 'node:path'
import { repairedText } from '../harness/read/repairs.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent, Fields, Sourced } from '../model/agent.ts'
import type { EffectiveAgent } from '../model/effective.ts'
import { effectiveAgents } from '../project/effective/effective.ts'
import { type LoadedFile, readFileText } from '../workbench/file.ts'
import type { FoundAgent } from '../workbench/inventory.ts'
import { type LoadingPrediction, predictLoading } from '../workbench/predict-loading.ts'
import { type IsolatedProject, isolatedEnvironment } from './isolate.ts'
import type { LoaderReport } from './loader.ts'
import type { SafeCopies } from './safe-copies.ts'

/** The agents of a place after a harness has merged its layers: predictions must be about the merged agent. */
export interface MergedDefinitions {
  /** The definition with everything other layers add to it; null where the harness ends up without the agent. */
  readonly agent: (own: Agent) => Agent | null
  /** Its rules in order, in the harness's own terms. */
  readonly rules: (name: string) => string | null
}

/** Null for a harness in which one definition hides another entirely. */
export function mergedDefinitions(
  registry: Registry,
  harness: Harness,
  place: IsolatedProject,
): MergedDefinitions | null {
  if (harness.effective === undefined) return null
  const environment = isolatedEnvironment(place)
  const { agents } = effectiveAgents({ registry, harness, here: place.cwd, home: place.home, environment })
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  return {
    agent: (own) => {
      const found = byName.get(own.name)
      return found === undefined ? null : withMergedFields(own, found)
    },
    rules: (name) => {
      const rules = byName.get(name)?.rules
      return rules === null || rules === undefined ? null : rulesLine(rules)
    },
  }
}

function withMergedFields(own: Agent, { fields, prompt, access }: EffectiveAgent): Agent {
  const merged = Object.entries(fields).map(([concept, { key, value }]) => [concept, { value, key, range: null }])
  const known: Record<string, Sourced<unknown>> = Object.fromEntries(merged)
  const text = typeof prompt.value === 'string' ? prompt.value : own.prompt.text
  return {
    ...own,
    fields: known as Fields,
    prompt: { ...own.prompt, text },
    access: access ?? own.access,
  }
}

/** One line for people and for comparison: `bash git * allow; ...`. */
export function rulesLine(
  rules: readonly { readonly permission: string; readonly pattern: string; readonly action: string }[],
): string {
  return rules.map(({ permission, pattern, action }) => `${permission} ${pattern} ${action}`).join('; ')
}

export interface AgentCase {
  readonly found: FoundAgent
  /** Its file, below the project's root. */
  readonly path: string
  /** As the copy defines it, and as the harness sees that where it repairs broken text itself. */
  readonly agent: Agent
  readonly predicted: LoadingPrediction
  readonly takenOut: readonly string[]
  /** The harness has a built-in agent of that name. */
  readonly isTaken: boolean
}

export function agentCases(
  registry: Registry,
  harness: Harness,
  root: string,
  agents: readonly FoundAgent[],
  { takenOut, leftOut }: SafeCopies,
): AgentCase[] {
  const parts = agents.flatMap((found): AgentCase[] => {
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
        agent: asHarnessSees(registry, file, agent),
        predicted: predictLoading(registry, file, { models: !canBeAnyModel(agent, harness) }),
        takenOut: changed?.keys ?? [],
        isTaken: carrier.name.taken.includes(agent.fields.displayName?.value ?? agent.name),
      },
    ]
  })
  if (!parts.some(({ predicted }) => predicted.failsForAll)) return parts
  return parts.map((part) => ({ ...part, predicted: { ...part.predicted, fails: { main: true, child: true } } }))
}

/** The stub accepts any model name, unless the harness checks the name before it sends a request. */
function canBeAnyModel({ fields }: Agent, { oracle }: Harness): boolean {
  const pattern = oracle?.providers?.pattern
  const value = fields.model?.value
  return pattern === undefined || typeof value !== 'string' || new RegExp(pattern, 'u').test(value)
}

/** Access was already read as the harness enforces it. */
function asHarnessSees(registry: Registry, file: LoadedFile, agent: Agent): Agent {
  const text = repairedText(file.candidate.harness, file.read.document)
  const seen = text === null ? undefined : withText(registry, file, text).read.agents[0]?.agent
  return seen === undefined ? agent : { ...seen, access: agent.access }
}

function withText(registry: Registry, { candidate, path, source, surroundings }: LoadedFile, text: string): LoadedFile {
  return readFileText(registry, candidate, path, { ...source, text }, surroundings)
}

/** What other layers add counts, including whether it exists at all. */
export function withMergedLayers(part: AgentCase, { agent }: MergedDefinitions): AgentCase {
  const { predicted } = part
  const final = agent(part.agent)
  return final === null ? { ...part, predicted: { ...predicted, loaded: false } } : { ...part, agent: final }
}

/** The name of a built-in agent is always listed, so the report must show whose it is. */
export function isLoadedByHarness(
  { oracle }: Harness,
  { agent, predicted }: AgentCase,
  { names, reported }: LoaderReport,
): boolean {
  if (predicted.refused) return false
  const isBuiltIn = oracle?.load.builtIn.includes(agent.name) === true
  if (!isBuiltIn) return names.includes(agent.name)
  const description = agent.fields.description?.value
  return (
    predicted.loaded ||
    (description !== undefined && reported.get(agent.name)?.description?.trim() === description.trim())
  )
}
