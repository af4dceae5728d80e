/** Converts the agents of a project or of paths, one after the other, and writes what came of each. */

import { createSource } from '../../convert/agent/source.ts'
import { type Converted, convertAgent } from '../../convert/convert.ts'
import type { ConvertOptions } from '../../convert/plan.ts'
import { definitionHash } from '../../disk/hash.ts'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { locateFindings } from '../../formats/lines.ts'
import { type ReadAgent, readAgents } from '../../harness/read/agents.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import { projectAgents } from '../../project/effective/effective.ts'
import { readHead, readTextFile } from '../../project/read-text.ts'
import { trackReferences } from '../../project/references.ts'
import { openSettings } from '../../project/settings-limits.ts'
import type { Candidate } from '../../workbench/file.ts'
import { isSwitchedOff } from '../../workbench/inventory.ts'
import { lockKeyOf } from '../../workbench/lock-file.ts'
import { type AgentDefinition, createMerging, twinMessage } from '../../workbench/merge.ts'
import { nameAgents, nameInHarness, outputKey } from '../../workbench/naming.ts'
import {
  conversionFailed,
  failedConversion,
  policyFor,
  revivedFileNotes,
  switchedOffNote,
  whyNotConvertible,
} from '../../workbench/refusal.ts'
import { openRun, type RunOptions } from '../run/run.ts'
import type { RunRefusal } from '../run/troupe-folder.ts'
import { claimOutput, releaseClaim, writeDeferred } from './claim-output.ts'
import type { ConversionContext, TargetContext } from './context.ts'
import { keptFor } from './original.ts'
import { prune } from './prune.ts'
import { openReadCache } from './read-cache.ts'
import type { ConversionRequest, OnConversion } from './request.ts'
import { openAgentsGainingServer } from './shared-settings.ts'
import { findSources, type ListedSource } from './sources.ts'
import { openTargetSettings } from './target-settings.ts'
import { buildKeyOf, type EarlierRuns, openEarlierRuns, openUpToDate, unchangedIn } from './up-to-date.ts'
import { isSourceIn, keepPrevious, reportEntries, reportPending } from './write-output.ts'

export interface ConversionOutcome {
  /** Why nothing was done at all. */
  readonly refused: RunRefusal | null
  /** What belongs to no agent. */
  readonly diagnostics: readonly Diagnostic[]
  /** The code to exit with after Ctrl-C. */
  readonly interrupted: number | null
  /** Outputs of which nothing was told, because they are in step and were not made again. */
  readonly leftAlone: number
  /** Configuration files that were, or would be, changed. */
  readonly configs: readonly string[]
  /** Sentences about files that were named and are no agents. */
  readonly notAgents: readonly string[]
}

export async function convertProject(request: ConversionRequest, tell: OnConversion): Promise<ConversionOutcome> {
  const { force, dryRun } = request
  let past: EarlierRuns | null = null
  const onKnown: RunOptions['onKnown'] = (file, path, entry, seen) => {
    past?.memory.learn(file, entry.hash, seen)
    if (entry.made !== undefined) past?.memory.vouch(path, entry)
  }
  const opened = openRun(request.out, request.command, { force, dryRun, onKnown })
  if ('refused' in opened) return refusedConversion(request, opened)
  const { run } = opened
  try {
    request.first?.(run)
    past = openEarlierRuns(request, run)
    const shelf = openReadCache()
    const roster = findSources(request, run.owned, unchangedIn(past), past === null ? shelf.head : readHead)
    const configs = openTargetSettings(request.out, { owned: run.owned, force: request.force })
    const below = showPath(request.out)
    const work: ConversionContext = {
      request,
      targets: request.targets.map((target) => ({
        target,
        naming: roster.naming.get(target) ?? nameAgents(target, []),
        policy: policyFor(request, target.harness),
        models: request.models(target.harness),
      })),
      roster,
      run,
      read: past?.memory.read ?? shelf.read,
      inStep: openUpToDate(request, past, roster, run),
      configs,
      others: openAgentsGainingServer(request.registry, request.out, configs),
      tell,
      project: projectFolders(request.here)[0] ?? request.here,
      show: showPath(request.here),
      below,
      isSource: isSourceIn(request.out, roster.files, below),
      merging: createMerging(request.registry, projectAgents(request.registry, request.here)),
      settings: openSettings(request.registry, request.here, showPath(request.here)),
      limited: new Set(),
      notes: [],
      waiting: new Map(),
      deferred: [],
      left: new Set(),
      refused: new Set(),
      pending: [],
      entries: [],
    }
    let interrupted: number | null = null
    let leftAlone = 0
    for (const [index, file] of roster.files.entries()) {
      const answer = run.interrupted()
      interrupted = answer instanceof Promise ? await answer : answer
      if (interrupted !== null) break
      request.onProgress?.(index, roster.files.length)
      const isOff = file.names.some((name) => work.settings.offBy(file.candidate, name) !== null)
      const behind = isOff ? work.targets : work.targets.filter(({ target }) => !work.inStep.isInStep(file, target))
      tellLimits(work, file.candidate, work.targets)
      if (behind.length > 0) convertFile(work, file, behind)
      leftAlone += work.targets.length - behind.length
    }
    if (interrupted === null) writeDeferred(work)
    if (interrupted === null && request.command === 'build') prune(work)
    reportPending(work)
    if (!request.dryRun) configs.write(run)
    reportEntries(work)
    const told = new Set(run.failed.keys())
    if (!request.dryRun) {
      run.flush()
      past?.memory.keep(run.owned)
    }
    const { failed } = run.commit()
    const untold = [...failed].filter(([path]) => !told.has(path) || configs.changed().includes(path))
    const problems = untold.map(([path, { message }]) => fileProblem('not-written', path, message))
    const diagnostics = [...roster.diagnostics, ...work.notes, ...problems]
    const notAgents = roster.refused
    return { refused: null, diagnostics, interrupted, leftAlone, configs: configs.changed(), notAgents }
  } finally {
    run.abort()
  }
}

/** Paths are shown as everywhere. */
function refusedConversion({ here, out }: ConversionRequest, { refused, problem }: NotOpened): ConversionOutcome {
  const shown = showPath(here)(out)
  const message = refused.message.replace(out, () => (shown === '.' ? 'this folder' : shown))
  const { hint: _hint, ...general } = fileProblem('not-written', shown, message)
  const diagnostics = [problem ?? { ...general, ...(refused.hint === undefined ? {} : { hint: refused.hint }) }]
  return { refused: { ...refused, message }, diagnostics, interrupted: null, leftAlone: 0, configs: [], notAgents: [] }
}

type NotOpened = Exclude<ReturnType<typeof openRun>, { readonly run: unknown }>

function convertFile(work: ConversionContext, file: ListedSource, targets: readonly TargetContext[]): void {
  const { request, below } = work
  const { registry } = request
  const { candidate, path, names } = file
  const found = work.read(candidate.path, path)
  // Files change while one works; what has gone since is no longer there to be converted.
  if ('problem' in found) {
    for (const { target, naming } of targets) {
      keepPrevious(work, below(candidate.path), target)
      for (const name of names) releaseClaim(work, target, naming.nameOf(candidate, name))
    }
    return
  }
  const { harness, carrier, relativePath } = candidate
  const { text, encoding, findings } = found.file
  const outside = trackReferences(candidate, work)
  const { surroundings } = outside
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  // That agents are missing is no agent's own finding.
  const isMissing = ({ code }: { readonly code: string }) => code === 'too-many-agents'
  const ofFile = locateFindings([...findings, ...read.findings.filter((one) => !isMissing(one))], path, text)
  work.notes.push(...locateFindings(read.findings.filter(isMissing), path, text))
  const place = below(candidate.path)
  for (const alone of read.agents) {
    if (!names.includes(alone.agent.name)) continue
    const { agent, uncertain } = withMergedDefinitions(work, file, alone)
    const diagnostics = [...ofFile, ...uncertain]
    const called = nameInHarness(candidate, agent.agent.name)
    const source = createSource({ registry, harness, carrier, path, text, encoding, document: read.document }, agent)
    const owned = work.run.owned.get(lockKeyOf(place, carrier, agent.agent.name))
    const { kept, original } = keptFor(registry, request.out, owned)
    const sourceHash = definitionHash(found.hash, agent.agent)
    const offBy = work.settings.offBy(candidate, agent.agent.name)
    const isOff = offBy !== null || isSwitchedOff(agent.agent)
    if (isOff) work.notes.push(switchedOffNote(path, called, offBy))
    let isMade = false
    const refusal = isOff ? null : whyNotConvertible(path, called, agent.agent, file.isUnclear, request.ignoredKeys)
    for (const { target, naming, policy, models } of targets) {
      const name = naming.nameOf(candidate, agent.agent.name)
      const isCopy = harness.id === target.harness.id && carrier.id === target.carrier.id
      if (isOff || (refusal !== null && !isCopy)) {
        // What was written before it was switched off, or before anybody looked, must not stay.
        work.refused.add(outputKey(target, name))
        if (refusal !== null) {
          const told = failedConversion(source, target, name, [...diagnostics, refusal], 'refused')
          work.tell({ ...told, name: called })
        }
        releaseClaim(work, target, name)
        continue
      }
      const options: ConvertOptions = {
        target,
        name,
        renamed: naming.renamedFor(candidate.plugin?.name),
        policy,
        models,
        keepAsking: request.keepAsking,
        findSkill: outside.findSkill(target.harness),
        kept,
        ...(original === undefined ? {} : { original }),
      }
      if (agent.isBeyondLimit) {
        work.tell(failedConversion(source, target, name, diagnostics))
        keepPrevious(work, place, target)
        releaseClaim(work, target, name)
        continue
      }
      isMade ||= harness.id !== target.harness.id
      let converted: Converted
      try {
        converted = convertAgent(source, options)
      } catch (error) {
        const told = failedConversion(source, target, name, [...diagnostics, conversionFailed(path, error)])
        work.tell({ ...told, name: called })
        keepPrevious(work, place, target)
        releaseClaim(work, target, name)
        continue
      }
      if (called !== agent.agent.name) converted = { ...converted, record: { ...converted.record, name: called } }
      const made =
        outside.isUsed() || kept !== null || file.merged !== undefined
          ? undefined
          : buildKeyOf(work.inStep.rulesFor(target), source, converted)
      const entry = { source: place, from: harness.id, to: target.harness.id, sourceHash, made }
      claimOutput(work, { target, converted, diagnostics, entry })
    }
    const subject = { registry, harness, carrier, document: read.document, ...alone }
    if (isMade) work.notes.push(...revivedFileNotes(subject, path, called))
  }
}

/** What settings take from every agent of a harness is no part of a definition: said once for each of them. */
function tellLimits(work: ConversionContext, candidate: Candidate, targets: readonly TargetContext[]): void {
  const { harness } = candidate
  if (targets.every(({ target }) => target.harness.id === harness.id)) return
  for (const { file, key } of work.settings.limits(candidate)) {
    const known = `${harness.id}\n${file}\n${key}`
    if (work.limited.has(known)) continue
    work.limited.add(known)
    const message = `\`${key}\` limits every agent of ${harness.title} here, and is no part of a definition: it does not go along.`
    work.notes.push(fileProblem('settings-limit', file, message))
  }
}

/** With what other files say about it, where its harness merges them. */
function withMergedDefinitions(
  work: ConversionContext,
  { candidate, path, merged }: ListedSource,
  alone: ReadAgent,
): Defined {
  const group = merged?.get(alone.agent.name)
  if (group === undefined) return { agent: alone, uncertain: [] }
  const { registry } = work.request
  const own: AgentDefinition = { ...alone, path, file: { candidate } }
  const others = group
    .filter((one) => one.candidate.path !== candidate.path)
    .flatMap((one): AgentDefinition[] => {
      const read = readTextFile(one.candidate.path, one.path)
      if ('problem' in read) return []
      const { harness, carrier, relativePath } = one.candidate
      const { surroundings } = trackReferences(one.candidate, work)
      const { agents } = readAgents({ registry, harness, carrier, text: read.file.text, relativePath, surroundings })
      return agents
        .filter(({ agent }) => agent.name === alone.agent.name)
        .map((agent) => ({ ...agent, path: one.path, file: one }))
    })
  const all = [own, ...others]
  const uncertain = work.merging
    .twinsAmong(all, own)
    .map((twin) => fileProblem('name-collision', path, twinMessage(candidate.harness, alone.agent.name, twin.path)))
  return { agent: work.merging.merge(all, own), uncertain }
}

interface Defined {
  readonly agent: ReadAgent
  /** Others of its name that may count instead. */
  readonly uncertain: readonly Diagnostic[]
}
