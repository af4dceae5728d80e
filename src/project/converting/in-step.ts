/** What was made before and would be made the same again is left alone, without so much as reading it. */
import type { Source } from '../../convert/parse.ts'
import type { Converted } from '../../convert/pipeline.ts'
import type { Target } from '../../convert/read-back.ts'
import type { LockEntry, Making } from '../lock.ts'
import { type Memory, openMemory } from '../memory.ts'
import type { Run } from '../run.ts'
import { claimOf, nameIn, sharedClaimOf } from './naming.ts'
import { openRecall, type Recall, type Recalled, recallNothing } from './recall.ts'
import type { ConversionRequest } from './request.ts'
import type { Enlisted, Roster } from './roster.ts'
import { makingRules, readingRules } from './rules.ts'

/** What is known from earlier runs; null: nothing may be taken from them. */
export interface Past {
  readonly reading: string
  readonly memory: Memory
  readonly recall: Recall
}

export function openPast(request: ConversionRequest, run: Run): Past | null {
  const reading = readingRules(request)
  if (reading === null) return null
  const memory = openMemory(request.out)
  return { reading, memory, recall: openRecall(request.registry, request.out, reading, run.owned, memory) }
}

export function recallOf(past: Past | null): Recall {
  return past?.recall ?? recallNothing
}

export interface InStep {
  readonly rulesFor: (target: Target) => string | undefined
  /** Whether what is to come of a file stands there as it should. */
  readonly isInStep: (file: Enlisted, target: Target) => boolean
}

export function openInStep(request: ConversionRequest, past: Past | null, roster: Roster, run: Run): InStep {
  if (past === null) return { rulesFor: () => undefined, isInStep: () => false }
  const { memory, reading } = past
  const rules = new Map(
    request.targets.map((target) => {
      return [target, makingRules(reading, request, target, roster.naming.get(target))]
    }),
  )
  const isMade = (target: Target, path: string, known: Recalled, entry: LockEntry | undefined) =>
    entry?.made !== undefined &&
    entry.by === request.command &&
    entry.made.rules === rules.get(target) &&
    entry.source === known.source &&
    entry.sourceHash === known.hash &&
    entry.from === known.harness.id &&
    memory.hasMade(path, entry) &&
    memory.hashOf(`${request.out}/${path}`) === entry.hash
  return {
    rulesFor: (target) => rules.get(target),
    isInStep: ({ known, candidate }, target) => {
      if (known === null) return false
      const name = roster.naming.get(target)?.nameOf(candidate, known.name) ?? nameIn(target, candidate, known.name)
      const path = claimOf(target, name)
      // Where several want one file, they must be looked at together.
      return (
        roster.sharedClaims.get(sharedClaimOf(target, name)) === 1 && isMade(target, path, known, run.owned.get(path))
      )
    },
  }
}

/**
 * For the lock: how an output was made, where that can be said in full. Undefined: it is more than one file, or a part of one, brings
 * settings along, takes from what its source once was, or may do more than before, which must be told every time.
 */
export function makingOf(rules: string | undefined, source: Source, converted: Converted): Making | undefined {
  const { output, settings, record } = converted
  const isWhole = output.kind === 'file' && output.beside === undefined
  const isAlone = isWhole && settings.length === 0 && source.carrier.agents === undefined
  if (rules === undefined || !isAlone || record.access.widened.length > 0) return undefined
  return { agent: source.agent.name, carrier: source.carrier.id, rules }
}
