/** `troupe build`: all targets of `troupe.yaml` in step with its source. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from '../convert/read-back.ts'
import type { Registry } from '../harness/registry.ts'
import type { Conversion } from '../model/conversion.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import type { Drift } from '../model/drift.ts'
import { convertProject } from '../project/convert.ts'
import type { ConversionRequest } from '../project/converting/request.ts'
import { projectFolders } from '../project/roots.ts'
import { configuredSources } from '../project/sources.ts'
import { readTroupeFile, TROUPE_FILE, type TroupeFile } from '../project/troupe-file.ts'
import { createTally } from '../report/conversion-text.ts'
import { diagnosticsText } from '../report/diagnostics-text.ts'
import { driftText } from '../report/drift-text.ts'
import { oneLine, plural } from '../report/layout.ts'
import type { Figures } from '../report/migration.ts'
import { type Command, type CommandInput, exit, printJson, printLines, UsageError } from './command.ts'
import { chooseGapPolicy } from './gap-policy.ts'
import { openProgress } from './progress.ts'
import { findTarget, openRegistry } from './setting.ts'

export const build: Command = {
  name: 'build',
  takes: '',
  words: 0,
  summary: 'all targets in step with one source, as troupe.yaml says',
  details:
    'Renders every agent of the source for every target of `troupe.yaml`. What is in step is left alone, outputs of agents that are gone are removed, and files that somebody changed by hand are never overwritten. With --check nothing is written, and anything that is not in step is a finding.',
  options: {
    check: { type: 'boolean', about: 'write nothing; exit 1 when anything is not in step' },
    answers: { type: 'string', value: 'FILE', about: 'replay answers about gaps' },
    'on-gap': { type: 'string', value: 'WHAT', about: 'ask (default), workaround, todo or omit' },
    'keep-asking': { type: 'boolean', about: 'ask about what was left to the mode of the harness' },
    force: { type: 'boolean', about: 'also over files that were changed by hand or that Troupe did not write' },
  },
  examples: [
    ['troupe build', 'write what is missing or older than the source'],
    ['troupe build --check', 'for CI: is everything in step?'],
  ],
  run: async (input) => {
    const { registry, problems } = await openRegistry(input)
    const root = projectFolders(input.here)[0] ?? input.here
    const settled = settle(registry, root)
    const isCheck = input.options.check === true
    const base = requestOf(input, registry, root, settled)
    const chosen = await chooseGapPolicy(isCheck ? quietly(input) : input, base)
    const progress = openProgress(input, isCheck ? 'checking' : 'building')
    const drifts: Drift[] = []
    const results: Conversion[] = []
    const tally = createTally()
    const end = await convertProject(
      {
        ...base,
        policy: chosen.policy,
        policyText: chosen.text,
        models: chosen.models,
        onDrift: (drift) => drifts.push(drift),
        onProgress: progress.show,
      },
      (conversion) => {
        tally.add(conversion)
        const isWanted = input.options.json === true ? conversion.status !== 'unchanged' : isTold(conversion)
        if (isWanted) results.push(conversion)
      },
    ).finally(progress.end)
    const diagnostics = [...problems, ...settled.problems, ...chosen.problems, ...end.diagnostics]
    const summary = summaryOf(tally.summary(), end.leftAlone)
    if (input.options.json === true) printJson(input.terminal, { drift: drifts, results, summary, diagnostics })
    else tell(input, base.targets, { drifts, results, summary, diagnostics, isCheck, isForced: base.force })
    if (end.refused !== null) {
      process.stderr.write(`troupe: ${oneLine(end.refused.message)}\n`)
      return end.refused.reason === 'busy' ? exit.findings : exit.failed
    }
    if (end.interrupted !== null) return end.interrupted
    const isWrong =
      summary.refused > 0 || summary.failed > 0 || diagnostics.some(({ severity }) => severity === 'error')
    // What nobody asks for any more and somebody changed stays, and has no result of its own.
    const isLeft = !base.force && drifts.some(({ kind }) => kind === 'edited')
    return isWrong || isLeft || (isCheck && drifts.length > 0) ? exit.findings : exit.fine
  },
}

/** What was left alone was not looked at closely enough to say how much it lost on the way. */
function summaryOf({ fidelity: _fidelity, widened: _widened, gaps: _gaps, ...counts }: Figures, leftAlone: number) {
  return { ...counts, agents: counts.agents + leftAlone, unchanged: counts.unchanged + leftAlone }
}

/** A check asks nothing. */
function quietly(input: CommandInput): CommandInput {
  return { ...input, options: { ...input.options, yes: true } }
}

/** What names no source of its own takes the one that another program's configuration names. */
function settle(registry: Registry, root: string): ReturnType<typeof readTroupeFile> {
  const { file, problems } = readTroupeFile(root)
  if (file.source.length > 0 || file.targets.length === 0) return { file, problems }
  const found = configuredSources(root, registry)
  return { file: { ...file, source: found.paths }, problems: [...problems, ...found.problems] }
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
    const needs = 'It needs `source: FOLDER` and `targets: [ID, ...]`.'
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
    keepAsking: options['keep-asking'] === true,
    accepted: (target) => {
      const capabilities = settled.accept.get(target.id) ?? new Map()
      return { all: capabilities.has('*'), capabilities }
    },
    force: options.force === true,
    dryRun: options.check === true,
  }
}

/** What a person must know about. */
function isTold({ status }: Conversion): boolean {
  return status === 'refused' || status === 'failed'
}

interface Told {
  readonly drifts: readonly Drift[]
  readonly results: readonly Conversion[]
  readonly summary: ReturnType<typeof summaryOf>
  readonly diagnostics: readonly Diagnostic[]
  readonly isCheck: boolean
  readonly isForced: boolean
}

function tell({ terminal }: CommandInput, targets: readonly Target[], told: Told): void {
  const { drifts, results, summary, diagnostics, isCheck, isForced } = told
  const { style, columns } = terminal
  const lines: string[] = []
  const isLeft = ({ kind }: Drift) => isCheck || (!isForced && (kind === 'edited' || kind === 'foreign'))
  const left = drifts.filter(isLeft)
  lines.push(...driftText(left, style, columns))
  const refused = results.filter(({ status }) => status === 'refused')
  if (refused.length > 0) {
    lines.push(...(lines.length > 0 ? [''] : []), `${style.bold('refused')}, ${plural(refused.length, 'agent')}`)
    for (const { name, target, access } of refused) {
      const gained = [...new Set(access.widened.map(({ capability }) => capability))].join(', ')
      lines.push(`  ${oneLine(name)} in ${target.harness}: it could do more (${gained})`)
    }
  }
  const shown = diagnostics.filter(({ severity }) => severity !== 'info')
  if (shown.length > 0) lines.push(...(lines.length > 0 ? [''] : []), ...diagnosticsText(shown, style, columns))
  const removed = isCheck ? 0 : drifts.filter(({ kind }) => kind === 'stale').length
  const parts = [
    summary.written > 0 ? `${summary.written} written` : null,
    removed > 0 ? `${removed} removed` : null,
    summary.refused > 0 ? `${summary.refused} refused` : null,
    summary.failed > 0 ? `${summary.failed} left alone` : null,
    summary.unchanged > 0 ? `${summary.unchanged} in step` : null,
  ].filter((part) => part !== null)
  const what = `${plural(summary.agents, 'output')} for ${plural(targets.length, 'target')}`
  const isInStep = drifts.length === 0 && summary.refused + summary.failed === 0
  if (lines.length > 0) lines.push('')
  lines.push(isInStep ? `${what}: everything is in step.` : `${what}: ${parts.join(', ') || 'none in step'}.`)
  printLines(terminal, lines)
}
