/** Finds outputs that are up to date, so that they are neither read nor converted again. */

import type { Source } from '../../convert/agent/source.ts'
import type { Converted } from '../../convert/convert.ts'
import type { Target } from '../../convert/plan.ts'
import type { Candidate } from '../../workbench/file.ts'
import type { BuildKey, LockEntry } from '../../workbench/lock-file.ts'
import { nameIn, outputKey, outputKeyIgnoringCase } from '../../workbench/naming.ts'
import { type BuildCache, openBuildCache } from '../build-cache.ts'
import { entryDigest, type Refusal, type ResultCache } from '../result-cache.ts'
import type { Run } from '../run/run.ts'
import { cacheKey, readKey } from './cache-key.ts'
import type { ConversionRequest } from './request.ts'
import type { ConversionSources, ListedSource } from './sources.ts'
import {
  type FindUnchanged,
  nothingUnchanged,
  openUnchangedSources,
  type UnchangedSource,
} from './unchanged-sources.ts'

/** What is known from earlier runs; null: nothing may be reused. */
export interface EarlierRuns {
  readonly reading: string
  readonly memory: BuildCache
  readonly recall: FindUnchanged
}

export function openEarlierRuns(request: ConversionRequest, run: Run): EarlierRuns | null {
  const reading = readKey(request)
  if (reading === null) return null
  const memory = openBuildCache(request.out, run.lockHash())
  return { reading, memory, recall: openUnchangedSources(request.registry, request.out, reading, run.owned, memory) }
}

export function unchangedIn(past: EarlierRuns | null): FindUnchanged {
  return past?.recall ?? nothingUnchanged
}

export interface UpToDate {
  readonly rulesFor: (target: Target) => string | undefined
  /** Whether the outputs of a file are up to date. */
  readonly isUpToDate: (file: ListedSource, target: Target) => boolean
  /** What was said about an agent that was refused, and would be again. */
  readonly refusalOf: (file: ListedSource, target: Target) => RepeatedRefusal | null
  readonly recordResult: ResultCache['record']
}

export interface RepeatedRefusal extends Refusal {
  /** The output that must not stay. */
  readonly output: string
}

export function openUpToDate(
  request: ConversionRequest,
  past: EarlierRuns | null,
  roster: ConversionSources,
  run: Run,
): UpToDate {
  if (past === null) return nothingKnown
  const { memory, reading } = past
  const rules = new Map(
    request.targets.map((target) => {
      return [target, cacheKey(reading, request, target, roster.naming.get(target))]
    }),
  )
  const isMade = (target: Target, path: string, known: UnchangedSource, entry: LockEntry | undefined) =>
    entry?.made !== undefined &&
    entry.by === request.command &&
    entry.made.rules === rules.get(target) &&
    entry.source === known.source &&
    entry.sourceHash === known.hash &&
    entry.from === known.harness.id &&
    memory.hasMade(path, entry) &&
    memory.hashOf(`${request.out}/${path}`) === entry.hash
  /** Null: agents that claim one file must be checked together. */
  const outputOf = (target: Target, candidate: Candidate, agent: string) => {
    const name = roster.naming.get(target)?.nameOf(candidate, agent) ?? nameIn(target, candidate, agent)
    const isAlone = roster.sharedClaims.get(outputKeyIgnoringCase(target, name)) === 1
    return isAlone ? outputKey(target, name) : null
  }
  /** Null: nothing is known of it, or something has changed. */
  const resultOf = (target: Target, known: UnchangedSource, output: string) => {
    const result = memory.results.find(known.source, rules.get(target) ?? '')
    const isSame =
      result !== null &&
      result.sourceHash === known.hash &&
      result.from === known.harness.id &&
      result.made.agent === known.name &&
      result.made.carrier === known.carrier.id &&
      result.output === output
    return isSame ? result : null
  }
  return {
    rulesFor: (target) => rules.get(target),
    isUpToDate: ({ known, candidate }, target) => {
      const path = known === null ? null : outputOf(target, candidate, known.name)
      if (known === null || path === null) return false
      const entry = run.owned.get(path)
      if (entry?.made !== undefined) return isMade(target, path, known, entry)
      if (entry === undefined || memory.hashOf(`${request.out}/${path}`) !== entry.hash) return false
      const result = resultOf(target, known, path)
      return result?.entry !== undefined && result.entry === entryDigest(entry)
    },
    refusalOf: ({ known, candidate, path }, target) => {
      const output = known === null ? null : outputOf(target, candidate, known.name)
      const result = known === null || output === null ? null : resultOf(target, known, output)
      const refusal = result === null || result.entry !== undefined ? null : memory.results.refusalOf(result)
      return refusal === null || output === null || refusal.conversion.source.path !== path
        ? null
        : { ...refusal, output }
    },
    recordResult: memory.results.record,
  }
}

const nothingKnown: UpToDate = {
  rulesFor: () => undefined,
  isUpToDate: () => false,
  refusalOf: () => null,
  recordResult: () => {},
}

/** How an agent was converted, where that is fully known. Undefined: it shares its file with others. */
export function buildKeyOf(rules: string | undefined, { agent, carrier }: Source): BuildKey | undefined {
  if (rules === undefined || carrier.agents !== undefined) return undefined
  return { agent: agent.name, carrier: carrier.id, rules }
}

/** Whether the source and the rules are all that an output depends on: it is one file, without settings elsewhere. */
export function isWhole({ output, settings }: Pick<Converted, 'output' | 'settings'>): boolean {
  return output.kind === 'file' && output.beside === undefined && settings.length === 0
}
