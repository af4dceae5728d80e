/** One build: all targets of `troupe.yaml` from its source, and the result. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolders } from '../../disk/roots.ts'
import type { Registry } from '../../harness/registry.ts'
import { type Acceptance, acceptancesOf, type Conversion } from '../../model/conversion.ts'
import type { Adoption, Drift } from '../../model/drift.ts'
import type { Diagnostic } from '../../model/findings.ts'
import { expandSources, readBuildConfig } from '../../project/build-config.ts'
import { nameFormFor, TROUPE_FILE, type TroupeFile } from '../../project/troupe-file.ts'
import { type BuildReport, buildSummary, type ReportedResult } from '../../report/build.ts'
import { createFigures } from '../../report/conversion/run.ts'
import { adoptHandEdits } from '../../sync/adopt.ts'
import { type ConversionOutcome, convertProject } from '../../sync/convert/convert.ts'
import type { ConversionRequest } from '../../sync/convert/request.ts'
import { driftDiagnostic, formerOutputRoots, outputRootsOf } from '../../sync/drift.ts'
import { type CommandInput, exit, openProgress, UsageError } from '../command.ts'
import { convertWorkers, findTarget, loadRegistry } from '../load.ts'
import { chooseEditPolicy, chooseGapPolicy } from '../policies.ts'

export interface BuildResult extends BuildReport {
  /** What all paths are relative to. */
  readonly root: string
  readonly end: ConversionOutcome
  /** What is out of date, with places; only if they were asked for. */
  readonly places: readonly Diagnostic[]
  readonly code: number
}

export interface BuildOptions {
  /** All outputs that were out of date are kept, not only those that need attention. */
  readonly keepsResults: boolean
  /** The lines that are out of date are looked up. */
  readonly findsPlaces: boolean
  /** Called for each path that agents refer to, before it is looked up. */
  readonly onRead?: (path: string) => void
}

export async function buildOnce(
  input: CommandInput,
  { keepsResults, findsPlaces, onRead }: BuildOptions,
): Promise<BuildResult> {
  const { registry, problems } = await loadRegistry(input)
  const root = projectFolders(input.here)[0] ?? input.here
  const settled = readBuildConfig(registry, root)
  const isCheck = input.options.check === true
  const problem = settled.problems.find(({ severity }) => severity === 'error')
  if (problem !== undefined) throw new UsageError(problem.message)
  const requests = requestsOf(input, registry, root, settled)
  const progress = openProgress(input, isCheck ? 'checking' : 'building')
  const made: BuildProgress = {
    drifts: [],
    places: [],
    results: [],
    accepted: [],
    adoptions: [],
    figures: createFigures(),
    undecided: 0,
    elsewhere: [],
  }
  const ends: ConversionOutcome[] = []
  const policies: OnePolicy[] = []
  for (const { said, ...base } of requests) {
    const gaps = await chooseGapPolicy(isCheck ? withoutQuestions(input) : input, base, { root, ...settled.file })
    const decided: ConversionRequest = {
      ...base,
      decisions: gaps.decisions,
      decisionsText: gaps.text,
      models: gaps.models,
      workers: convertWorkers(),
    }
    const edits = await chooseEditPolicy(input, decided)
    let adopted: readonly Adoption[] = []
    const overwrites = (path: string) =>
      edits.choose(path) === 'overwrite' || adopted.some((one) => one.path === path && one.problem === null)
    const shown = (path: string) => (said === null ? path : `${said.replace(/\/$/, '')}/${path}`)
    const request: ConversionRequest = {
      ...decided,
      first: (run) => {
        if (edits.adopts) adopted = adoptHandEdits(decided, run, edits.choose, edits.isAccepted)
      },
      overwrites,
      onDrift: (drift, wanted) => {
        made.drifts.push({ ...drift, path: shown(drift.path) })
        if (findsPlaces) made.places.push(driftDiagnostic(base.out, drift, wanted))
      },
      onProgress: progress.show,
      ...(onRead === undefined ? {} : { onRead }),
    }
    const known = made.drifts.length
    let isWritten = false
    const end = await convertProject(request, (conversion) => {
      made.figures.add(conversion)
      isWritten ||= conversion.status === 'written'
      // Counted when it is decided, not for unchanged outputs.
      if (gaps.isOpen && conversion.status !== 'unchanged')
        made.undecided += conversion.gaps.filter(
          ({ severity, decidedBy }) => severity !== 'low' && decidedBy === 'auto',
        ).length
      made.accepted.push(...acceptancesOf(conversion, settled.file.accept.get(conversion.target.harness) ?? new Map()))
      if (keepsResults ? conversion.status !== 'unchanged' : isRefusedOrFailed(conversion))
        made.results.push(keepsResults ? conversion : briefly(conversion))
    }).finally(progress.end)
    const isChanged = isWritten || made.drifts.slice(known).some(({ kind }) => kind === 'stale')
    if (said !== null && isChanged && !isCheck) made.elsewhere.push(said)
    made.adoptions.push(...adopted)
    ends.push(end)
    policies.push({ problems: gaps.problems, isLeft: isLeftBy(isCheck, base.force, shown, overwrites) })
    if (end.refused !== null || end.interrupted !== null) break
  }
  const end = combineOutcomes(ends)
  const { drifts, places, results, accepted, adoptions, undecided, elsewhere, figures } = made
  const diagnostics = [...problems, ...settled.problems, ...policies.flatMap((one) => one.problems), ...end.diagnostics]
  const summary = buildSummary(figures.sum(), end.leftAlone)
  const isLeft = (drift: Drift) => policies.every((one) => one.isLeft(drift))
  const isWrong = summary.refused > 0 || summary.failed > 0 || diagnostics.some(({ severity }) => severity === 'error')
  const code = isWrong || drifts.some(isLeft) ? exit.findings : exit.fine
  const targets = requests.reduce((sum, one) => sum + one.targets.length, 0)
  return {
    root,
    targets,
    drifts,
    adoptions,
    accepted,
    undecided,
    elsewhere,
    results,
    summary,
    components: end.components,
    diagnostics,
    isCheck,
    isLeft,
    end,
    places,
    code,
  }
}

/** The results of all destinations. */
interface BuildProgress extends Pick<Mutable<BuildResult>, 'undecided'> {
  readonly drifts: Drift[]
  readonly places: Diagnostic[]
  readonly results: ReportedResult[]
  readonly accepted: Acceptance[]
  readonly adoptions: Adoption[]
  readonly elsewhere: string[]
  readonly figures: ReturnType<typeof createFigures>
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

interface OnePolicy {
  readonly problems: readonly Diagnostic[]
  readonly isLeft: (drift: Drift) => boolean
}

/** Whether an output stays out of date; unknown for other destinations. */
function isLeftBy(
  isCheck: boolean,
  force: boolean,
  shown: (path: string) => string,
  overwrites: (path: string) => boolean,
): OnePolicy['isLeft'] {
  const prefix = shown('')
  return ({ kind, path }) => {
    if (isCheck || !path.startsWith(prefix)) return true
    return kind === 'edited' ? !overwrites(path.slice(prefix.length)) : kind === 'foreign' && !force
  }
}

function combineOutcomes(ends: readonly ConversionOutcome[]): ConversionOutcome {
  const [first] = ends
  if (first === undefined) throw new Error('nothing was built')
  return {
    refused: ends.find(({ refused }) => refused !== null)?.refused ?? null,
    diagnostics: unique(ends.flatMap(({ diagnostics }) => diagnostics)),
    interrupted: ends.find(({ interrupted }) => interrupted !== null)?.interrupted ?? null,
    leftAlone: ends.reduce((sum, { leftAlone }) => sum + leftAlone, 0),
    configs: ends.flatMap(({ configs }) => configs),
    notAgents: first.notAgents,
    components: ends.flatMap(({ components }) => components),
  }
}

/** A problem in a source is the same for every destination. */
function unique(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [`${one.path}\n${one.line}\n${one.message}`, one])).values()]
}

/** A check asks nothing. */
function withoutQuestions(input: CommandInput): CommandInput {
  return { ...input, options: { ...input.options, yes: true } }
}

function briefly({ name, source, target, status, access, diagnostics }: Conversion): ReportedResult {
  return { name, source, target, status, access, diagnostics }
}

/** What needs a person's attention. */
function isRefusedOrFailed({ status }: Conversion): boolean {
  return status === 'refused' || status === 'failed'
}

function requestsOf(
  { options }: CommandInput,
  registry: Registry,
  root: string,
  { file: settled, problems }: { readonly file: TroupeFile; readonly problems: readonly Diagnostic[] },
): (Omit<ConversionRequest, 'decisions'> & { readonly said: string | null })[] {
  if (settled.source.length === 0 || settled.targets.length === 0) {
    const what = existsSync(join(root, TROUPE_FILE))
      ? `${TROUPE_FILE} has no source or no targets.`
      : `There is no ${TROUPE_FILE} here.`
    const [wrong] = problems
    const needs = 'It needs `source: FOLDER` and `targets: [ID, ...]`. `troupe init` writes one.'
    throw new UsageError(what, wrong === undefined ? needs : `${wrong.message} ${needs}`)
  }
  const paths = expandSources(root, settled)
  for (const path of paths) {
    if (!existsSync(join(root, path))) throw new UsageError(`${TROUPE_FILE}: no such file or folder: ${path}.`)
  }
  const { destinations, problem } = outputRootsOf(root, settled, (word) => findTarget(registry, word))
  if (problem !== null) throw new UsageError(`${TROUPE_FILE}: ${problem}`)
  return [...destinations, ...formerOutputRoots(root, destinations)].map(({ out, said, targets }) => ({
    registry,
    command: 'build',
    here: root,
    paths,
    from: null,
    targets,
    out,
    said,
    models: (target) => settled.models.get(target.id) ?? {},
    names: (target) => nameFormFor(settled, target),
    ignoredKeys: settled.ignoreKeys,
    keepAsking: options['keep-asking'] === true || settled.keepAsking,
    accepted: (target) => {
      const capabilities = settled.accept.get(target.id) ?? new Map()
      return { all: capabilities.has('*'), capabilities, only: TROUPE_FILE }
    },
    force: options.force === true,
    dryRun: options.check === true,
  }))
}
