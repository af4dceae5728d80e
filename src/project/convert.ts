/** Converts the agents of a project or of paths, one after the other, and writes what came of each. */
import { parseSource } from '../convert/parse.ts'
import { type Converted, type ConvertOptions, convertAgent } from '../convert/pipeline.ts'
import { moveAgent } from '../convert/same-dialect.ts'
import { type ReadAgent, readAgents } from '../harness/read.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { locate } from '../text/locate.ts'
import { calledName } from './called.ts'
import { openConfigs } from './converting/configs.ts'
import { makingOf, openInStep, openPast, type Past, recallOf } from './converting/in-step.ts'
import { claimOf, nameAgents } from './converting/naming.ts'
import { keptFor } from './converting/originals.ts'
import { openOthers } from './converting/others.ts'
import { openOutputRoom } from './converting/output-room.ts'
import { watchOutside } from './converting/outside.ts'
import { prune } from './converting/prune.ts'
import { leave, tellEntries, tellPending } from './converting/put.ts'
import {
  failedConversion,
  isSwitchedOff,
  notConverted,
  notConvertible,
  policyFor,
  revivedFile,
  switchedOff,
} from './converting/refusal.ts'
import type { ConversionRequest, OnConversion } from './converting/request.ts'
import { type Enlisted, enlist } from './converting/roster.ts'
import { giveUp, settle, settleDeferred } from './converting/settle.ts'
import { openShelf } from './converting/shelf.ts'
import { sourceFinder } from './converting/source-finder.ts'
import type { SettledTarget, Work } from './converting/work.ts'
import type { Candidate } from './discover.ts'
import { fileProblem, readHead, readTextFile } from './files.ts'
import { sourceHashOf } from './hash.ts'
import { type Definition, openMerging, uncertainTwin } from './merged.ts'
import { placeInLock } from './outputs.ts'
import { projectFolders, showPath } from './roots.ts'
import type { RunOptions } from './run.ts'
import { openSettings } from './settings-said.ts'
import { openRun } from './writer.ts'
import type { Refusal } from './writing/open.ts'

export interface ConversionEnd {
  /** Why nothing was done at all. */
  readonly refused: Refusal | null
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

export async function convertProject(request: ConversionRequest, tell: OnConversion): Promise<ConversionEnd> {
  const { force, dryRun } = request
  let past: Past | null = null
  const onKnown: RunOptions['onKnown'] = (file, path, entry, seen) => {
    past?.memory.learn(file, entry.hash, seen)
    if (entry.made !== undefined) past?.memory.vouch(path, entry)
  }
  const opened = openRun(request.out, request.command, { force, dryRun, onKnown })
  if ('refused' in opened) return notBegun(request, opened)
  const { run } = opened
  try {
    request.first?.(run)
    past = openPast(request, run)
    const shelf = openShelf()
    const roster = enlist(request, run.owned, recallOf(past), past === null ? shelf.head : readHead)
    const configs = openConfigs(request.out, { owned: run.owned, force: request.force })
    const below = showPath(request.out)
    const work: Work = {
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
      inStep: openInStep(request, past, roster, run),
      configs,
      others: openOthers(request.registry, request.out, configs),
      room: openOutputRoom(),
      tell,
      project: projectFolders(request.here)[0] ?? request.here,
      show: showPath(request.here),
      below,
      isSource: sourceFinder(request.out, roster.files, below),
      merging: openMerging(request.registry, request.here),
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
    if (interrupted === null) settleDeferred(work)
    if (interrupted === null && request.command === 'build') prune(work)
    tellPending(work)
    if (!request.dryRun) configs.write(run)
    tellEntries(work)
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
function notBegun({ here, out }: ConversionRequest, { refused, problem }: NotOpened): ConversionEnd {
  const shown = showPath(here)(out)
  const message = refused.message.replace(out, () => (shown === '.' ? 'this folder' : shown))
  const { hint: _hint, ...general } = fileProblem('not-written', shown, message)
  const diagnostics = [problem ?? { ...general, ...(refused.hint === undefined ? {} : { hint: refused.hint }) }]
  return { refused: { ...refused, message }, diagnostics, interrupted: null, leftAlone: 0, configs: [], notAgents: [] }
}

type NotOpened = Exclude<ReturnType<typeof openRun>, { readonly run: unknown }>

function convertFile(work: Work, file: Enlisted, targets: readonly SettledTarget[]): void {
  const { request, below } = work
  const { registry } = request
  const { candidate, path, names } = file
  const found = work.read(candidate.path, path)
  // Files change while one works; what has gone since is no longer there to be converted.
  if ('problem' in found) {
    for (const { target, naming } of targets) {
      leave(work, below(candidate.path), target)
      for (const name of names) giveUp(work, target, naming.nameOf(candidate, name))
    }
    return
  }
  const { harness, carrier, relativePath } = candidate
  const { text, encoding, findings } = found.file
  const outside = watchOutside(candidate, work)
  const { surroundings } = outside
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  // That agents are missing is no agent's own finding.
  const isMissing = ({ code }: { readonly code: string }) => code === 'too-many-agents'
  const ofFile = locate([...findings, ...read.findings.filter((one) => !isMissing(one))], path, text)
  work.notes.push(...locate(read.findings.filter(isMissing), path, text))
  const place = below(candidate.path)
  for (const alone of read.agents) {
    if (!names.includes(alone.agent.name)) continue
    const { agent, uncertain } = asDefined(work, file, alone)
    const diagnostics = [...ofFile, ...uncertain]
    const called = calledName(candidate, agent.agent.name)
    const source = parseSource({ registry, harness, carrier, path, text, encoding, document: read.document }, agent)
    const owned = work.run.owned.get(placeInLock(place, carrier, agent.agent.name))
    const { kept, original } = keptFor(registry, request.out, owned)
    const sourceHash = sourceHashOf(found.hash, agent.agent)
    const offBy = work.settings.offBy(candidate, agent.agent.name)
    const isOff = offBy !== null || isSwitchedOff(agent.agent)
    if (isOff) work.notes.push(switchedOff(path, called, offBy))
    let isMade = false
    const refusal = isOff ? null : notConvertible(path, called, agent.agent, file.isUnclear, request.ignoredKeys)
    for (const { target, naming, policy, models } of targets) {
      const name = naming.nameOf(candidate, agent.agent.name)
      const isCopy = harness.id === target.harness.id && carrier.id === target.carrier.id
      if (isOff || (refusal !== null && !isCopy)) {
        // What was written before it was switched off, or before anybody looked, must not stay.
        work.refused.add(claimOf(target, name))
        if (refusal !== null) {
          const told = failedConversion(source, target, name, [...diagnostics, refusal], 'refused')
          work.tell({ ...told, name: called })
        }
        giveUp(work, target, name)
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
        leave(work, place, target)
        giveUp(work, target, name)
        continue
      }
      isMade ||= harness.id !== target.harness.id
      let converted: Converted
      try {
        converted = harness.id === target.harness.id ? moveAgent(source, options) : convertAgent(source, options)
      } catch (error) {
        const told = failedConversion(source, target, name, [...diagnostics, notConverted(path, error)])
        work.tell({ ...told, name: called })
        leave(work, place, target)
        giveUp(work, target, name)
        continue
      }
      if (called !== agent.agent.name) converted = { ...converted, record: { ...converted.record, name: called } }
      const made =
        outside.isUsed() || kept !== null || file.merged !== undefined
          ? undefined
          : makingOf(work.inStep.rulesFor(target), source, converted)
      const entry = { source: place, from: harness.id, to: target.harness.id, sourceHash, made }
      settle(work, { target, converted, diagnostics, entry })
    }
    const subject = { registry, harness, carrier, document: read.document, ...alone }
    if (isMade) work.notes.push(...revivedFile(subject, path, called))
  }
}

/** What settings take from every agent of a harness is no part of a definition: said once for each of them. */
function tellLimits(work: Work, candidate: Candidate, targets: readonly SettledTarget[]): void {
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
function asDefined(work: Work, { candidate, path, merged }: Enlisted, alone: ReadAgent): Defined {
  const group = merged?.get(alone.agent.name)
  if (group === undefined) return { agent: alone, uncertain: [] }
  const { registry } = work.request
  const own: Definition = { ...alone, path, file: { candidate } }
  const others = group
    .filter((one) => one.candidate.path !== candidate.path)
    .flatMap((one): Definition[] => {
      const read = readTextFile(one.candidate.path, one.path)
      if ('problem' in read) return []
      const { harness, carrier, relativePath } = one.candidate
      const { surroundings } = watchOutside(one.candidate, work)
      const { agents } = readAgents({ registry, harness, carrier, text: read.file.text, relativePath, surroundings })
      return agents
        .filter(({ agent }) => agent.name === alone.agent.name)
        .map((agent) => ({ ...agent, path: one.path, file: one }))
    })
  const all = [own, ...others]
  const uncertain = work.merging
    .twinsAmong(all, own)
    .map((twin) => fileProblem('name-collision', path, uncertainTwin(candidate.harness, alone.agent.name, twin.path)))
  return { agent: work.merging.merge(all, own), uncertain }
}

interface Defined {
  readonly agent: ReadAgent
  /** Others of its name that may count instead. */
  readonly uncertain: readonly Diagnostic[]
}
