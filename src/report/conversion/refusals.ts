/** Why agents did not arrive, gathered by reason, with what they would gain and what to do. */
import type { Conversion } from '../../model/conversion.ts'
import { catalogue, type Diagnostic, type DiagnosticCode } from '../../model/findings.ts'

/** Why one agent did not arrive. */
export interface RefusedAgent {
  readonly status: 'refused' | 'failed'
  readonly code: DiagnosticCode
  /** The sentence about this agent. */
  readonly message: string
  /** The part of it that is true of others as well. */
  readonly reason: string
  /** What the agent would gain. */
  readonly capabilities: readonly string[]
  readonly hint: string | null
}

/** Null: it arrived. */
export function refusalOf({ status, diagnostics, access }: Conversion): RefusedAgent | null {
  if (status !== 'refused' && status !== 'failed') return null
  const cause = causeOf(status, diagnostics)
  const code = cause?.code ?? (status === 'refused' ? 'wider-access' : 'not-written')
  const { meaning } = catalogue[code]
  const hint = cause?.hint ?? hintOf(code)
  const capabilities = code === 'wider-access' ? [...new Set(access.widened.map((one) => one.capability))] : []
  const why = code === 'wider-access' ? access.widened.find((one) => one.why !== undefined)?.why : undefined
  return { status, code, message: cause?.message ?? meaning, reason: why ?? meaning, capabilities, hint }
}

/** In a few words, for a line that has little room. */
export function refusalWords({
  code,
  message,
  capabilities,
}: Pick<RefusedAgent, 'code' | 'message' | 'capabilities'>): string {
  if (code === 'wider-access') return `would gain ${capabilities.join(', ')}`
  if (code === 'dead-grants') return 'none of its tools exists'
  if (code === 'no-prompt') return 'has no prompt'
  if (code === 'remote-agent') return 'is another program'
  return code === 'same-output' ? 'not the only one for its file' : message
}

const causes: Readonly<Record<RefusedAgent['status'], readonly DiagnosticCode[]>> = {
  refused: ['wider-access', 'dead-grants', 'no-prompt', 'remote-agent', 'nothing-left', 'not-read-back'],
  failed: ['same-output', 'not-written', 'not-converted', 'config-not-edited'],
}

/** The last error, where none of the usual ones is there. */
function causeOf(status: RefusedAgent['status'], diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  const usual = diagnostics.findLast(({ code }) => causes[status].includes(code))
  return usual ?? diagnostics.findLast(({ severity }) => severity === 'error')
}

function hintOf(code: DiagnosticCode): string | null {
  const entry: { readonly meaning: string; readonly hint?: string } = catalogue[code]
  return entry.hint ?? null
}

/** Agents that did not arrive for one reason. */
export interface RefusalGroup {
  readonly status: RefusedAgent['status']
  readonly reason: string
  readonly hint: string | null
  readonly agents: number
  /** The sentences about single agents, where they are few. */
  readonly messages: readonly string[]
  /** What they would gain, each combination with some of its agents. */
  readonly gains: readonly RefusedGain[]
}

export interface RefusedGain {
  readonly capabilities: readonly string[]
  readonly agents: number
  /** The first few. */
  readonly names: readonly string[]
}

/** How many names are kept for each combination: a list of thousands helps nobody. */
const NAMES_KEPT = 20
/** More sentences than this are no longer few. */
const MESSAGES_KEPT = 3

/** Gathers one refusal after the other. */
export function createRefusals(): { add(name: string, refusal: RefusedAgent): void; groups(): RefusalGroup[] } {
  const groups = new Map<string, MutableGroup>()
  return {
    add: (name, refusal) => {
      const key = `${refusal.code}\n${refusal.reason}`
      const group = groups.get(key) ?? { first: refusal, agents: 0, messages: new Set(), gains: new Map() }
      groups.set(key, group)
      group.agents++
      if (group.messages.size <= MESSAGES_KEPT) group.messages.add(refusal.message)
      const combination = refusal.capabilities.join(',')
      const gain = group.gains.get(combination) ?? { capabilities: refusal.capabilities, agents: 0, names: [] }
      group.gains.set(combination, gain)
      gain.agents++
      if (gain.names.length < NAMES_KEPT && !gain.names.includes(name)) gain.names.push(name)
    },
    groups: () =>
      [...groups.values()]
        .map(({ first, agents, messages, gains }): RefusalGroup => {
          const all = [...gains.values()].sort((a, b) => b.agents - a.agents)
          const { status, reason, hint } = first
          const few = messages.size > MESSAGES_KEPT ? [] : [...messages]
          return { status, reason, hint: jointHint(hint, all), agents, messages: few, gains: all }
        })
        .sort((a, b) => b.agents - a.agents),
  }
}

interface MutableGroup {
  readonly first: RefusedAgent
  agents: number
  readonly messages: Set<string>
  readonly gains: Map<string, MutableGain>
}

interface MutableGain {
  readonly capabilities: readonly string[]
  agents: number
  readonly names: string[]
}

/** The hint names what one agent would gain; the hint for a group names what any of them would. */
function jointHint(hint: string | null, gains: readonly RefusedGain[]): string | null {
  const all = [...new Set(gains.flatMap(({ capabilities }) => capabilities))]
  if (hint === null || all.length === 0) return hint
  return hint.replace(/--allow-widening=\S+?(?=[.,]?(?:\s|$))/, () => `--allow-widening=${all.join(',')}`)
}

export function groupRefusals(conversions: readonly Conversion[]): RefusalGroup[] {
  const refusals = createRefusals()
  for (const conversion of conversions) {
    const refusal = refusalOf(conversion)
    if (refusal !== null) refusals.add(conversion.name, refusal)
  }
  return refusals.groups()
}
