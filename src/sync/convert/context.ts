/** The context of one conversion run, shared by all its agents. */

import type { GapDecisions } from '../../convert/gaps.ts'
import type { ConversionOptions, Target } from '../../convert/plan.ts'
import type { Conversion } from '../../model/conversion.ts'
import type { Diagnostic } from '../../model/findings.ts'
import type { readHashedFile } from '../../project/read-text.ts'
import type { SettingsSaid } from '../../project/settings-limits.ts'
import type { Merging } from '../../workbench/merge.ts'
import type { Naming } from '../../workbench/naming.ts'
import type { Run } from '../run/run.ts'
import type { ConvertedOutput, ResultEntry } from './convert-file.ts'
import type { ConversionRequest, OnConversion } from './request.ts'
import type { AgentsGainingServer } from './shared-settings.ts'
import type { ConversionSources } from './sources.ts'
import type { TargetSettings } from './target-settings.ts'
import type { UpToDate } from './up-to-date.ts'

export interface ReadyAgent {
  readonly target: Target
  readonly converted: ConvertedOutput
  readonly diagnostics: readonly Diagnostic[]
  readonly entry: ResultEntry
  /** What else is reported of its file. */
  readonly notes: readonly Diagnostic[]
}

/** A target with everything decided about it for the whole run. */
export interface TargetContext extends Pick<ConversionOptions, 'models'> {
  readonly decisions: GapDecisions
  readonly target: Target
  readonly naming: Naming
}

export interface ConversionContext {
  readonly request: ConversionRequest
  readonly targets: readonly TargetContext[]
  readonly roster: ConversionSources
  readonly run: Run
  readonly read: typeof readHashedFile
  readonly upToDate: UpToDate
  readonly settings: SettingsSaid
  /** Limits of settings that have been reported. */
  readonly limited: Set<string>
  readonly configs: TargetSettings
  readonly others: AgentsGainingServer
  readonly report: OnConversion
  /** The root of the project that the sources are in. */
  readonly project: string
  /** Paths as shown, and below the output root. */
  readonly show: (path: string) => string
  readonly below: (path: string) => string
  /** Whether a path is a source file of this run. */
  readonly isSource: (path: string) => boolean
  readonly merging: Merging
  /** Reported once per agent, regardless of the targets: it is switched off, or its harness does not load it. */
  readonly notes: Diagnostic[]
  /** Agents that claim one file together wait here for each other; null: one of them failed. */
  readonly waiting: Map<string, (ReadyAgent | null)[]>
  /** Agents with settings that all others see wait for the others. */
  readonly deferred: ReadyAgent[]
  /** Sources, each with a target, of which something was not written: their existing outputs stay. */
  readonly left: Set<string>
  /** Files of components besides agents. */
  readonly claimed: Set<string>
  /** Files that would have been written if the agent had not been refused. */
  readonly refused: Set<string>
  /** Outputs for which other files were looked for, until they are written. */
  readonly lookedUp: Map<string, ResultEntry>
  /** Files are written in blocks; results are reported when their block is done. */
  readonly pending: PendingReport[]
  /** Entries in configuration files, which are written last. */
  readonly entries: PendingReport[]
}

export interface PendingReport {
  readonly paths: readonly string[]
  readonly conversion: Conversion
}
