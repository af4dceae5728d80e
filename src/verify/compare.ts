/** Compares what a harness did with its agents with the prediction. */
import { createHash } from 'node:crypto'
import { predictWireModel, predictWireParameters, predictWireTools } from '../harness/effective/predict-request.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type ReportedFact, reportedFacts } from '../harness/schema/oracle.ts'
import type { Agent, Json } from '../model/agent.ts'
import { FAILS_IN_USE, type VerifiedAgent, type VerifiedFact } from '../model/verification.ts'
import type { FoundAgent } from '../workbench/inventory.ts'
import { type AgentCase, isLoadedByHarness, type MergedDefinitions, rulesLine } from './cases.ts'
import { valuesAt } from './extract.ts'
import type { LoadedAgents } from './run-agents.ts'
import type { SafeCopies } from './safe-copies.ts'
import type { WireRequest } from './stub/wire.ts'
import type { ObservedTurn } from './turns.ts'

export interface CompareOptions {
  readonly harness: Harness
  /** Those that the report is about. */
  readonly isWanted: (agent: FoundAgent) => boolean
  /** The prompts themselves instead of their sizes and hashes. */
  readonly includePrompts: boolean
}

export function compareAgents(
  { harness, includePrompts, isWanted }: CompareOptions,
  parts: readonly AgentCase[],
  { loaded, refused }: LoadedAgents,
  turns: readonly ObservedTurn[],
  merged: MergedDefinitions | null,
): VerifiedAgent[] {
  const builtIn = harness.oracle?.load.builtIn ?? []
  const calling = harness.oracle?.child?.caller
  const known = parts
    .filter(({ found }) => isWanted(found))
    .map((part): VerifiedAgent => {
      const { agent, predicted, found, takenOut } = part
      const isLoaded = isLoadedByHarness(harness, part, loaded)
      const checks: VerifiedFact[] = [compareLoading(part, isLoaded, refused)]
      const reported = loaded.reported.get(agent.name)
      if (isLoaded && reported !== undefined && !predicted.raw)
        checks.push(...compareLoaded(harness, agent, reported, merged?.rules(agent.name) ?? null))
      for (const turn of turns.filter(({ name }) => name === agent.name)) {
        const caller = turn.as === 'main' ? undefined : parts.find((one) => one.agent.name === calling)?.agent
        checks.push(...compareTurn(harness, agent, turn, { includePrompts, fails: predicted.fails[turn.as], caller }))
      }
      const problems = isLoaded ? [] : problemsAbout(loaded.problems, found)
      const without = takenOut.length === 0 ? [] : [`run without ${takenOut.join(', ')}, which would start programs`]
      if (part.isTaken) without.push(`${harness.title} has a built-in agent with that name`)
      return {
        name: agent.name,
        path: found.path,
        loaded: isLoaded,
        unexpected: false,
        problems,
        notes: without,
        checks,
      }
    })
  const names = new Set(parts.map(({ agent }) => agent.name))
  const strangers = loaded.names
    .filter((name) => !names.has(name) && !builtIn.includes(name))
    .map((name): VerifiedAgent => {
      const problems = ['The harness loaded it, but Troupe does not know this agent.']
      return { name, path: null, loaded: true, unexpected: true, problems, notes: [], checks: [] }
    })
  return [...known, ...strangers]
}

/** Those that were withheld from the harness. */
export function notRunAgents(agents: readonly FoundAgent[], { leftOut }: SafeCopies): VerifiedAgent[] {
  const problems = ['Not run: it could start programs, and its file is too broken to remove that.']
  return agents
    .filter(({ file }) => leftOut.includes(file))
    .map(({ agent: { name }, path }) => ({
      name,
      path,
      loaded: false,
      unexpected: false,
      problems,
      notes: [],
      checks: [],
    }))
}

function compareLoading({ predicted }: AgentCase, isLoaded: boolean, refused: boolean): VerifiedFact {
  const words = (there: boolean, no: boolean) => (there ? 'loaded' : no ? 'the harness does not start' : 'not loaded')
  const expected = words(predicted.loaded, predicted.refused)
  const observed = words(isLoaded, refused && predicted.refused)
  return { what: 'loaded', as: null, predicted: expected, observed, ok: expected === observed }
}

/** What the harness reported about this file. */
function problemsAbout(problems: readonly string[], { path, agent }: FoundAgent): string[] {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return problems.filter(
    (one) => one.includes(file) || one.includes(`'${agent.name}'`) || one.includes(`"${agent.name}"`),
  )
}

/** What the loader reports about an agent, compared with its definition. */
const NOTHING = 'none'

/** `rules`: all that apply to it, where the harness reports them and they can be predicted. */
function compareLoaded(
  harness: Harness,
  agent: Agent,
  reported: Readonly<Partial<Record<ReportedFact, string>>>,
  rules: string | null,
): VerifiedFact[] {
  const tells = factsOf(harness).filter((what) => what !== 'permissions' || rules !== null)
  return tells.map((what) => {
    const predicted = (what === 'permissions' ? rules : predictedFact(harness, agent, what)) ?? NOTHING
    const observed = (what === 'permissions' ? reportedRules(reported[what]) : reported[what]?.trim()) ?? NOTHING
    return { what, as: null, predicted, observed, ok: predicted === observed }
  })
}

/** The facts that the harness reports about an agent when it has them. */
function factsOf({ oracle }: Harness): ReportedFact[] {
  const { facts = {}, pattern = '' } = oracle?.load.reported ?? {}
  return reportedFacts.filter((fact) => fact in facts || pattern.includes(`(?<${fact}>`))
}

function reportedRules(text: string | undefined): string | undefined {
  return text === undefined ? undefined : rulesLine(JSON.parse(text))
}

type OwnFact = Exclude<ReportedFact, 'permissions'>

function predictedFact({ fields, models }: Harness, { fields: own }: Agent, what: OwnFact): string | undefined {
  const value = own[what]?.value
  switch (what) {
    case 'description': {
      const text = typeof value === 'string' ? value.trim() : ''
      return (fields.description?.unescapes === true ? text.replaceAll('\\n', '\n') : text) || undefined
    }
    case 'mode':
      return String(value ?? fields.mode?.default ?? '') || undefined
    case 'model': {
      const [first] = typeof value === 'string' ? [value] : ((value as readonly string[] | undefined) ?? [])
      return first === models.inherit || first === fields.model?.omit ? undefined : first
    }
    case 'temperature':
      return value === undefined ? undefined : String(value)
  }
}

/** What reached the model when a harness ran as an agent, compared with the prediction. */
interface TurnOptions {
  /** The prompt itself instead of its size and hash. */
  readonly includePrompts: boolean
  /** The harness is expected to fail on it. */
  readonly fails: boolean
  /** The agent that calls it, where that one is defined here too. */
  readonly caller: Agent | undefined
}

function compareTurn(
  harness: Harness,
  agent: Agent,
  { as, request, trouble }: ObservedTurn,
  { includePrompts, fails, caller }: TurnOptions,
): VerifiedFact[] {
  const thing = (what: VerifiedFact['what'], predicted: string, observed: string): VerifiedFact => ({
    what,
    as,
    predicted,
    observed,
    ok: predicted === observed,
  })
  // A list of only tools of servers that are not here.
  const isBare = (agent.tools?.length ?? 0) > 0 && predictWireTools(harness, agent, as, caller).length === 0
  if (fails || (isBare && harness.access.noKnownTool[as] === 'fails-when-used')) {
    return [thing('tools', FAILS_IN_USE, request === null ? FAILS_IN_USE : listNames([...request.tools].sort()))]
  }
  const tools = predictWireTools(harness, agent, as, caller)
  if (request === null) return [thing('tools', listNames(tools), `no request: ${trouble ?? 'no output'}`)]
  return [
    ...comparePrompt(harness, agent, as, request, includePrompts),
    thing('tools', listNames(tools), listNames([...request.tools].sort())),
    thing('model', predictWireModel(harness, agent, as, caller), request.model),
    ...predictWireParameters(harness, agent, as).map(({ concept, at, value }) =>
      thing(concept, shownValue(value), shownValue(valuesAt(request.parameters, at.split('.'))[0])),
    ),
  ]
}

/** The whole prompt, byte for byte, and whether the harness's own text precedes it. */
function comparePrompt(
  harness: Harness,
  agent: Agent,
  as: ObservedTurn['as'],
  request: WireRequest,
  includePrompts: boolean,
): VerifiedFact[] {
  const own = agent.prompt.text.trim()
  const text = harness.oracle?.wire.lineEnds === 'lf' ? own.replaceAll('\r\n', '\n') : own
  if (text === '') return []
  const reported = (words: string) => (includePrompts ? words : summaryOf(words))
  const effect = { replaces: 'replaces', wraps: 'replaces', adds: 'is added to' }[harness.prompt[as] ?? 'replaces']
  const predicted = `${reported(text)}; ${effect} the harness's own`
  const { found, isFirst, closest } = findPrompt(request.system, text)
  const observed = found
    ? `${reported(text)}; ${isFirst ? 'replaces' : 'is added to'} the harness's own`
    : `not in the request${closest === 0 ? '' : `: only its first ${closest} characters`}`
  return [{ what: 'prompt', as, predicted, observed, ok: predicted === observed }]
}

function summaryOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `${text.length} characters, SHA-256 ${hash}`
}

function listNames(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}

function shownValue(value: Json | undefined): string {
  return value === undefined ? 'not sent' : typeof value === 'string' ? value : JSON.stringify(value)
}

/** Finds an agent's own prompt within the request of its harness. */
interface PromptMatch {
  readonly found: boolean
  /** Little or no text of the harness precedes it: the agent's text is the prompt. */
  readonly isFirst: boolean
  /** How many of its first characters are there, if not all are. */
  readonly closest: number
}

/** A harness that keeps its own prompt puts more than this before the agent's. */
const PREAMBLE_LIMIT = 500

/** `system`: the parts of a system prompt, in order. */
export function findPrompt(system: readonly string[], text: string): PromptMatch {
  let before = 0
  for (const part of system) {
    const at = part.indexOf(text)
    if (at >= 0) return { found: true, isFirst: before + at <= PREAMBLE_LIMIT, closest: text.length }
    before += part.length
  }
  return { found: false, isFirst: false, closest: Math.max(0, ...system.map((part) => longestStart(part, text))) }
}

/** The length of the longest prefix of the text that the part contains. */
function longestStart(part: string, text: string): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (part.includes(text.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}
