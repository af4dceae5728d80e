/** Converts the agents of a project or of paths, one after the other, and writes what came of each. */
import { keptFrom } from '../convert/keep.ts'
import { parseSource } from '../convert/parse.ts'
import { type ConvertOptions, convertAgent } from '../convert/pipeline.ts'
import { moveAgent } from '../convert/same-dialect.ts'
import { readAgents } from '../harness/read.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { decode } from '../text/decode.ts'
import { locate } from '../text/locate.ts'
import { openConfigs } from './converting/configs.ts'
import { failedConversion, notConverted } from './converting/refusal.ts'
import type { ConversionRequest, OnConversion } from './converting/request.ts'
import { type Enlisted, enlist, nameIn } from './converting/roster.ts'
import { settle, tellPending, type Work } from './converting/settle.ts'
import { skillFinder } from './converting/skills.ts'
import { fileProblem, readBytes, surroundingsOf } from './files.ts'
import { contentHash } from './hash.ts'
import { keptOf } from './lock.ts'
import { projectFolders, showPath } from './roots.ts'
import { openRun } from './writer.ts'
import type { Refusal } from './writing/open.ts'

export interface ConversionEnd {
  /** Why nothing was done at all. */
  readonly refused: Refusal | null
  /** What belongs to no agent. */
  readonly diagnostics: readonly Diagnostic[]
  /** The code to exit with after Ctrl-C. */
  readonly interrupted: number | null
  /** Configuration files that were, or would be, changed. */
  readonly configs: readonly string[]
}

export async function convertProject(request: ConversionRequest, tell: OnConversion): Promise<ConversionEnd> {
  const opened = openRun(request.out, 'convert', { force: request.force, dryRun: request.dryRun })
  if ('refused' in opened) {
    const diagnostics = opened.problem === undefined ? [] : [opened.problem]
    return { refused: opened.refused, diagnostics, interrupted: null, configs: [] }
  }
  const { run } = opened
  try {
    const roster = enlist(request, run.owned)
    const configs = openConfigs(request.out)
    const work: Work = {
      request,
      roster,
      run,
      configs,
      tell,
      project: projectFolders(request.here)[0] ?? request.here,
      show: showPath(request.here),
      below: showPath(request.out),
      waiting: new Map(),
      pending: [],
    }
    let interrupted: number | null = null
    for (const file of roster.files) {
      interrupted = await run.interrupted()
      if (interrupted !== null) break
      convertFile(work, file)
    }
    tellPending(work)
    if (!request.dryRun) configs.write(run)
    const told = new Set(run.failed.keys())
    const { failed } = run.commit()
    const untold = [...failed].filter(([path]) => !told.has(path) || configs.changed().includes(path))
    const problems = untold.map(([path, { message }]) => fileProblem('not-written', path, message))
    const diagnostics = [...roster.diagnostics, ...problems]
    return { refused: null, diagnostics, interrupted, configs: configs.changed() }
  } finally {
    run.abort()
  }
}

function convertFile(work: Work, { candidate, path }: Enlisted): void {
  const { request, roster, below } = work
  const { registry } = request
  const file = readBytes(candidate.path, path)
  // Files change while one works; what has gone since is no longer there to be converted.
  if ('problem' in file) return
  const { harness, carrier, relativePath } = candidate
  const { text, findings } = decode(file.bytes)
  const surroundings = surroundingsOf(candidate.path)
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const diagnostics = locate([...findings, ...read.findings], path, text)
  const sourceHash = contentHash(file.bytes)
  for (const agent of read.agents) {
    const source = parseSource({ registry, harness, carrier, path, text, document: read.document }, agent)
    for (const target of request.targets) {
      const name = nameIn(target, candidate, agent.agent.name)
      const options: ConvertOptions = {
        target,
        name,
        renamed: roster.renamed.get(target) ?? new Map(),
        policy: request.policy(target.harness),
        models: request.models(target.harness),
        keepAsking: request.keepAsking,
        findSkill: skillFinder(candidate, target.harness, work.project, work.show),
        kept: keptFrom(keptOf(work.run.owned.get(below(candidate.path)))),
      }
      try {
        const isSame = harness.id === target.harness.id
        const converted = isSame ? moveAgent(source, options) : convertAgent(source, options)
        const entry = { source: below(candidate.path), from: harness.id, to: target.harness.id, sourceHash }
        settle(work, { target, converted, diagnostics, entry })
      } catch (error) {
        work.tell(failedConversion(source, target, name, [...diagnostics, notConverted(path, error)]))
      }
    }
  }
}
