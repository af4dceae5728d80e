/** What an agent may do before and after a change, call by call. */
import { type Access, type Action, decide, type Rule, strictness, widest } from '../model/access.ts'
import { capabilityProbes } from '../model/capabilities.ts'
import { unnamedArgument, witnessOf } from '../model/pattern.ts'
import { coversTool } from '../model/tools.ts'

export interface AccessChange {
  readonly capability: string
  /** Null: for any argument that no rule names. */
  readonly pattern: string | null
  readonly before: Action
  readonly after: Action
}

export interface AccessDelta {
  /** What was denied and no longer is, or was asked about and no longer is. */
  readonly widened: readonly AccessChange[]
  /** Offered before, done without a question now. */
  readonly unasked: readonly AccessChange[]
  readonly narrowed: readonly AccessChange[]
}

/** Tools that one switch of the target governs together, of the same power: to have one of them is to have them all. */
export type SharedSwitch = (tool: string) => readonly string[]

const alone: SharedSwitch = (tool) => [tool]

/** Asks both about every call that a rule of either can tell from the others. */
export function compareAccess(before: Access, after: Access, shared: SharedSwitch = alone): AccessDelta {
  const widened: AccessChange[] = []
  const unasked: AccessChange[] = []
  const narrowed: AccessChange[] = []
  const probes = new Map([...capabilityProbes(before), ...capabilityProbes(after)])
  const rules = [...before, ...after].flatMap((layer) => layer.rules).filter(({ pattern }) => pattern !== null)
  for (const [capability, tools] of probes) {
    for (const tool of tools) {
      for (const [argument, pattern] of witnessesOf(rules, shared(tool))) {
        const call = { tool, argument }
        const own = { capability, pattern, before: decide(before, call).action, after: decide(after, call).action }
        const group = shared(tool)
        const any =
          group.length < 2 ? own.before : widest(group.map((one) => decide(before, { tool: one, argument }).action))
        if (isWider({ ...own, before: any })) widened.push(own)
        else if (own.before === 'offer' && own.after === 'allow') unasked.push(own)
        else if (isNarrower(own)) narrowed.push(own)
      }
    }
  }
  return { widened, unasked, narrowed }
}

/** That a harness may now ask is not less than before, only less certain. */
function isNarrower({ before, after }: AccessChange): boolean {
  return after !== 'offer' && strictness(after) > strictness(before)
}

function isWider({ before, after }: Pick<AccessChange, 'before' | 'after'>): boolean {
  if (before === 'deny') return after !== 'deny'
  return before === 'ask' && after === 'allow'
}

/** An argument for every pattern that can decide about these tools, and one that no pattern names. */
function witnessesOf(rules: readonly Rule[], tools: readonly string[]): Map<string, string | null> {
  const witnesses = new Map<string, string | null>([[unnamedArgument, null]])
  for (const { pattern, syntax, tools: covered } of rules) {
    const speaks = tools.some((tool) => covered.some((one) => coversTool(one, tool)))
    if (pattern !== null && speaks) witnesses.set(witnessOf(syntax, pattern), pattern)
  }
  return witnesses
}
