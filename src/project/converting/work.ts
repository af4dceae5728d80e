/** What a run of conversions works with, from the first agent to the last. */
import type { Converted, ConvertOptions } from '../../convert/pipeline.ts'
import type { Target } from '../../convert/read-back.ts'
import type { Conversion } from '../../model/conversion.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import type { readHashedFile } from '../files.ts'
import type { Making } from '../lock.ts'
import type { Merging } from '../merged.ts'
import type { Run } from '../run.ts'
import type { SettingsSaid } from '../settings-said.ts'
import type { Configs } from './configs.ts'
import type { InStep } from './in-step.ts'
import type { Naming } from './naming.ts'
import type { Others } from './others.ts'
import type { OutputRoom } from './output-room.ts'
import type { ConversionRequest, OnConversion } from './request.ts'
import type { Roster } from './roster.ts'

/** An agent that is ready to be written. */
export interface Ready {
  readonly target: Target
  readonly converted: Converted
  readonly diagnostics: readonly Diagnostic[]
  readonly entry: { source: string; from: string; to: string; sourceHash: string; made: Making | undefined }
}

/** A target with what is settled about it for the whole run. */
export interface SettledTarget extends Pick<ConvertOptions, 'policy' | 'models'> {
  readonly target: Target
  readonly naming: Naming
}

export interface Work {
  readonly request: ConversionRequest
  readonly targets: readonly SettledTarget[]
  readonly roster: Roster
  readonly run: Run
  readonly read: typeof readHashedFile
  readonly inStep: InStep
  readonly settings: SettingsSaid
  /** Limits of settings that have been told. */
  readonly limited: Set<string>
  readonly configs: Configs
  readonly others: Others
  readonly room: OutputRoom
  readonly tell: OnConversion
  /** The root of the project that the sources are in. */
  readonly project: string
  /** Paths as people see them, and below the root that is written to. */
  readonly show: (path: string) => string
  readonly below: (path: string) => string
  /** Whether a file of this run's sources stands there. */
  readonly isSource: (path: string) => boolean
  readonly merging: Merging
  /** What is said once of an agent, whatever the targets: it is switched off, or its harness does not load it. */
  readonly notes: Diagnostic[]
  /** Agents that claim one file together wait here for each other; null: one of them will not come. */
  readonly waiting: Map<string, (Ready | null)[]>
  /** Agents with settings that all others see wait for these. */
  readonly deferred: Ready[]
  /** Sources, each with a target, of which something was not written: what there is of them stays. */
  readonly left: Set<string>
  /** Files that would have been written, had the agent not been refused. */
  readonly refused: Set<string>
  /** Files are written in blocks; what became of them is told when their block is through. */
  readonly pending: Pending[]
  /** Entries in configuration files, which are written last. */
  readonly entries: Pending[]
}

export interface Pending {
  readonly paths: readonly string[]
  readonly conversion: Conversion
}
