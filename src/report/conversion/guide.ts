/** MIGRATION-GUIDE.md: what became of every agent of a run, and what is left to do. The same input gives the same bytes. */

import type { Conversion } from '../../model/conversion.ts'
import { scoreBand } from '../../model/score.ts'
import { plural } from '../layout.ts'
import { code, commentString, heading, plain, prose, table } from '../markdown.ts'
import { capitalize } from '../prose.ts'
import {
  adapterTable,
  bandLegend,
  componentDetails,
  decisionsLog,
  fidelityBreakdown,
  fidelityTable,
  isPerfect,
  outputFiles,
  renameTable,
  scoreLegend,
  summaryTable,
} from './guide-tables.ts'
import { refusalOf } from './refusals.ts'
import {
  countAgents,
  figuresOf,
  generatedBy,
  harnessTitle,
  type MigrationRun,
  type ReportContext,
  sourceTitles,
  statusCounts,
  type TargetPart,
  targetParts,
  targetTitles,
} from './run.ts'
import { acceptedGains, fileProblems, platformSetup, recommendedChecks, requiredActions } from './steps.ts'

export function migrationGuide(conversions: readonly Conversion[], context: ReportContext): string {
  const run: MigrationRun = { ...context, conversions }
  const parts = targetParts(run)
  const [only] = parts
  const isOne = parts.length === 1 && only !== undefined
  const lines = [
    heading(1, `Migration Guide: ${plain(sourceTitles(run))} to ${plain(targetTitles(run))}`),
    '',
    ...header(run, parts),
    ...(parts.length === 0 ? ['', 'There was no agent to convert.', ...bulleted(fileProblems(run))] : []),
    ...(isOne
      ? targetSections(run, only, 2)
      : parts.flatMap((part) => [
          '',
          heading(2, plain(part.title)),
          '',
          targetLine(part),
          ...targetSections(run, part, 3),
        ])),
    '',
    ...metadata(run),
  ]
  return `${lines.join('\n')}\n`
}

function bulleted(sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : ['', ...list(sentences)]
}

function header(run: MigrationRun, parts: readonly TargetPart[]): string[] {
  const figures = figuresOf(run.conversions)
  const { band, label } = scoreBand(figures.fidelity)
  const facts: (readonly [string, string] | null)[] = [
    ['Generated', plain(generatedBy(run))],
    ['Source', `${plain(sourceTitles(run))}, ${plural(countAgents(run), 'agent')}`],
    run.sourceCommit === undefined ? null : ['Source commit', code(run.sourceCommit)],
    ['Target platform', plain(targetTitles(run))],
    ['Overall fidelity', `${figures.fidelity}% (${capitalize(band)} -- ${label})`],
    ['Result', `${statusCounts(figures) || 'nothing'}; ${plural(figures.gaps, 'gap')}`],
  ]
  const lines = facts.flatMap((fact) => (fact === null ? [] : [`- **${fact[0]}:** ${fact[1]}`]))
  if (run.conversions.length > 0 && run.conversions.every(isPerfect)) {
    lines.push('', 'A clean conversion: every feature of every agent is in the target as it was.')
  }
  if (parts.length > 1) {
    const rows = parts.map(({ title, conversions }) => {
      const sum = figuresOf(conversions)
      return [plain(title), `${sum.fidelity}%`, statusCounts(sum), String(sum.gaps), String(sum.widened)]
    })
    lines.push('', ...table(['Target', 'Fidelity', 'Result', 'Gaps', 'Widened'], rows))
  }
  return lines
}

function targetLine({ conversions }: TargetPart): string {
  const figures = figuresOf(conversions)
  return `${plural(figures.agents, 'agent')}: ${statusCounts(figures)}; mean fidelity ${figures.fidelity}%.`
}

function targetSections(run: MigrationRun, part: TargetPart, level: number): string[] {
  const section = (title: string, lines: readonly string[], at = level) =>
    lines.length === 0 ? [] : ['', heading(at, title), '', ...lines]
  const titleOf = (id: string) => harnessTitle(run.harnesses, id)
  const breakdown = fidelityBreakdown(part)
  const ids = new Set([...part.conversions.map(({ source }) => source.harness), part.id])
  return [
    ...section('Conversion Fidelity', [
      ...fidelityTable(part),
      '',
      ...bandLegend.map((line) => `- ${line}`),
      '',
      scoreLegend,
    ]),
    ...section('Breakdown', breakdown, level + 1),
    ...section('Platform Adapter Status', [
      ...adapterTable(run.harnesses.filter(({ id }) => ids.has(id))),
      '',
      'What is said here holds for these versions; `troupe verify` compares it with the ones that are installed.',
    ]),
    ...section('Conversion Summary', summaryTable(part)),
    ...section('Accepted Gains', list(acceptedGains(part, run)), level + 1),
    ...section('Per-Component Details', componentDetails(part, { level: level + 1, titleOf })),
    ...section('Decisions Log', decisionsLog(part, level + 1)),
    ...section('Post-Conversion Steps', stepLines(run, part, level + 1)),
    ...section('File Renames', renameTable(part.conversions)),
    ...section('Failed Writes', failedTable(part)),
    ...section('Output Files', outputLines(part)),
  ]
}

function list(sentences: readonly string[], mark = '-'): string[] {
  return sentences.map((one) => `${mark} ${prose(one, 2000)}`)
}

function stepLines(run: MigrationRun, part: TargetPart, level: number): string[] {
  const required = requiredActions(part, run)
  const checks = recommendedChecks(part)
  const setup = platformSetup(part, run)
  return [
    heading(level, 'Required Actions'),
    '',
    ...(required.length === 0 ? ['None.'] : list(required, '- [ ]')),
    ...(checks.length === 0 ? [] : ['', heading(level, 'Recommended Verifications'), '', ...list(checks, '- [ ]')]),
    ...(setup.length === 0 ? [] : ['', heading(level, 'Platform Setup'), '', ...list(setup)]),
  ]
}

function failedTable({ conversions }: TargetPart): string[] {
  const rows = conversions.flatMap((conversion) => {
    const refusal = refusalOf(conversion)
    return refusal === null ? [] : [[code(conversion.name), refusal.status, prose(refusal.message)]]
  })
  return rows.length === 0 ? [] : table(['Agent', 'Status', 'Why'], rows)
}

function outputLines({ conversions }: TargetPart): string[] {
  const files = outputFiles(conversions)
  return files.length === 0 ? ['None.'] : files
}

/** For programs that look for drift; always last. */
function metadata(run: MigrationRun): string[] {
  const ids = new Set(targetParts(run).map(({ id }) => id))
  const targets = run.harnesses.filter(({ id }) => ids.has(id))
  return [
    '<!-- PORT-METADATA',
    'schema: 1',
    `generator: ${commentString(`troupe ${run.version}`)}`,
    ...(run.sourceCommit === undefined ? [] : [`source_commit: ${commentString(run.sourceCommit)}`]),
    ...(run.generated === undefined ? [] : [`port_date: ${commentString(run.generated)}`]),
    'targets:',
    ...targets.flatMap(({ id, checkedVersion, checkedDate }) => [
      `  - target_platform: ${commentString(id)}`,
      `    target_platform_version: ${checkedVersion === null ? 'null' : commentString(checkedVersion)}`,
      `    adapter_version: ${commentString(checkedDate)}`,
    ]),
    'components:',
    ...run.conversions.flatMap(({ source, target, status, fidelity }) => [
      `  - source: ${commentString(source.path)}`,
      `    platform: ${commentString(target.harness)}`,
      `    target: [${target.files.map(commentString).join(', ')}]`,
      `    status: ${status}`,
      `    fidelity: ${fidelity.score}`,
    ]),
    'PORT-METADATA -->',
  ]
}
