/** Converts the agents of a project or of paths, one after another, and writes the results. */

import { gapClass, type OpenGap } from '../../convert/gaps.ts'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { type ReadAgent, readAgents } from '../../harness/read/agents.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { ComponentConversion } from '../../model/component.ts'
import type { Conversion } from '../../model/conversion.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import { projectAgents } from '../../project/effective/effective.ts'
import { readHead, readTextFile } from '../../project/read-text.ts'
import { trackReferences } from '../../project/references.ts'
import { openSettings } from '../../project/settings-limits.ts'
import type { Candidate } from '../../workbench/file.ts'
import { lockKeyOf } from '../../workbench/lock-file.ts'
import { type AgentDefinition, createMerging, twinMessage } from '../../workbench/merge.ts'
import { nameAgents, outputKey } from '../../workbench/naming.ts'
import { decisionsFor } from '../../workbench/refusal.ts'
import { openRun, type RunOptions } from '../run/run.ts'
import type { RunRefusal } from '../run/troupe-folder.ts'
import { claimOutput, releaseClaim, writeDeferred } from './claim-output.ts'
import { convertComponents } from './components.ts'
import type { ConversionContext, TargetContext } from './context.ts'
import { convertFile, type FileJob, type FileResult, type FileRules } from './convert-file.ts'
import { type FileConverter, openConverter } from './converter.ts'
import { prune } from './prune.ts'
import { openReadCache } from './read-cache.ts'
import type { ConversionRequest, OnConversion } from './request.ts'
import { openAgentsGainingServer } from './shared-settings.ts'
import { findSources, type ListedSource } from './sources.ts'
import { openTargetSettings } from './target-settings.ts'
import { type EarlierRuns, openEarlierRuns, openUpToDate, unchangedIn } from './up-to-date.ts'
import {
  isSourceIn,
  keepPrevious,
  keepRefusal,
  repeatRefusal,
  reportEntries,
  reportPending,
  resultOf,
} from './write-output.ts'

export interface ConversionOutcome {
  /** Why nothing was done at all. */
  readonly refused: RunRefusal | null
  /** Those that belong to no agent. */
  readonly diagnostics: readonly Diagnostic[]
  /** The exit code after Ctrl-C. */
  readonly interrupted: number | null
  /** Outputs that are not reported, because they are up to date and were not converted again. */
  readonly leftAlone: number
  /** Configuration files that were, or would be, changed. */
  readonly configs: readonly string[]
  /** Sentences about named files that are not agents. */
  readonly notAgents: readonly string[]
  /** What became of everything besides agents, target by target. */
  readonly components: readonly ComponentConversion[]
}

export async function convertProject(request: ConversionRequest, report: OnConversion): Promise<ConversionOutcome> {
  const { force, dryRun } = request
  let past: EarlierRuns | null = null
  const lookedUp: ConversionContext['lookedUp'] = new Map()
  const onKnown: RunOptions['onKnown'] = (file, path, entry, seen) => {
    past?.memory.recordHash(file, entry.hash, seen)
    if (entry.made !== undefined) past?.memory.recordOutput(path, entry)
    const looked = lookedUp.get(path)
    const result = looked === undefined ? null : resultOf(looked, path)
    if (result !== null) past?.memory.results.record({ ...result, entry })
  }
  const opened = openRun(request.out, request.command, { force, dryRun, onKnown })
  if ('refused' in opened) return refusedConversion(request, opened)
  const { run } = opened
  let converter: FileConverter | null = null
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
        decisions: decisionsFor(request, target.harness),
        models: request.models(target.harness),
      })),
      roster,
      run,
      read: past?.memory.read ?? shelf.read,
      upToDate: openUpToDate(request, past, roster, run),
      configs,
      others: openAgentsGainingServer(request.registry, request.out, configs),
      report,
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
      claimed: new Set(),
      lookedUp,
      pending: [],
      entries: [],
    }
    const rules: FileRules = {
      registry: request.registry,
      here: request.here,
      project: work.project,
      out: request.out,
      keepAsking: request.keepAsking,
      ignoredKeys: request.ignoredKeys,
      targets: work.targets.map(({ target, decisions, models, naming: { renamedFor, all } }) => {
        return { target, decisions, models, renamedFor, renamed: all, cacheKey: work.upToDate.rulesFor(target) }
      }),
    }
    converter = openConverter(rules, roster.files.length, request.workers)
    let interrupted: number | null = null
    let leftAlone = 0
    const files = request.only?.has('agent') === false ? [] : roster.files
    for (const [index, file] of files.entries()) {
      const answer = run.interrupted()
      interrupted = answer instanceof Promise ? await answer : answer
      if (interrupted !== null) break
      request.onProgress?.(index, files.length)
      const { job, current } = examineFile(work, file)
      leftAlone += current
      if (job === null) continue
      if (job.isMerged)
        takeResult(
          work,
          job,
          convertFile(rules, job, (alone) => withMergedDefinitions(work, file, alone)),
        )
      else for (const done of await converter.convert(job)) takeResult(work, done.job, done.result)
    }
    for (const done of await converter.finish()) takeResult(work, done.job, done.result)
    if (interrupted === null) writeDeferred(work)
    const components = interrupted === null ? convertComponents(work) : []
    if (interrupted === null && request.command === 'build') prune(work)
    reportPending(work)
    if (!request.dryRun) configs.write(run)
    reportEntries(work)
    const reported = new Set(run.failed.keys())
    const { failed } = run.commit()
    if (!request.dryRun) past?.memory.keep(run.owned, run.lockHash())
    const unreported = [...failed].filter(([path]) => !reported.has(path) || configs.changed().includes(path))
    const problems = unreported.map(([path, { message }]) => fileProblem('not-written', path, message))
    const diagnostics = [...roster.diagnostics, ...work.notes, ...problems]
    const notAgents = roster.refused
    return { refused: null, diagnostics, interrupted, leftAlone, configs: configs.changed(), notAgents, components }
  } finally {
    converter?.close()
    run.abort()
  }
}

/** Paths are shown as everywhere. */
function refusedConversion({ here, out }: ConversionRequest, { refused, problem }: NotOpened): ConversionOutcome {
  const shown = showPath(here)(out)
  const message = refused.message.replace(out, () => (shown === '.' ? 'this folder' : shown))
  const { hint: _hint, ...general } = fileProblem('not-written', shown, message)
  const diagnostics = [problem ?? { ...general, ...(refused.hint === undefined ? {} : { hint: refused.hint }) }]
  const nothing = { interrupted: null, leftAlone: 0, configs: [], notAgents: [], components: [] }
  return { refused: { ...refused, message }, diagnostics, ...nothing }
}

type NotOpened = Exclude<ReturnType<typeof openRun>, { readonly run: unknown }>

/** What is to be done about a file; null: nothing. `current`: how many of its outputs are up to date. */
function examineFile(work: ConversionContext, file: ListedSource): { job: FileJob | null; current: number } {
  const { targets, upToDate, settings } = work
  const isOff = file.names.some((name) => settings.offBy(file.candidate, name) !== null)
  const behind: number[] = []
  for (const [at, { target }] of targets.entries()) if (isOff || !upToDate.isUpToDate(file, target)) behind.push(at)
  reportLimits(work, file.candidate, targets)
  const current = targets.length - behind.length
  const isDone = behind.length === 0 || (!isOff && repeatRefusals(work, file, behind))
  return { job: isDone ? null : prepareFile(work, file, behind), current }
}

/** Where all that is behind was refused before, nothing has to be converted. */
function repeatRefusals(work: ConversionContext, file: ListedSource, behind: readonly number[]): boolean {
  const refusals = behind.map((at) => work.upToDate.refusalOf(file, (work.targets[at] as TargetContext).target))
  if (!refusals.every((one) => one !== null)) return false
  work.notes.push(...(refusals[0]?.notes ?? []))
  for (const refusal of refusals) repeatRefusal(work, refusal)
  return true
}

/** What is known of a file before it is converted; null: it has been deleted since it was listed. */
function prepareFile(work: ConversionContext, file: ListedSource, behind: readonly number[]): FileJob | null {
  const { below, targets } = work
  const { candidate, path, names, isUnclear, merged } = file
  const found = work.read(candidate.path, path)
  const place = below(candidate.path)
  if ('problem' in found) {
    for (const index of behind) {
      const { target, naming } = targets[index] as TargetContext
      keepPrevious(work, place, target)
      for (const name of names) releaseClaim(work, target, naming.nameOf(candidate, name))
    }
    return null
  }
  const agents = names.map((name) => ({
    name,
    targetNames: behind.map((index) => (targets[index] as TargetContext).naming.nameOf(candidate, name)),
    owned: work.run.owned.get(lockKeyOf(place, candidate.carrier, name)),
    offBy: work.settings.offBy(candidate, name),
  }))
  const { file: source, hash } = found
  return { candidate, path, place, source, hash, isUnclear, isMerged: merged !== undefined, agents, targets: behind }
}

/** Claims the outputs of a file; a file is written when no other agent still claims it. */
function takeResult(work: ConversionContext, job: FileJob, { notes, reads, agents }: FileResult): void {
  for (const path of reads) work.request.onRead?.(path)
  work.notes.push(...notes)
  for (const result of agents) {
    const { target } = work.targets[result.index] as TargetContext
    if (result.kind === 'ready') {
      const { converted, diagnostics, entry } = result
      claimOutput(work, { target, converted, diagnostics, entry, notes })
      continue
    }
    // An output written before the agent was disabled or checked must not stay.
    const output = outputKey(target, result.name)
    if (result.kind === 'refused') work.refused.add(output)
    else keepPrevious(work, job.place, target)
    if (result.conversion !== null) work.report(result.conversion)
    if (result.conversion !== null && result.entry !== undefined)
      keepRefusal(work, result.entry, output, result.conversion, notes)
    releaseClaim(work, target, result.name)
  }
}

/** What settings deny to every agent of a harness is not part of a definition: each limit is reported once. */
function reportLimits(work: ConversionContext, candidate: Candidate, targets: readonly TargetContext[]): void {
  const { harness } = candidate
  if (targets.every(({ target }) => target.harness.id === harness.id)) return
  for (const { file, key } of work.settings.limits(candidate)) {
    const known = `${harness.id}\n${file}\n${key}`
    if (work.limited.has(known)) continue
    work.limited.add(known)
    const message = `\`${key}\` limits every agent of ${harness.title} here. It is not part of a definition, so it does not carry over.`
    work.notes.push(fileProblem('settings-limit', file, message))
  }
}

/** With what other files define for it, where its harness merges them. */
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
      const { project, show, request } = work
      const { surroundings } = trackReferences(one.candidate, {
        project,
        root: request.out,
        show,
        onRead: request.onRead,
      })
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

/** Converts without writing, to list the classes of gaps before anything is decided. */
export interface GapClass {
  readonly target: Harness
  /** The key of its answer. */
  readonly name: string
  readonly gap: OpenGap
  /** How many agents have it. */
  readonly agents: number
}

/** Minor gaps resolve themselves and are not included; the most severe come first. */
export async function collectGapClasses(request: Omit<ConversionRequest, 'decisions'>): Promise<GapClass[]> {
  const classes = new Map<string, GapClass>()
  const add = ({ target: { harness: id }, gaps }: Conversion) => {
    const target = request.registry.byId(id)
    if (target === undefined) return
    for (const gap of gaps.filter(({ severity }) => severity !== 'low')) {
      const name = gapClass(gap)
      const key = `${id} ${name}`
      const { resolution: _resolution, decidedBy: _decidedBy, ...open } = gap
      const known = classes.get(key)
      classes.set(key, { target, name, gap: known?.gap ?? open, agents: (known?.agents ?? 0) + 1 })
    }
  }
  await convertProject({ ...request, decisions: () => ({}), dryRun: true }, add)
  const order = { high: 0, medium: 1, low: 2 }
  return [...classes.values()].sort((a, b) => order[a.gap.severity] - order[b.gap.severity] || b.agents - a.agents)
}
