/** One build: all targets of `troupe.yaml` from its source, and what came of it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Registry } from '../harness/registry.ts'
import { type Acceptance, acceptancesOf } from '../model/acceptance.ts'
import type { Adoption } from '../model/adoption.ts'
import type { Conversion } from '../model/conversion.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import type { Drift } from '../model/drift.ts'
import { bringBack } from '../project/adopting/bring-back.ts'
import { type ConversionEnd, convertProject } from '../project/convert.ts'
import type { ConversionRequest } from '../project/converting/request.ts'
import { driftDiagnostic } from '../project/drift-diagnostics.ts'
import { projectFolders } from '../project/roots.ts'
import { settledProject } from '../project/settled.ts'
import { TROUPE_FILE, type TroupeFile } from '../project/troupe-file.ts'
import { type BuildReport, buildSummary } from '../report/build-text.ts'
import { createTally } from '../report/conversion-text.ts'
import { type CommandInput, exit, UsageError } from './command.ts'
import { chooseEditPolicy } from './edit-policy.ts'
import { chooseGapPolicy } from './gap-policy.ts'
import { openProgress } from './progress.ts'
import { findTarget, openRegistry } from './setting.ts'

export interface Built extends BuildReport {
  /** What all paths are relative to. */
  readonly root: string
  readonly end: ConversionEnd
  /** What is not in step, with places; only where they were asked for. */
  readonly places: readonly Diagnostic[]
  readonly code: number
}

export interface BuildOptions {
  /** Everything that was not in step is kept, and not only what somebody must know about. */
  readonly keepsResults: boolean
  /** The lines are looked up that are not in step. */
  readonly findsPlaces: boolean
  /** Called for what agents refer to, before it is looked for. */
  readonly onRead?: (path: string) => void
}

export async function buildOnce(
  input: CommandInput,
  { keepsResults, findsPlaces, onRead }: BuildOptions,
): Promise<Built> {
  const { registry, problems } = await openRegistry(input)
  const root = projectFolders(input.here)[0] ?? input.here
  const settled = settledProject(registry, root)
  const isCheck = input.options.check === true
  const problem = settled.problems.find(({ severity }) => severity === 'error')
  if (problem !== undefined) throw new UsageError(problem.message)
  const base = requestOf(input, registry, root, settled)
  const gaps = await chooseGapPolicy(isCheck ? quietly(input) : input, base, { root, ...settled.file })
  const decided: ConversionRequest = { ...base, policy: gaps.policy, policyText: gaps.text, models: gaps.models }
  const edits = await chooseEditPolicy(input, decided)
  let adoptions: readonly Adoption[] = []
  const overwrites = (path: string) =>
    edits.choose(path) === 'overwrite' || adoptions.some((one) => one.path === path && one.problem === null)
  const progress = openProgress(input, isCheck ? 'checking' : 'building')
  const drifts: Drift[] = []
  const places: Diagnostic[] = []
  const results: Conversion[] = []
  const accepted: Acceptance[] = []
  let undecided = 0
  const tally = createTally()
  const request: ConversionRequest = {
    ...decided,
    first: (run) => {
      if (edits.adopts) adoptions = bringBack(decided, run, edits.choose, edits.isAccepted)
    },
    overwrites,
    onDrift: (drift, wanted) => {
      drifts.push(drift)
      if (findsPlaces) places.push(driftDiagnostic(root, drift, wanted))
    },
    onProgress: progress.show,
    ...(onRead === undefined ? {} : { onRead }),
  }
  const end = await convertProject(request, (conversion) => {
    tally.add(conversion)
    // Said when it is decided, and not of what stands there already.
    if (gaps.isOpen && conversion.status !== 'unchanged')
      undecided += conversion.gaps.filter(({ severity }) => severity !== 'low').length
    accepted.push(...acceptancesOf(conversion, settled.file.accept.get(conversion.target.harness) ?? new Map()))
    if (isTold(conversion) || (keepsResults && conversion.status !== 'unchanged')) results.push(conversion)
  }).finally(progress.end)
  const diagnostics = [...problems, ...settled.problems, ...gaps.problems, ...end.diagnostics]
  const summary = buildSummary(tally.summary(), end.leftAlone)
  const isLeft = ({ kind, path }: Drift) => {
    if (isCheck) return true
    return kind === 'edited' ? !overwrites(path) : kind === 'foreign' && !base.force
  }
  const isWrong = summary.refused > 0 || summary.failed > 0 || diagnostics.some(({ severity }) => severity === 'error')
  const code = isWrong || drifts.some(isLeft) ? exit.findings : exit.fine
  const targets = base.targets.length
  return {
    root,
    targets,
    drifts,
    adoptions,
    accepted,
    undecided,
    results,
    summary,
    diagnostics,
    isCheck,
    isLeft,
    end,
    places,
    code,
  }
}

/** A check asks nothing. */
function quietly(input: CommandInput): CommandInput {
  return { ...input, options: { ...input.options, yes: true } }
}

/** What a person must know about. */
function isTold({ status }: Conversion): boolean {
  return status === 'refused' || status === 'failed'
}

function requestOf(
  { options }: CommandInput,
  registry: Registry,
  root: string,
  { file: settled, problems }: { readonly file: TroupeFile; readonly problems: readonly Diagnostic[] },
): Omit<ConversionRequest, 'policy'> {
  if (settled.source.length === 0 || settled.targets.length === 0) {
    const what = existsSync(join(root, TROUPE_FILE))
      ? `${TROUPE_FILE} does not say what to build.`
      : `There is no ${TROUPE_FILE} here.`
    const [wrong] = problems
    const needs = 'It needs `source: FOLDER` and `targets: [ID, ...]`; `troupe init` writes one.'
    throw new UsageError(what, wrong === undefined ? needs : `${wrong.message} ${needs}`)
  }
  for (const path of settled.source) {
    if (!existsSync(join(root, path))) throw new UsageError(`${TROUPE_FILE}: there is no ${path}.`)
  }
  return {
    registry,
    command: 'build',
    here: root,
    paths: settled.source,
    from: null,
    targets: settled.targets.map((word) => findTarget(registry, word)),
    out: root,
    models: (target) => settled.models.get(target.id) ?? {},
    keepAsking: options['keep-asking'] === true || settled.keepAsking,
    accepted: (target) => {
      const capabilities = settled.accept.get(target.id) ?? new Map()
      return { all: capabilities.has('*'), capabilities, only: TROUPE_FILE }
    },
    force: options.force === true,
    dryRun: options.check === true,
  }
}
