/** `troupe convert`: converts agents of any dialect into any other, prompt included, and reports every loss. */
import { describeDefaults } from '../../convert/access/defaults.ts'
import { projectFolders } from '../../disk/roots.ts'
import type { Registry } from '../../harness/registry.ts'
import { type ComponentConversion, componentKinds } from '../../model/component.ts'
import { type Conversion, commonGapResolutions } from '../../model/conversion.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import { toolsByCapability } from '../../model/tools.ts'
import { isVerified } from '../../model/verification.ts'
import { readTroupeFile } from '../../project/troupe-file.ts'
import type { AcceptedGain } from '../../report/conversion/run.ts'
import { createConversionTally } from '../../report/conversion/summary.ts'
import { diagnosticsText } from '../../report/findings.ts'
import { verificationText } from '../../report/verification.ts'
import { type ConversionOutcome, convertProject } from '../../sync/convert/convert.ts'
import type { ConversionRequest } from '../../sync/convert/request.ts'
import { conversionFailed } from '../../workbench/refusal.ts'
import {
  type Command,
  type CommandInput,
  errorText,
  exit,
  openProgress,
  parsePercent,
  printLines,
  refuseRun,
} from '../command.ts'
import { requestOf, targetsOf } from '../convert-request.ts'
import { convertWorkers, loadRegistry, requirePaths } from '../load.ts'
import { chooseGapPolicy } from '../policies.ts'
import { conversionFormats, conversionOutput } from './convert-output.ts'

export const convert: Command = {
  name: 'convert',
  reportsHarnessProblems: false,
  takes: '[SRC...]',
  completes: ['path'],
  words: Number.POSITIVE_INFINITY,
  summary: 'convert agents to another harness, and report every loss',
  details:
    'Writes agents in the dialect of another harness: fields, tools and prompt. An agent never gains access. Whatever does not carry over is reported, and noted in the file where that helps. `troupe undo` reverts the last run.',
  options: {
    to: { type: 'string', value: 'ID,...', about: 'harnesses to write for; ID:KIND for another kind of file' },
    from: { type: 'string', value: 'ID', about: 'only agents of this dialect (default: all but the targets)' },
    only: {
      type: 'string',
      value: 'KIND,...',
      choices: ['agent', ...componentKinds],
      about: 'only these kinds: agent, skill, command, server ...',
    },
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
    copy: { type: 'boolean', about: 'also copy what the target reads as it is' },
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
    const diagnostics = [...found, ...output.end(summary, found, end.components, verified)]
    if (output.isText && (summary.agents > 0 || end.notAgents.length === 0))
      printResult(
        input,
        registry,
        targets.map(({ harness }) => harness.id),
        tally,
        [...diagnostics, ...left],
        request.dryRun,
        undoCommandFor(input, summary),
        end.components,
      )
    if (output.isText && verified !== null) {
      const { style, columns } = input.terminal
      printLines(input.terminal, ['', ...verificationText(verified, { live: false }, style, columns)])
    }
    if (end.interrupted !== null) return end.interrupted
    if (end.notAgents.length > 0) {
      for (const sentence of end.notAgents) process.stderr.write(errorText(sentence, undefined))
      return exit.usage
    }
    const isProven = verified === null || verified.every(isVerified)
    return isProven ? exitCode(limit, summary, end.components, [...diagnostics, ...left]) : exit.findings
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
  components: readonly ComponentConversion[],
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
      components,
      whole: terminal.isScreen === false,
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
  components: readonly ComponentConversion[],
  diagnostics: readonly Diagnostic[],
): number {
  const isBelow = limit !== null && summary.agents > 0 && summary.fidelity < limit
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
  const isNothing = summary.agents === 0 && components.every(({ status }) => status === 'left')
  const isLost = components.some(({ status }) => status === 'refused' || status === 'failed')
  return isNothing || isLost || summary.refused > 0 || summary.failed > 0 || isBelow || hasErrors
    ? exit.findings
    : exit.fine
}
