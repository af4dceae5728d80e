/** What reached the model when a harness was an agent, beside what was predicted. */
import { createHash } from 'node:crypto'
import type { Harness } from '../harness/schema/harness.ts'
import { predictWireModel, predictWireParameters } from '../harness/wire-request.ts'
import { predictWireTools } from '../harness/wire-tools.ts'
import type { Agent, Json } from '../model/agent.ts'
import { FAILS, type VerifiedThing } from '../model/verification.ts'
import { follow } from './extract.ts'
import { findPrompt } from './find-prompt.ts'
import type { WireRequest } from './stub/wire.ts'
import type { Turn } from './turns.ts'

export interface TurnOptions {
  /** The prompt itself instead of its size and hash. */
  readonly includePrompts: boolean
  /** The harness is expected to fail on it. */
  readonly fails: boolean
  /** The agent that calls it, where that one is defined here too. */
  readonly caller: Agent | undefined
}

export function compareTurn(
  harness: Harness,
  agent: Agent,
  { as, request, trouble }: Turn,
  { includePrompts, fails, caller }: TurnOptions,
): VerifiedThing[] {
  const thing = (what: VerifiedThing['what'], predicted: string, observed: string): VerifiedThing => ({
    what,
    as,
    predicted,
    observed,
    ok: predicted === observed,
  })
  // A list of nothing but tools of servers that are not here.
  const isBare = (agent.tools?.length ?? 0) > 0 && predictWireTools(harness, agent, as, caller).length === 0
  if (fails || (isBare && harness.access.noKnownTool[as] === 'fails-when-used')) {
    return [thing('tools', FAILS, request === null ? FAILS : listed([...request.tools].sort()))]
  }
  const tools = predictWireTools(harness, agent, as, caller)
  if (request === null) return [thing('tools', listed(tools), `no request: ${trouble ?? 'nothing was said'}`)]
  return [
    ...comparePrompt(harness, agent, as, request, includePrompts),
    thing('tools', listed(tools), listed([...request.tools].sort())),
    thing('model', predictWireModel(harness, agent, as, caller), request.model),
    ...predictWireParameters(harness, agent, as).map(({ concept, at, value }) =>
      thing(concept, shown(value), shown(follow(request.parameters, at.split('.'))[0])),
    ),
  ]
}

/** The whole prompt, byte for byte, and whether the harness's own words stand before it. */
function comparePrompt(
  harness: Harness,
  agent: Agent,
  as: Turn['as'],
  request: WireRequest,
  includePrompts: boolean,
): VerifiedThing[] {
  const own = agent.prompt.text.trim()
  const text = harness.oracle?.wire.lineEnds === 'lf' ? own.replaceAll('\r\n', '\n') : own
  if (text === '') return []
  const told = (words: string) => (includePrompts ? words : summaryOf(words))
  const effect = { replaces: 'replaces', wraps: 'replaces', adds: 'is added to' }[harness.prompt[as] ?? 'replaces']
  const predicted = `${told(text)}; ${effect} the harness's own`
  const { found, isFirst, closest } = findPrompt(request.system, text)
  const observed = found
    ? `${told(text)}; ${isFirst ? 'replaces' : 'is added to'} the harness's own`
    : `not in the request${closest === 0 ? '' : `: only its first ${closest} characters`}`
  return [{ what: 'prompt', as, predicted, observed, ok: predicted === observed }]
}

function summaryOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `${text.length} characters, SHA-256 ${hash}`
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ')
}

function shown(value: Json | undefined): string {
  return value === undefined ? 'not sent' : typeof value === 'string' ? value : JSON.stringify(value)
}
