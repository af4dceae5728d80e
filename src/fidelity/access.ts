/** What an agent may do before and after a change, call by call. */
import { type Access, type Action, decide, strictness } from '../model/access.ts'
import { capabilityProbes } from '../model/capabilities.ts'
import { unnamedArgument, witnessOf } from '../model/pattern.ts'

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

/** Asks both about every call that a rule of either can tell from the others. */
export function compareAccess(before: Access, after: Access): AccessDelta {
  const widened: AccessChange[] = []
  const unasked: AccessChange[] = []
  const narrowed: AccessChange[] = []
  const probes = new Map([...capabilityProbes(before), ...capabilityProbes(after)])
  const witnesses = witnessesOf([...before, ...after])
  for (const [capability, tools] of probes) {
    for (const tool of tools) {
      for (const [argument, pattern] of witnesses) {
        const change = {
          capability,
          pattern,
          before: decide(before, { tool, argument }).action,
          after: decide(after, { tool, argument }).action,
        }
        if (isWider(change)) widened.push(change)
        else if (change.before === 'offer' && change.after === 'allow') unasked.push(change)
        else if (strictness(change.after) > strictness(change.before)) narrowed.push(change)
      }
    }
  }
  return { widened, unasked, narrowed }
}

function isWider({ before, after }: AccessChange): boolean {
  if (before === 'deny') return after !== 'deny'
  return before === 'ask' && after === 'allow'
}

/** An argument for every pattern there is, and one that no pattern names. */
function witnessesOf(access: Access): Map<string, string | null> {
  const witnesses = new Map<string, string | null>([[unnamedArgument, null]])
  for (const layer of access) {
    for (const { pattern, syntax } of layer.rules) {
      if (pattern !== null) witnesses.set(witnessOf(syntax, pattern), pattern)
    }
  }
  return witnesses
}
