/** Writes a converted agent, as a file or as an entry of one, with its settings, and reports the result. */

import { join } from 'node:path'
import type { ConfigSetting } from '../../convert/agent/output.ts'
import type { Target } from '../../convert/plan.ts'
import { realPathOrNull } from '../../disk/roots.ts'
import { type Encoding, encode } from '../../formats/decode.ts'
import type { Conversion } from '../../model/conversion.ts'
import type { DriftKind } from '../../model/drift.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import { limits } from '../../model/limits.ts'
import type { NewResult } from '../result-cache.ts'
import { type FileState, whyForbidden } from '../run/destination.ts'
import type { Run } from '../run/run.ts'
import type { ConversionContext, PendingReport, ReadyAgent } from './context.ts'
import type { ResultEntry } from './convert-file.ts'
import type { OnConversion } from './request.ts'
import type { ListedSource } from './sources.ts'
import type { RepeatedRefusal } from './up-to-date.ts'

/** At most a block at a time, so that memory stays small and progress is visible. */
const BLOCK = 16

export function writeOutput(work: ConversionContext, ready: ReadyAgent, settings: readonly ConfigSetting[]): void {
  const { configs } = work
  const problems = settings.map(configs.problemWith).filter((problem) => problem !== null)
  // There is another server under this name: the agent would work with one it does not know.
  const isOther = (setting: ConfigSetting) =>
    setting.server !== undefined && configs.placeOf(setting) !== 'closed' && configs.problemWith(setting) !== null
  if (settings.some(isOther)) reportUnwritten(work, ready, 'failed', problems)
  else if (ready.converted.output.kind === 'file') writeFileOutput(work, ready, settings, problems)
  else writeEntryOutput(work, ready, settings, problems)
}

function writeFileOutput(
  work: ConversionContext,
  ready: ReadyAgent,
  settings: readonly ConfigSetting[],
  problems: readonly Diagnostic[],
): void {
  const { run, request } = work
  const { output, kept } = ready.converted
  if (output.kind !== 'file') return
  const { beside } = output
  const files = [plannedFile(work, output.path, output.text, output.encoding)]
  if (beside !== undefined) files.push(plannedFile(work, beside.path, beside.text))
  for (const { path, state, text } of files) if (state !== 'same') reportDrift(work, ready, path, state, text)
  const own = files.find(({ path, state }) => state !== 'same' && state !== 'new' && work.isSource(path))
  if (own !== undefined) {
    const problem = fileProblem('not-written', own.path, 'Not written: the file is also a source.')
    reportUnwritten(work, ready, 'failed', [
      { ...problem, hint: 'Remove the link that points there, or write to another folder with --out DIR.' },
    ])
    return
  }
  // Of two files that belong together neither is written if the other cannot be.
  const barred = files.filter(({ state, force }) => whyForbidden(state, force) !== null)
  for (const { path, bytes, state, force } of barred.length > 0 ? barred : files) {
    // A file of the user's that happens to be the same stays the user's.
    if (state === 'same' && !run.owned.has(path)) continue
    const { source, from, to, sourceHash, lookedUp } = ready.entry
    // What an agent gains must be reported every time.
    const isWider = ready.converted.record.access.widened.length > 0
    const made = isWider ? undefined : ready.entry.made
    if (!isWider && lookedUp !== undefined) work.lookedUp.set(path, ready.entry)
    run.write(path, bytes, { source, from, to, sourceHash, made, ...(path === output.path ? { kept } : {}) }, force)
  }
  // Settings without their agent would be of no use.
  if (settings.length > 0) run.flush()
  if (files.some(({ path }) => run.failed.has(path))) keepPrevious(work, ready.entry.source, ready.target)
  else setAll(work, ready, settings)
  const isThere = files.every(({ state }) => state === 'same')
  const status = isThere ? 'unchanged' : request.dryRun ? 'planned' : 'written'
  work.pending.push({ paths: files.map(({ path }) => path), conversion: conversionOf(ready, status, problems) })
  if (work.pending.length >= BLOCK) reportPending(work)
}

interface PlannedFile {
  readonly path: string
  readonly text: string
  readonly bytes: Uint8Array
  readonly state: FileState
  /** Whether it overwrites a file that Troupe did not write. */
  readonly force: boolean
}

function plannedFile(work: ConversionContext, path: string, text: string, encoding: Encoding = 'utf-8'): PlannedFile {
  const { run, request } = work
  const bytes = encode(text, encoding)
  const state = run.plan(path, bytes)
  const byHand = state === 'hand-edited' ? request.overwrites?.(path) : undefined
  return { path, text, bytes, state, force: byHand ?? request.force }
}

export const driftOf: Record<FileState, DriftKind> = {
  new: 'missing',
  same: 'rules-changed',
  ours: 'source-changed',
  'hand-edited': 'edited',
  foreign: 'foreign',
  outside: 'foreign',
}

function reportDrift(
  { request, run }: ConversionContext,
  { converted, entry }: ReadyAgent,
  path: string,
  state: FileState,
  wanted: string | null,
): void {
  const isSourceSame = run.owned.get(path)?.sourceHash === entry.sourceHash
  const kind = state === 'ours' && isSourceSame ? 'rules-changed' : driftOf[state]
  const { name, harness } = converted.record.target
  request.onDrift?.({ kind, path, source: entry.source, agent: name, target: harness }, wanted)
}

function writeEntryOutput(
  work: ConversionContext,
  ready: ReadyAgent,
  settings: readonly ConfigSetting[],
  problems: readonly Diagnostic[],
): void {
  const { configs, request } = work
  const { output, kept } = ready.converted
  if (output.kind !== 'settings') return
  const wrong = output.settings
    .map((setting) => configs.problemWith(setting) ?? tooManyAgents(work, setting))
    .filter((problem) => problem !== null)
  if (wrong.length > 0) {
    reportUnwritten(work, ready, 'failed', [...problems, ...wrong])
    return
  }
  const isThere = output.settings.every((setting) => configs.placeOf(setting) === 'same')
  const [first] = output.settings
  if (!isThere && first !== undefined) reportDrift(work, ready, configs.fileOf(first), 'ours', null)
  for (const setting of output.settings) configs.set(setting, { ...ready.entry, kept })
  setAll(work, ready, settings)
  const status = isThere ? 'unchanged' : request.dryRun ? 'planned' : 'written'
  const path = output.settings[0] === undefined ? '' : configs.fileOf(output.settings[0])
  work.entries.push({ paths: [path], conversion: conversionOf(ready, status, problems) })
}

/** What Troupe would not read there, it does not write there. */
function tooManyAgents({ configs }: ConversionContext, setting: ConfigSetting): Diagnostic | null {
  if (configs.placeOf(setting) !== 'new' || configs.besides(setting).length < limits.agents) return null
  const file = configs.fileOf(setting)
  const message = `${file} already holds ${limits.agents} agents, the most that Troupe reads from one file.`
  return fileProblem('config-not-edited', file, message)
}

function setAll({ configs }: ConversionContext, ready: ReadyAgent, settings: readonly ConfigSetting[]): void {
  for (const setting of settings) if (configs.problemWith(setting) === null) configs.set(setting, ready.entry)
}

export function reportPending({ run, pending, report }: ConversionContext): void {
  run.flush()
  reportAll(run, pending, report)
}

/** After the configuration files were written. */
export function reportEntries({ run, entries, report }: ConversionContext): void {
  reportAll(run, entries, report)
}

function reportAll(run: Run, all: PendingReport[], report: OnConversion): void {
  for (const { paths, conversion } of all.splice(0)) {
    const problems = paths.flatMap((path) => {
      const failure = run.failed.get(path)
      return failure === undefined ? [] : [fileProblem('not-written', path, failure.message)]
    })
    if (problems.length === 0) report(conversion)
    else report({ ...conversion, status: 'failed', diagnostics: [...conversion.diagnostics, ...problems] })
  }
}

/** Reported without writing anything. */
export function reportUnwritten(
  work: ConversionContext,
  ready: ReadyAgent,
  status: Conversion['status'],
  more: readonly Diagnostic[],
): void {
  keepPrevious(work, ready.entry.source, ready.target)
  work.report(conversionOf(ready, status, more))
}

/** An output from before the refusal must not stay: it can do what was not accepted. */
export function reportRefused(work: ConversionContext, ready: ReadyAgent, refusal: Diagnostic): void {
  const { output } = ready.converted
  if (output.kind === 'file') work.refused.add(output.path)
  if (output.kind === 'file' && output.beside !== undefined) work.refused.add(output.beside.path)
  const conversion = conversionOf(ready, 'refused', [refusal])
  work.report(conversion)
  if (output.kind === 'file') keepRefusal(work, ready.entry, output.path, conversion, ready.notes)
}

/** So that the next build need not find out again. */
export function keepRefusal(
  { upToDate }: ConversionContext,
  entry: ResultEntry,
  output: string,
  conversion: Conversion,
  notes: readonly Diagnostic[],
): void {
  const result = resultOf(entry, output)
  if (result !== null) upToDate.recordResult(result, { conversion, notes })
}

/** Null: it depends on more than is known. */
export function resultOf({ source, sourceHash, from, made, lookedUp }: ResultEntry, output: string): NewResult | null {
  const key = made ?? lookedUp?.made
  return key === undefined ? null : { source, sourceHash, from, made: key, output, lookedUp: lookedUp?.paths ?? [] }
}

/** Reports again what an earlier build found, for the same source and by the same rules. */
export function repeatRefusal(work: ConversionContext, { output, conversion }: RepeatedRefusal): void {
  work.refused.add(output)
  work.report(conversion)
}

/** Outputs that earlier runs built from this source for this target are left alone. */
export function keepPrevious({ left }: ConversionContext, source: string, { harness }: Target): void {
  left.add(previousKey(source, harness.id))
}

export function previousKey(source: string | null, target: string | null): string {
  return `${source}\n${target}`
}

function conversionOf(
  { converted, diagnostics }: ReadyAgent,
  status: Conversion['status'],
  more: readonly Diagnostic[],
): Conversion {
  const { name, source, target, fidelity, features, access, gaps, edits, config } = converted.record
  const all = more.length === 0 ? diagnostics : [...diagnostics, ...more]
  return { name, source, target, fidelity, features, access, gaps, edits, config, status, diagnostics: all }
}

/** `below`: paths below the output root. */
export function isSourceIn(
  root: string,
  files: readonly ListedSource[],
  below: (path: string) => string,
): (path: string) => boolean {
  let names: Set<string> | null = null
  let real: Set<string | null> | null = null
  return (path) => {
    names ??= new Set(files.map(({ candidate }) => below(candidate.path)))
    if (names.has(path)) return true
    const file = realPathOrNull(join(root, path))
    // Where no link is on the path, only names need to be compared.
    if (file === null || file === join(realPathOrNull(root) ?? root, path)) return false
    real ??= new Set(files.map(({ candidate }) => realPathOrNull(candidate.path)))
    return real.has(file)
  }
}
