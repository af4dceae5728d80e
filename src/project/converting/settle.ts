/** What becomes of a converted agent: written, held back until others that claim its file are here, or refused. */
import type { Converted } from '../../convert/pipeline.ts'
import type { Target } from '../../convert/read-back.ts'
import type { Conversion } from '../../model/conversion.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import { fileProblem } from '../files.ts'
import type { Run } from '../run.ts'
import type { Configs } from './configs.ts'
import { refusalOf } from './refusal.ts'
import type { ConversionRequest, OnConversion } from './request.ts'
import { claimOf, type Roster } from './roster.ts'

/** An agent that is ready to be written. */
export interface Ready {
  readonly target: Target
  readonly converted: Converted
  readonly diagnostics: readonly Diagnostic[]
  readonly entry: { source: string; from: string; to: string; sourceHash: string }
}

export interface Work {
  readonly request: ConversionRequest
  readonly roster: Roster
  readonly run: Run
  readonly configs: Configs
  readonly tell: OnConversion
  /** The root of the project that the sources are in. */
  readonly project: string
  /** Paths as people see them, and below the root that is written to. */
  readonly show: (path: string) => string
  readonly below: (path: string) => string
  /** Agents that claim one file together wait here for each other. */
  readonly waiting: Map<string, Ready[]>
  /** Files are written in blocks; what became of them is told when their block is through. */
  readonly pending: { readonly path: string; readonly conversion: Conversion }[]
}

/** No more than a block, so that memory stays small and progress is seen. */
const BLOCK = 64

/** Alone, it is written at once; with others that claim the same file, when the last of them is here. */
export function settle(work: Work, ready: Ready): void {
  const { request, roster, waiting } = work
  const { target, converted } = ready
  const refusal = refusalOf(target.harness, converted.record, request.accepted(target.harness))
  const claim = claimOf(target, converted.record.target.name)
  const claimants = roster.claims.get(claim) ?? 1
  if (claimants < 2) {
    if (refusal === null) write(work, ready)
    else finish(work, ready, 'refused', [refusal])
    return
  }
  const all = [...(waiting.get(claim) ?? []), ready]
  waiting.set(claim, all)
  if (all.length < claimants) return
  waiting.delete(claim)
  writeTogether(work, claim, all)
}

/** Same bytes are written once and recorded for all; otherwise nobody can say which one is meant. */
function writeTogether(work: Work, claim: string, all: readonly Ready[]): void {
  const isSame = all.every(
    ({ converted }) => JSON.stringify(converted.output) === JSON.stringify(all[0]?.converted.output),
  )
  if (!isSame) {
    const names = all.map(({ converted }) => converted.record.source.path).join(' and ')
    const every = all.length > 2 ? 'all' : 'both'
    for (const ready of all) {
      const { path } = ready.converted.record.source
      const problem = fileProblem(
        'same-output',
        path,
        `${names} would ${every} become ${claim.replace('#', ', entry ')}.`,
      )
      finish(work, ready, 'failed', [problem])
    }
    return
  }
  for (const ready of all) {
    const refusal = refusalOf(ready.target.harness, ready.converted.record, work.request.accepted(ready.target.harness))
    if (refusal === null) write(work, ready)
    else finish(work, ready, 'refused', [refusal])
  }
}

function write(work: Work, ready: Ready): void {
  const { configs, request, run } = work
  const { output, settings, kept } = ready.converted
  const all = [...settings, ...(output.kind === 'settings' ? output.settings : [])]
  const problems = all.map((setting) => configs.set(setting)).filter((problem) => problem !== null)
  const done = request.dryRun ? 'planned' : 'written'
  if (output.kind === 'settings') {
    finish(work, ready, problems.length > 0 ? 'failed' : done, problems)
    return
  }
  const { path } = output
  const bytes = Buffer.from(output.text)
  const isThere = run.plan(path, bytes) === 'same'
  // A file of the user's that happens to be the same stays the user's.
  if (!isThere || run.owned.has(path)) run.write(path, bytes, { ...ready.entry, keptText: JSON.stringify(kept) })
  const status = !request.dryRun && isThere ? 'unchanged' : done
  work.pending.push({ path, conversion: conversionOf(ready, status, problems) })
  if (work.pending.length >= BLOCK) tellPending(work)
}

export function tellPending({ run, pending, tell }: Work): void {
  run.flush()
  for (const { path, conversion } of pending.splice(0)) {
    const failure = run.failed.get(path)
    if (failure === undefined) tell(conversion)
    else {
      const problem = fileProblem('not-written', path, failure.message)
      tell({ ...conversion, status: 'failed', diagnostics: [...conversion.diagnostics, problem] })
    }
  }
}

function finish({ tell }: Work, ready: Ready, status: Conversion['status'], more: readonly Diagnostic[]): void {
  tell(conversionOf(ready, status, more))
}

function conversionOf(
  { converted, diagnostics }: Ready,
  status: Conversion['status'],
  more: readonly Diagnostic[],
): Conversion {
  return { ...converted.record, status, diagnostics: [...diagnostics, ...more] }
}
