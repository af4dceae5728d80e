/** Decides what happens to a converted agent: written now, deferred until agents that affect it are converted, or refused. */
import type { Target } from '../../convert/plan.ts'
import { fileProblem } from '../../model/findings.ts'
import { outputKey, outputKeyIgnoringCase } from '../../workbench/naming.ts'
import { wideningRefusal } from '../../workbench/refusal.ts'
import type { ConversionContext, ReadyAgent } from './context.ts'
import { findServerGains, serverRefusal, withGains } from './shared-settings.ts'
import { reportRefused, reportUnwritten, writeOutput } from './write-output.ts'

/** Alone, it is written at once; with others that claim the same file, when the last of them is ready. */
export function claimOutput(work: ConversionContext, ready: ReadyAgent): void {
  updateClaim(work, ready.target, ready.converted.record.target.name, ready)
}

/** An agent that could not be converted no longer claims its file. */
export function releaseClaim(work: ConversionContext, target: Target, name: string): void {
  updateClaim(work, target, name, null)
}

function updateClaim(work: ConversionContext, target: Target, name: string, ready: ReadyAgent | null): void {
  const { roster, waiting } = work
  const place = outputKeyIgnoringCase(target, name)
  const claimants = roster.sharedClaims.get(place) ?? 1
  if (claimants < 2) {
    if (ready !== null) writeUnlessRefused(work, ready)
    return
  }
  const all = [...(waiting.get(place) ?? []), ready]
  waiting.set(place, all)
  if (all.length < claimants) return
  waiting.delete(place)
  writeClaimants(work, present(all))
}

function present(all: readonly (ReadyAgent | null)[]): ReadyAgent[] {
  return all.filter((one) => one !== null)
}

/** Identical bytes are written once and recorded for all; otherwise it is unclear which one is meant. */
function writeClaimants(work: ConversionContext, all: readonly ReadyAgent[]): void {
  const isSame = all.every(
    ({ converted }) => JSON.stringify(converted.output) === JSON.stringify(all[0]?.converted.output),
  )
  if (isSame) {
    for (const ready of all) writeUnlessRefused(work, ready)
    return
  }
  const names = all.map(({ converted }) => converted.record.source.path).join(' and ')
  const every = all.length > 2 ? 'all' : 'both'
  const different = [...new Set(all.map(({ target, converted }) => outputKey(target, converted.record.target.name)))]
  const alike = different.length > 1 ? ', which are the same file on a case-insensitive disk' : ''
  const places = different.join(' and ').replaceAll('#', ', entry ') + alike
  const dialects = new Set(all.map(({ converted }) => converted.record.source.harness))
  const hint = dialects.size > 1 ? {} : { hint: 'Rename one of the agents.' }
  for (const ready of all) {
    const { path } = ready.converted.record.source
    const message = `${names} would ${every} become ${places}.`
    reportUnwritten(work, ready, 'failed', [{ ...fileProblem('same-output', path, message), ...hint }])
  }
}

function writeUnlessRefused(work: ConversionContext, ready: ReadyAgent): void {
  const { harness } = ready.target
  const refusal = wideningRefusal(harness, ready.converted, work.request.accepted(harness))
  if (refusal === null) write(work, ready)
  else reportRefused(work, ready, refusal)
}

function write(work: ConversionContext, ready: ReadyAgent): void {
  const { output, settings, record, access } = ready.converted
  const place = output.kind === 'file' ? output.path : output.settings.map(work.configs.keyOf).join()
  work.others.note(ready.target.harness, place, record.target.name, access)
  if (settings.some(({ server }) => server !== undefined)) work.deferred.push(ready)
  else writeOutput(work, ready, settings)
}

/** All agents of this run are known now, so it can be determined which others would see their settings. */
export function writeDeferred(work: ConversionContext): void {
  const { configs, others, request } = work
  // An agent that is still awaited no longer exists.
  for (const all of work.waiting.values()) writeClaimants(work, present(all))
  work.waiting.clear()
  for (const ready of work.deferred.splice(0)) {
    const { harness } = ready.target
    const { settings, record } = ready.converted
    const around = findServerGains(harness, settings, configs, others)
    const known = { ...ready, converted: { ...ready.converted, record: withGains(record, around, settings) } }
    const refusal = serverRefusal(harness, record, around, request.accepted(harness))
    if (refusal === null) writeOutput(work, known, around.settings)
    else reportRefused(work, known, refusal)
  }
}
