/** Writes a converted agent, as a file or as an entry of one, with its settings, and tells what became of it. */
import type { Target } from '../../convert/read-back.ts'
import type { Setting } from '../../convert/setting.ts'
import type { Conversion } from '../../model/conversion.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import type { DriftKind } from '../../model/drift.ts'
import { limits } from '../../model/limits.ts'
import type { Encoding } from '../../text/decode.ts'
import { fileProblem } from '../files.ts'
import type { Run } from '../run.ts'
import { forbids, type Standing } from '../writing/standing.ts'
import type { OnConversion } from './request.ts'
import type { Pending, Ready, Work } from './work.ts'

/** No more than a block, so that memory stays small and progress is seen. */
const BLOCK = 16

export function put(work: Work, ready: Ready, settings: readonly Setting[]): void {
  const { configs } = work
  const problems = settings.map(configs.problemWith).filter((problem) => problem !== null)
  // Under the name of its server there is another one: the agent would work with something it does not know.
  const isOther = (setting: Setting) =>
    setting.server !== undefined && configs.placeOf(setting) !== 'closed' && configs.problemWith(setting) !== null
  if (settings.some(isOther)) finish(work, ready, 'failed', problems)
  else if (ready.converted.output.kind === 'file') putFile(work, ready, settings, problems)
  else putEntry(work, ready, settings, problems)
}

function putFile(work: Work, ready: Ready, settings: readonly Setting[], problems: readonly Diagnostic[]): void {
  const { run, request } = work
  const { output, kept } = ready.converted
  if (output.kind !== 'file') return
  const { beside } = output
  const files = [plannedFile(work, output.path, output.text, output.encoding)]
  if (beside !== undefined) files.push(plannedFile(work, beside.path, beside.text))
  for (const { path, standing, text } of files) if (standing !== 'same') tellDrift(work, ready, path, standing, text)
  const own = files.find(({ path, standing }) => standing !== 'same' && standing !== 'new' && work.isSource(path))
  if (own !== undefined) {
    const problem = fileProblem('not-written', own.path, 'Not written: the file is itself a source.')
    finish(work, ready, 'failed', [{ ...problem, hint: 'Take the link away that leads there, or write to --out DIR.' }])
    return
  }
  // Of two files that belong together none is written where the other cannot be.
  const barred = files.filter(({ standing, force }) => forbids(standing, force) !== null)
  for (const { path, bytes, standing, force } of barred.length > 0 ? barred : files) {
    // A file of the user's that happens to be the same stays the user's.
    if (standing === 'same' && !run.owned.has(path)) continue
    // Written out: objects that are put together from others are slow to make and to read, and these are many.
    const { source, from, to, sourceHash, made } = ready.entry
    const entry = path === output.path ? { source, from, to, sourceHash, made, kept } : ready.entry
    run.write(path, bytes, entry, force)
  }
  // Settings without the agent that wants them would be of no use to anybody.
  if (settings.length > 0) run.flush()
  if (files.some(({ path }) => run.failed.has(path))) leave(work, ready.entry.source, ready.target)
  else setAll(work, ready, settings)
  const isThere = files.every(({ standing }) => standing === 'same')
  const status = isThere ? 'unchanged' : request.dryRun ? 'planned' : 'written'
  work.pending.push({ paths: files.map(({ path }) => path), conversion: conversionOf(ready, status, problems) })
  if (work.pending.length >= BLOCK) tellPending(work)
}

interface WholeFile {
  readonly path: string
  readonly text: string
  readonly bytes: Uint8Array
  readonly standing: Standing
  /** Whether it is written over what somebody else wrote. */
  readonly force: boolean
}

function plannedFile(work: Work, path: string, text: string, encoding: Encoding = 'utf-8'): WholeFile {
  const { room, run, request } = work
  const bytes = room.encode(text, encoding)
  const standing = run.plan(path, bytes)
  const byHand = standing === 'hand-edited' ? request.overwrites?.(path) : undefined
  return { path, text, bytes, standing, force: byHand ?? request.force }
}

const driftOf: Record<Standing, DriftKind> = {
  new: 'missing',
  same: 'rules-changed',
  ours: 'source-changed',
  'hand-edited': 'edited',
  foreign: 'foreign',
  outside: 'foreign',
}

function tellDrift(
  { request, run }: Work,
  { converted, entry }: Ready,
  path: string,
  standing: Standing,
  wanted: string | null,
): void {
  const isSourceSame = run.owned.get(path)?.sourceHash === entry.sourceHash
  const kind = standing === 'ours' && isSourceSame ? 'rules-changed' : driftOf[standing]
  const { name, harness } = converted.record.target
  request.onDrift?.({ kind, path, source: entry.source, agent: name, target: harness }, wanted)
}

function putEntry(work: Work, ready: Ready, settings: readonly Setting[], problems: readonly Diagnostic[]): void {
  const { configs, request } = work
  const { output, kept } = ready.converted
  if (output.kind !== 'settings') return
  const wrong = output.settings
    .map((setting) => configs.problemWith(setting) ?? withoutRoom(work, setting))
    .filter((problem) => problem !== null)
  if (wrong.length > 0) {
    finish(work, ready, 'failed', [...problems, ...wrong])
    return
  }
  const isThere = output.settings.every((setting) => configs.placeOf(setting) === 'same')
  const [first] = output.settings
  if (!isThere && first !== undefined) tellDrift(work, ready, configs.fileOf(first), 'ours', null)
  for (const setting of output.settings) configs.set(setting, { ...ready.entry, kept })
  setAll(work, ready, settings)
  const status = isThere ? 'unchanged' : request.dryRun ? 'planned' : 'written'
  const path = output.settings[0] === undefined ? '' : configs.fileOf(output.settings[0])
  work.entries.push({ paths: [path], conversion: conversionOf(ready, status, problems) })
}

/** What Troupe would not read there it does not write there. */
function withoutRoom({ configs }: Work, setting: Setting): Diagnostic | null {
  if (configs.placeOf(setting) !== 'new' || configs.besides(setting).length < limits.agents) return null
  const file = configs.fileOf(setting)
  const message = `${file} holds ${limits.agents} agents already, and Troupe reads no more of one file.`
  return fileProblem('config-not-edited', file, message)
}

function setAll({ configs }: Work, ready: Ready, settings: readonly Setting[]): void {
  for (const setting of settings) if (configs.problemWith(setting) === null) configs.set(setting, ready.entry)
}

export function tellPending({ run, room, pending, tell }: Work): void {
  run.flush()
  room.clear()
  tellAll(run, pending, tell)
}

/** After the configuration files were written. */
export function tellEntries({ run, entries, tell }: Work): void {
  tellAll(run, entries, tell)
}

function tellAll(run: Run, all: Pending[], tell: OnConversion): void {
  for (const { paths, conversion } of all.splice(0)) {
    const problems = paths.flatMap((path) => {
      const failure = run.failed.get(path)
      return failure === undefined ? [] : [fileProblem('not-written', path, failure.message)]
    })
    if (problems.length === 0) tell(conversion)
    else tell({ ...conversion, status: 'failed', diagnostics: [...conversion.diagnostics, ...problems] })
  }
}

/** Told without anything being written. */
export function finish(work: Work, ready: Ready, status: Conversion['status'], more: readonly Diagnostic[]): void {
  leave(work, ready.entry.source, ready.target)
  work.tell(conversionOf(ready, status, more))
}

/** What was written when it was not refused yet must not stay: it can do what nobody accepts. */
export function refuse(work: Work, ready: Ready, refusal: Diagnostic): void {
  const { output } = ready.converted
  if (output.kind === 'file') work.refused.add(output.path)
  if (output.kind === 'file' && output.beside !== undefined) work.refused.add(output.beside.path)
  work.tell(conversionOf(ready, 'refused', [refusal]))
}

/** What earlier runs made of this source for this target is not looked at. */
export function leave({ left }: Work, source: string, { harness }: Target): void {
  left.add(leftover(source, harness.id))
}

export function leftover(source: string | null, target: string | null): string {
  return `${source}\n${target}`
}

function conversionOf(
  { converted, diagnostics }: Ready,
  status: Conversion['status'],
  more: readonly Diagnostic[],
): Conversion {
  const { name, source, target, fidelity, features, access, gaps, edits, config } = converted.record
  const all = more.length === 0 ? diagnostics : [...diagnostics, ...more]
  return { name, source, target, fidelity, features, access, gaps, edits, config, status, diagnostics: all }
}
