/** Converts the agents of a project or of paths, one after the other, and writes what came of each. */
import { parseSource } from '../convert/parse.ts'
import { type Converted, type ConvertOptions, convertAgent } from '../convert/pipeline.ts'
import { moveAgent } from '../convert/same-dialect.ts'
import { readAgents } from '../harness/read.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { locate } from '../text/locate.ts'
import { openConfigs } from './converting/configs.ts'
import { makingOf, openInStep, openPast, type Past, recallOf } from './converting/in-step.ts'
import { keptFor } from './converting/originals.ts'
import { openOthers } from './converting/others.ts'
import { openOutputRoom } from './converting/output-room.ts'
import { watchOutside } from './converting/outside.ts'
import { prune } from './converting/prune.ts'
import { leave, tellEntries, tellPending } from './converting/put.ts'
import { failedConversion, notConverted } from './converting/refusal.ts'
import type { ConversionRequest, OnConversion } from './converting/request.ts'
import { type Enlisted, enlist, nameIn, placeOf } from './converting/roster.ts'
import { giveUp, settle, settleDeferred } from './converting/settle.ts'
import { openShelf } from './converting/shelf.ts'
import { sourceFinder } from './converting/source-finder.ts'
import type { SettledTarget, Work } from './converting/work.ts'
import { fileProblem, readHead } from './files.ts'
import { sourceHashOf } from './hash.ts'
import { projectFolders, showPath } from './roots.ts'
import type { RunOptions } from './run.ts'
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
}

export async function convertProject(request: ConversionRequest, tell: OnConversion): Promise<ConversionEnd> {
  const { force, dryRun } = request
  let past: Past | null = null
  const onKnown: RunOptions['onKnown'] = (...known) => past?.memory.learn(...known)
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
        renamed: roster.renamed.get(target) ?? new Map(),
        policy: request.policy(target.harness),
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
      const behind = work.targets.filter(({ target }) => !work.inStep.isInStep(file, target))
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
      past?.memory.keep()
    }
    const { failed } = run.commit()
    const untold = [...failed].filter(([path]) => !told.has(path) || configs.changed().includes(path))
    const problems = untold.map(([path, { message }]) => fileProblem('not-written', path, message))
    const diagnostics = [...roster.diagnostics, ...problems]
    return { refused: null, diagnostics, interrupted, leftAlone, configs: configs.changed() }
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
  return { refused: { ...refused, message }, diagnostics, interrupted: null, leftAlone: 0, configs: [] }
}

type NotOpened = Exclude<ReturnType<typeof openRun>, { readonly run: unknown }>

function convertFile(work: Work, { candidate, path, names }: Enlisted, targets: readonly SettledTarget[]): void {
  const { request, below } = work
  const { registry } = request
  const found = work.read(candidate.path, path)
  // Files change while one works; what has gone since is no longer there to be converted.
  if ('problem' in found) {
    for (const { target } of targets) {
      leave(work, below(candidate.path), target)
      for (const name of names) giveUp(work, target, nameIn(target, candidate, name))
    }
    return
  }
  const { harness, carrier, relativePath } = candidate
  const { text, encoding, findings } = found.file
  const outside = watchOutside(candidate, work)
  const { surroundings } = outside
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const diagnostics = locate([...findings, ...read.findings], path, text)
  const place = below(candidate.path)
  for (const agent of read.agents) {
    if (!names.includes(agent.agent.name)) continue
    const source = parseSource({ registry, harness, carrier, path, text, encoding, document: read.document }, agent)
    const owned = work.run.owned.get(placeOf(place, carrier, agent.agent.name))
    const kept = keptFor(registry, request.out, owned)
    const sourceHash = sourceHashOf(found.hash, agent.agent)
    for (const { target, renamed, policy, models } of targets) {
      const name = nameIn(target, candidate, agent.agent.name)
      const options: ConvertOptions = {
        target,
        name,
        renamed,
        policy,
        models,
        keepAsking: request.keepAsking,
        findSkill: outside.findSkill(target.harness),
        kept,
      }
      let converted: Converted
      try {
        converted = harness.id === target.harness.id ? moveAgent(source, options) : convertAgent(source, options)
      } catch (error) {
        work.tell(failedConversion(source, target, name, [...diagnostics, notConverted(path, error)]))
        leave(work, place, target)
        giveUp(work, target, name)
        continue
      }
      const made =
        outside.isUsed() || kept !== null ? undefined : makingOf(work.inStep.rulesFor(target), source, converted)
      const entry = { source: place, from: harness.id, to: target.harness.id, sourceHash, made }
      settle(work, { target, converted, diagnostics, entry })
    }
  }
}
