/** `troupe convert`: converts agents of any dialect into any other, prompt included, and reports every loss. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeDefaults } from '../../convert/access/defaults.ts'
import type { Target } from '../../convert/plan.ts'
import { projectFolders } from '../../disk/roots.ts'
import type { Registry } from '../../harness/registry.ts'
import { type Conversion, commonGapResolutions } from '../../model/conversion.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import { toolsByCapability } from '../../model/tools.ts'
import { isVerified } from '../../model/verification.ts'
import { nameFormFor, readTroupeFile, type TroupeFile } from '../../project/troupe-file.ts'
import type { AcceptedGain } from '../../report/conversion/run.ts'
import { createConversionTally } from '../../report/conversion/summary.ts'
import { diagnosticsText } from '../../report/findings.ts'
import { oneLine } from '../../report/layout.ts'
import { verificationText } from '../../report/verification.ts'
import { type ConversionOutcome, convertProject } from '../../sync/convert/convert.ts'
import type { ConversionRequest } from '../../sync/convert/request.ts'
import { type AcceptedWidening, conversionFailed } from '../../workbench/refusal.ts'
import {
  type Command,
  type CommandInput,
  exit,
  openProgress,
  parsePercent,
  printLines,
  refuseRun,
  UsageError,
} from '../command.ts'
import { convertWorkers, findHarness, findTargets, loadRegistry, requirePaths } from '../load.ts'
import { acceptedWords, chooseGapPolicy } from '../policies.ts'
import { conversionFormats, conversionOutput } from './convert-output.ts'

export const convert: Command = {
  name: 'convert',
  tellsHarnessProblems: false,
  takes: '[SRC...]',
  completes: ['path'],
  words: Number.POSITIVE_INFINITY,
  summary: 'convert agents to another harness, and report every loss',
  details:
    'Writes agents in the dialect of another harness: fields, tools and prompt. An agent never gains access. Whatever does not carry over is reported, and noted in the file where that helps. `troupe undo` reverts the last run.',
  options: {
    to: { type: 'string', value: 'ID,...', about: 'harnesses to write for; ID:KIND for another kind of file' },
    from: { type: 'string', value: 'ID', about: 'only agents of this dialect (default: all but the targets)' },
    out: { type: 'string', value: 'DIR', about: 'project to write into (default: this one)' },
    report: { type: 'string', value: 'DIR', about: 'write MIGRATION-GUIDE.md and GAP-REPORT.md there' },
    html: { type: 'boolean', about: 'with --report: also write a web page' },
    answers: { type: 'string', value: 'FILE', about: 'read decisions about gaps from FILE, and add new ones' },
    'on-gap': {
      type: 'string',
      value: 'WHAT',
      choices: ['ask', ...commonGapResolutions],
      about: 'gaps: ask (default), workaround, todo or omit',
    },
    'fail-below': { type: 'string', value: 'N', about: 'exit 1 if the mean fidelity is below N percent' },
    'allow-widening': {
      type: 'string',
      value: 'CAPABILITY,...',
      choices: Object.keys(toolsByCapability),
      alone: '*',
      about: 'write even if an agent gains access; keep what the target cannot limit',
    },
    revive: {
      type: 'string',
      value: 'NAME,...',
      alone: '*',
      about: 'grant tools whose names the source harness ignores',
    },
    'ignore-key': {
      type: 'string',
      multiple: true,
      value: 'KEY,...',
      about: 'convert even if this unknown key may limit an agent',
    },
    'keep-asking': { type: 'boolean', about: 'ask where the permission mode of the harness used to decide' },
    force: { type: 'boolean', about: 'replace files that Troupe did not write' },
    'dry-run': { type: 'boolean', about: 'show what would be done; write nothing but the report' },
    verify: { type: 'boolean', about: 'load the result with the real harnesses' },
    format: { type: 'string', value: 'FORMAT', choices: conversionFormats, about: 'text, json or sarif' },
  },
  examples: [
    ['troupe convert --to opencode', 'every agent here, for OpenCode'],
    [
      'troupe convert .claude/agents/reviewer.md --to codex,gemini-cli --dry-run',
      'preview the conversion of one agent',
    ],
    ['troupe convert --from claude-code --to copilot --report docs/migration', 'with a migration guide'],
    ['troupe convert --to opencode:config', 'as entries of opencode.json'],
    ['troupe convert --to opencode --verify', 'and load the result with OpenCode'],
  ],
  run: async (input) => {
    const { registry, problems } = await loadRegistry(input)
    requirePaths(input)
    const targets = targetsOf(registry, input)
    const project = projectFolders(input.here)[0] ?? input.here
    const settled = readTroupeFile(project)
    const limit = parsePercent(input.options['fail-below'])
    const base = requestOf(input, registry, targets, project, settled.file)
    const output = conversionOutput(
      input,
      registry,
      base.targets.map(({ harness }) => harness.id),
      gainsOf(base),
    )
    const chosen = await chooseGapPolicy(input, base)
    const progress = openProgress(input, 'converting')
    const { decisions, models } = chosen
    const request = { ...base, decisions, models, onProgress: progress.show, workers: convertWorkers() }
    const tally = createConversionTally()
    const left: Diagnostic[] = []
    const written = new Set<string>()
    const add = (conversion: Conversion) => {
      tally.add(conversion)
      output.add(conversion)
      if (conversion.status === 'failed') return
      if (isOnDisk(conversion)) for (const file of conversion.target.files) written.add(file)
      left.push(...conversion.diagnostics.filter(({ code }) => code === 'config-not-edited'))
    }
    const known = [...problems, ...settled.problems, ...chosen.problems]
    let end: ConversionOutcome
    try {
      end = await convertProject(request, add)
    } catch (error) {
      output.fail(tally.summary(), [...known, conversionFailed('.', error)])
      throw error
    } finally {
      progress.end()
    }
    if (end.refused !== null) {
      output.fail(tally.summary(), [...known, ...end.diagnostics])
      return refuseRun(end.refused)
    }
    const found = [...known, ...end.diagnostics, ...defaultNotes(registry, tally)]
    const summary = tally.summary()
    const harnesses = targets.map(({ harness }) => harness)
    const isVerifying = input.options.verify === true && end.interrupted === null
    // Code that runs other programs is loaded only on request.
    const verify = isVerifying ? (await import('./verify.ts')).verifyWritten : null
    const verified = (await verify?.(input, registry, harnesses, request.out, written)) ?? null
    const diagnostics = [...found, ...output.end(summary, found, verified)]
    if (output.isText && (summary.agents > 0 || end.notAgents.length === 0))
      printResult(
        input,
        registry,
        targets.map(({ harness }) => harness.id),
        tally,
        [...diagnostics, ...left],
        request.dryRun,
        undoCommandFor(input, summary),
      )
    if (output.isText && verified !== null) {
      const { style, columns } = input.terminal
      printLines(input.terminal, ['', ...verificationText(verified, { live: false }, style, columns)])
    }
    if (end.interrupted !== null) return end.interrupted
    if (end.notAgents.length > 0) {
      for (const sentence of end.notAgents) process.stderr.write(`troupe: ${oneLine(sentence)}\n`)
      return exit.usage
    }
    const isProven = verified === null || verified.every(isVerified)
    return isProven ? exitCode(limit, summary, [...diagnostics, ...left]) : exit.findings
  },
}

function isOnDisk({ status }: Conversion): boolean {
  return status === 'written' || status === 'unchanged'
}

function gainsOf({ targets, accepted }: Pick<ConversionRequest, 'targets' | 'accepted'>): AcceptedGain[] {
  return targets.flatMap(({ harness }) =>
    [...accepted(harness).capabilities].map(([capability, reason]) => ({ target: harness.id, capability, reason })),
  )
}

function printResult(
  { terminal, options }: CommandInput,
  registry: Registry,
  targets: readonly string[],
  tally: ReturnType<typeof createConversionTally>,
  diagnostics: readonly Diagnostic[],
  dryRun: boolean,
  undo: string | null,
): void {
  const titleOf = (id: string) => registry.byId(id)?.title ?? id
  const reported = options.report !== undefined
  const way = undo === null ? {} : { undo }
  printLines(
    terminal,
    tally.lines(terminal.style, terminal.columns, {
      dryRun,
      reported,
      titleOf,
      targets,
      defaultsOf: defaultsIn(registry),
      ...way,
    }),
  )
  const shown = diagnostics.filter(({ severity }) => severity !== 'info')
  if (shown.length > 0) printLines(terminal, ['', ...diagnosticsText(shown, terminal.style, terminal.columns)])
}

function defaultsIn(registry: Registry): (from: string, to: string) => string | null {
  return (from, to) => {
    const [source, target] = [registry.byId(from), registry.byId(to)]
    return source === undefined || target === undefined || from === to
      ? null
      : describeDefaults(registry, source, target)
  }
}

/** The same for programs. */
function defaultNotes(registry: Registry, tally: ReturnType<typeof createConversionTally>): Diagnostic[] {
  const sentences = tally.pairs().flatMap(([from, to]) => defaultsIn(registry)(from, to) ?? [])
  return sentences.map((sentence) => fileProblem('other-defaults', '.', sentence))
}

/** Output elsewhere needs its own undo command; null: nothing was written, or `troupe undo` is enough. */
function undoCommandFor({ options }: CommandInput, { written }: { readonly written: number }): string | null {
  if (typeof options.out !== 'string' || written === 0) return null
  const folder = /^[\w./~-]+$/.test(options.out) ? options.out : `'${options.out.replaceAll("'", "'\\''")}'`
  return `troupe undo --out ${folder}`
}

function exitCode(
  limit: number | null,
  summary: { readonly refused: number; readonly failed: number; readonly fidelity: number; readonly agents: number },
  diagnostics: readonly Diagnostic[],
): number {
  const isBelow = limit !== null && summary.agents > 0 && summary.fidelity < limit
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
  return summary.agents === 0 || summary.refused > 0 || summary.failed > 0 || isBelow || hasErrors
    ? exit.findings
    : exit.fine
}

function targetsOf(registry: Registry, { options }: CommandInput): Target[] {
  if (typeof options.to !== 'string' || options.to.trim() === '') {
    const known = registry.all.map(({ id }) => id).join(', ')
    throw new UsageError('Missing option --to ID.', `Troupe knows ${known}.`)
  }
  return findTargets(registry, options.to)
}

function requestOf(
  { options, here, positionals }: CommandInput,
  registry: Registry,
  targets: readonly Target[],
  project: string,
  settled: TroupeFile,
): Omit<ConversionRequest, 'decisions'> {
  return {
    registry,
    command: 'convert',
    here,
    paths: positionals,
    from: typeof options.from === 'string' ? findHarness(registry, options.from) : null,
    targets,
    out: typeof options.out === 'string' ? outputFolder(here, options.out) : project,
    models: (target) => settled.models.get(target.id) ?? {},
    names: (target) => nameFormFor(settled, target),
    ignoredKeys: ignoredBy(options['ignore-key'], settled),
    keepAsking: options['keep-asking'] === true,
    accepted: (target) => acceptedBy(options['allow-widening'], settled.accept.get(target.id)),
    force: options.force === true,
    dryRun: options['dry-run'] === true,
  }
}

function outputFolder(here: string, named: string): string {
  const folder = resolve(here, named)
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new UsageError(`--out ${named} is not a folder.`)
  return folder
}

/** What the command line ignores, and what the project ignores with a reason. */
export function ignoredBy(
  flag: CommandInput['options'][string],
  { ignoreKeys }: TroupeFile,
): Map<string, string | null> {
  const words = [flag].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
  return new Map([...ignoreKeys, ...words.map((word) => [word.trim(), null] as const)])
}

function acceptedBy(
  flag: CommandInput['options'][string],
  settled: ReadonlyMap<string, string | null> | undefined,
): AcceptedWidening {
  const accepted = new Map<string, string | null>(settled ?? [])
  for (const word of acceptedWords(flag)) accepted.set(word, null)
  return { all: accepted.has('*'), capabilities: accepted }
}
