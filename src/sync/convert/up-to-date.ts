/** Finds outputs that are up to date, so that they are neither read nor converted again. */

import type { Source } from '../../convert/agent/source.ts'
import type { Converted } from '../../convert/convert.ts'
import type { Target } from '../../convert/plan.ts'
import type { BuildKey, LockEntry } from '../../workbench/lock-file.ts'
import { nameIn, outputKey, outputKeyIgnoringCase } from '../../workbench/naming.ts'
import { type BuildCache, openBuildCache } from '../build-cache.ts'
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
  const memory = openBuildCache(request.out)
  return { reading, memory, recall: openUnchangedSources(request.registry, request.out, reading, run.owned, memory) }
}

export function unchangedIn(past: EarlierRuns | null): FindUnchanged {
  return past?.recall ?? nothingUnchanged
}

export interface UpToDate {
  readonly rulesFor: (target: Target) => string | undefined
  /** Whether the outputs of a file are up to date. */
  readonly isInStep: (file: ListedSource, target: Target) => boolean
}

export function openUpToDate(
  request: ConversionRequest,
  past: EarlierRuns | null,
  roster: ConversionSources,
  run: Run,
): UpToDate {
  if (past === null) return { rulesFor: () => undefined, isInStep: () => false }
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
  return {
    rulesFor: (target) => rules.get(target),
    isInStep: ({ known, candidate }, target) => {
      if (known === null) return false
      const name = roster.naming.get(target)?.nameOf(candidate, known.name) ?? nameIn(target, candidate, known.name)
      const path = outputKey(target, name)
      // Agents that claim one file must be checked together.
      return (
        roster.sharedClaims.get(outputKeyIgnoringCase(target, name)) === 1 &&
        isMade(target, path, known, run.owned.get(path))
      )
    },
  }
}

/**
 * For the lock file: how an output was built, where that is fully known. Undefined: it is several files or a part of
 * one, has settings, uses an earlier state of its source, or gains access, which must be reported every time.
 */
export function buildKeyOf(rules: string | undefined, source: Source, converted: Converted): BuildKey | undefined {
  const { output, settings, record } = converted
  const isWhole = output.kind === 'file' && output.beside === undefined
  const isAlone = isWhole && settings.length === 0 && source.carrier.agents === undefined
  if (rules === undefined || !isAlone || record.access.widened.length > 0) return undefined
  return { agent: source.agent.name, carrier: source.carrier.id, rules }
}
