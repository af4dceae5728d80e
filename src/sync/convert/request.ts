/** The request for a conversion run. */

import type { GapDecisions } from '../../convert/gaps.ts'
import type { Target } from '../../convert/plan.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { ModelMap } from '../../harness/write/models.ts'
import type { ComponentKind } from '../../model/component.ts'
import type { Conversion } from '../../model/conversion.ts'
import type { Drift } from '../../model/drift.ts'
import type { OnRead } from '../../project/references.ts'
import type { AcceptedWidening } from '../../workbench/refusal.ts'
import type { Run } from '../run/run.ts'

export interface ConversionRequest {
  readonly registry: Registry
  /** The name of the command, which the lock file records with its outputs. */
  readonly command: 'convert' | 'build'
  /** The folder that shown paths are relative to. */
  readonly here: string
  /** Paths given by hand; none: the project around `here`. */
  readonly paths: readonly string[]
  /** Only agents of this dialect; otherwise of every dialect but the targets'. */
  readonly from: Harness | null
  readonly targets: readonly Target[]
  /** The kinds to convert; absent: all. */
  readonly only?: ReadonlySet<ComponentKind | 'agent'> | undefined
  /** The output root. */
  readonly out: string
  /** The decisions about gaps of agents for this target. */
  readonly decisions: (target: Harness) => GapDecisions
  readonly models: (target: Harness) => ModelMap
  /** The form of plugin agents' names there, as `{plugin}-{name}`; absent: their own, as long as these differ. */
  readonly names?: (target: Target) => string | undefined
  /** Keys that limit in an unknown way, and are ignored anyway, with the reason where one was given. */
  readonly ignoredKeys?: ReadonlyMap<string, string | null>
  /** The decisions as text; where it is known, up-to-date outputs need not be converted again. */
  readonly decisionsText?: (target: Harness) => string
  readonly keepAsking: boolean
  /** Capabilities that an agent may gain in this target, with the reason where one was given. */
  readonly accepted: (target: Harness) => AcceptedWidening
  /** What a target reads as it is is copied all the same. */
  readonly copy?: boolean
  readonly force: boolean
  readonly dryRun: boolean
  /** Done before anything is read, as a part of the same run. */
  readonly first?: (run: Run) => void
  /** Whether an output that was edited by hand is overwritten; by default, `force` decides. */
  readonly overwrites?: (path: string) => boolean
  /** Called for every output that is not, or was not, up to date, with the text it should have, where it is a file. */
  readonly onDrift?: (drift: Drift, wanted: string | null) => void
  /** Called for what agents refer to, before it is looked up. */
  readonly onRead?: OnRead
  /** How other threads are started, where large collections may use them. */
  readonly workers?: WorkerOptions
  /** Called before each file. */
  readonly onProgress?: (done: number, total: number) => void
}

/** Threads that convert beside this one. */
export interface WorkerOptions {
  /** The file that each of them runs. */
  readonly program: string
  readonly count: number
}

/** Called for every agent and target as soon as it is decided; by the end all are reported. */
export type OnConversion = (conversion: Conversion) => void
