/** The migration guide, for MIGRATION-GUIDE.md and for the page: the result for every agent of a run, and what is left to do. */
import type { Conversion } from '../../model/conversion.ts'
import { scoreBand } from '../../model/score.ts'
import {
  allValues,
  type Block,
  type Fact,
  type Figures,
  type Folded,
  listOf,
  only,
  paragraph,
  type ReportDocument,
  section,
  type Tone,
  table,
  value,
  words,
} from '../document.ts'
import { capitalize, plural } from '../layout.ts'
import { actionLegend } from './access.ts'
import { agentRecord, condensedRecord } from './agent-record.ts'
import { componentBlocks, componentSections } from './components.ts'
import { comparisonTable, gapBlocks } from './gap-report.ts'
import { decisionBlocks, groupGaps } from './gaps.ts'
import { inShort } from './in-short.ts'
import {
  countAgents,
  figuresOf,
  generatedBy,
  harnessTitle,
  isConverted,
  type MigrationRun,
  metadata,
  refusalOf,
  runTitle,
  sourceTitles,
  statusCounts,
  type TargetPart,
  targetParts,
  targetTitles,
} from './run.ts'
import { bandTones, isPerfect, scoreBreakdown, scoreLegend, scoreTables, statusBadge } from './scores.ts'
import { acceptedGains, fileProblems, stepBlocks } from './steps.ts'

/** Above this number of agents, a guide shows only what was not carried over unchanged. */
const FULL_RECORDS = 20
/** More records, or classes of gaps, are not useful on a page. */
const PAGE_LIMIT = 1000

export function guideDocument(run: MigrationRun): ReportDocument {
  const parts = targetParts(run)
  const blocks = parts.flatMap((part, index): Block[] => {
    const inside = targetBlocks(run, part, `t${index}`)
    const whole = section(words(part.title), [paragraph(totals(part), 'note'), ...inside], `t${index}`)
    // Markdown needs no heading for the only target; a page has an anchor for each.
    return parts.length > 1 ? whole : [...only('markdown', inside), ...only('html', whole)]
  })
  return {
    overline: 'Migration Guide',
    title: runTitle(run),
    lead: lead(run, parts),
    blocks: parts.length > 0 ? blocks : withoutAgents(run),
    foot: [...only('html', scoreLegend), metadata(run)],
  }
}

function withoutAgents(run: MigrationRun): Block[] {
  const { components = [], targets = [], harnesses } = run
  const others = componentSections(components, targets, (id) => harnessTitle(harnesses, id))
  return [paragraph('There are no agents to convert.'), ...others, ...listOf(fileProblems(run))]
}

function totals({ conversions }: TargetPart): string {
  const figures = figuresOf(conversions)
  return `${plural(figures.agents, 'agent')}: ${statusCounts(figures)}; mean fidelity ${figures.fidelity}%.`
}

function lead(run: MigrationRun, parts: readonly TargetPart[]): Block[] {
  const sum = figuresOf(run.conversions)
  const { band, label } = scoreBand(sum.fidelity)
  const rows: (Fact | null)[] = [
    { term: 'Generated', value: words(generatedBy(run)) },
    { term: 'Source', value: [words(sourceTitles(run)), `, ${plural(countAgents(run), 'agent')}`] },
    run.sourceCommit === undefined ? null : { term: 'Source commit', value: value(run.sourceCommit) },
    { term: 'Target platform', value: words(targetTitles(run)) },
    { term: 'Overall fidelity', value: `${sum.fidelity}% (${capitalize(band)} -- ${label})`, only: ['markdown'] },
    {
      term: 'Result',
      value: `${statusCounts(sum) || 'nothing'}; ${plural(sum.gaps, 'gap')}`,
      only: ['markdown'],
    },
  ]
  const isClean = run.conversions.length > 0 && run.conversions.every(isPerfect)
  const targets = parts.map(({ title, conversions }, index) => {
    const figures = figuresOf(conversions)
    const { fidelity, gaps, widened } = figures
    const link = { kind: 'link', to: `t${index}`, content: words(title) } as const
    return [link, `${fidelity}%`, statusCounts(figures), String(gaps), String(widened)]
  })
  return [
    { kind: 'facts', style: 'list', rows: rows.filter((row) => row !== null) },
    figures(run, bandTones[band], label),
    ...(isClean ? [paragraph('A clean conversion: every feature of every agent carried over unchanged.')] : []),
    ...(parts.length > 1 ? table(['Target', 'Fidelity', 'Result', 'Gaps', 'Widened'], targets) : []),
    ...only('markdown', inShort(parts)),
  ]
}

function figures({ conversions }: MigrationRun, tone: Tone, label: string): Figures {
  const sum = figuresOf(conversions)
  const todo = conversions
    .filter(isConverted)
    .reduce((count, { gaps }) => count + gaps.filter((one) => one.resolution === 'todo').length, 0)
  const lost = sum.refused + sum.failed
  const arrived = sum.written + sum.unchanged + sum.planned
  return {
    kind: 'figures',
    only: ['html'],
    items: [
      { value: `${sum.fidelity}%`, label: `${label}, mean over all agents`, tone, share: sum.fidelity },
      { value: String(arrived), label: sum.planned > 0 ? 'planned' : 'written', tone: null },
      { value: String(lost), label: 'refused or failed', tone: lost > 0 ? 'bad' : null },
      { value: String(sum.gaps), label: sum.gaps === 1 ? 'gap' : 'gaps', tone: null },
      { value: String(todo), label: 'left to do by hand', tone: todo > 0 ? 'warning' : null },
    ],
  }
}

/** On a page, the actions come before the details. */
function targetBlocks(run: MigrationRun, part: TargetPart, address: string): Block[] {
  const records = recordsOf(run, part, address)
  const addresses = new Map([...records].flatMap(([one, { id }]) => (id === undefined ? [] : [[one, id] as const])))
  const steps = section('Post-Conversion Steps', stepBlocks(run, part))
  const gains = section('Accepted Gains', listOf(acceptedGains(part, run)))
  const gaps = gapBlocks(groupGaps(part.conversions)).slice(0, PAGE_LIMIT)
  const noGaps = paragraph('Nothing: everything has an equivalent.', 'note')
  return [
    ...section('Conversion Fidelity', [
      ...scoreTables(part, addresses),
      ...only('markdown', scoreLegend),
      ...only('markdown', section('Breakdown', scoreBreakdown(part))),
    ]),
    ...only('html', [
      ...steps,
      ...gains,
      ...section('What did not carry over', gaps.length === 0 ? [noGaps] : gaps),
      ...section('Platform Comparison', comparisonTable(run, part)),
    ]),
    ...section('Platform Adapter Status', adapterBlocks(run, part)),
    ...only('markdown', section('Conversion Summary', [...summaryTable(part), ...gains])),
    ...section('Besides Agents', componentBlocks(componentsOf(run, part))),
    ...section('Per-Component Details', [...detailsLead(part), ...records.values()]),
    ...only('markdown', section('Decisions Log', decisionBlocks(part.conversions))),
    ...only('markdown', steps),
    ...renamedFiles(part),
    ...only('markdown', section('Failed Writes', failedTable(part))),
    outputFiles(part),
  ]
}

function adapterBlocks({ harnesses }: MigrationRun, { id: target, conversions }: TargetPart): Block[] {
  const ids = new Set([...conversions.map(({ source }) => source.harness), target])
  const rows = harnesses
    .filter(({ id }) => ids.has(id))
    .map(({ id, title, isFormat, checkedVersion, checkedDate }) => [
      words(title),
      value(id),
      checkedVersion === null ? (isFormat ? 'no program runs this format' : 'documents alone') : words(checkedVersion),
      checkedDate === null ? '-' : words(checkedDate),
    ])
  return [
    ...table(['Platform', 'Id', 'Checked With', 'Checked On'], rows),
    paragraph(
      'These results hold for the versions above. `troupe verify` compares them with the versions you have installed.',
    ),
  ]
}

function summaryTable({ conversions }: TargetPart): Block[] {
  const folderOf = (path: string) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.')
  return table(
    ['Component', 'Type', 'Group', 'Fidelity', 'Band', 'Status', 'Gaps'],
    conversions.map(({ name, source, fidelity, status, gaps }) => [
      value(name),
      'agent',
      value(folderOf(source.path)),
      `${fidelity.score}%`,
      capitalize(fidelity.band),
      statusBadge(status),
      String(gaps.length),
    ]),
  )
}

function componentsOf({ components = [] }: MigrationRun, { id }: TargetPart) {
  return components.filter(({ target }) => target.harness === id)
}

/** Those without an anchor are in Markdown alone. */
function recordsOf(run: MigrationRun, { conversions }: TargetPart, address: string): Map<Conversion, Folded> {
  const titleOf = (id: string) => harnessTitle(run.harnesses, id)
  const numbered = conversions.map((one, index) => [one, { titleOf, id: `${address}-${index}` }] as const)
  if (conversions.length <= FULL_RECORDS) {
    const shown = new Map<string, string>()
    return new Map(numbered.map(([one, options]) => [one, agentRecord(one, options, shown)]))
  }
  const imperfect = numbered.filter(([one]) => !isPerfect(one))
  return new Map(
    imperfect.map(([one, options], index): [Conversion, Folded] => [
      one,
      index < PAGE_LIMIT ? condensedRecord(one, options) : { ...condensedRecord(one, { titleOf }), only: ['markdown'] },
    ]),
  )
}

function detailsLead({ conversions }: TargetPart): Block[] {
  if (conversions.length <= FULL_RECORDS) return [paragraph(actionLegend)]
  const perfect = conversions.filter(isPerfect).length
  const rest = `of ${conversions.length} carried over with every feature unchanged and no gaps.`
  return perfect === 0 ? [] : [paragraph(`${plural(perfect, 'agent')} ${rest}`)]
}

function renamedFiles({ conversions }: TargetPart): Block[] {
  const rows = conversions
    .filter(({ name, target }) => name !== target.name)
    .map(({ name, target }) => [value(name), value(target.name), allValues(target.files, 120)])
  if (rows.length === 0) return []
  const blocks = table(['Agent', 'Name in Target', 'Output'], rows)
  return [{ kind: 'folded', title: 'File Renames', marks: [String(rows.length)], blocks }]
}

function failedTable({ conversions }: TargetPart): Block[] {
  const rows = conversions.flatMap((conversion) => {
    const refusal = refusalOf(conversion)
    return refusal === null ? [] : [[value(conversion.name), refusal.status, refusal.message]]
  })
  return table(['Agent', 'Status', 'Why'], rows)
}

/** Each file once, sorted by name. */
function outputFiles({ conversions }: TargetPart): Folded {
  const files = new Map<string, Conversion['status']>()
  for (const { target, config, status } of conversions.filter(isConverted)) {
    for (const file of [...target.files, ...config.map(({ path }) => path)]) files.set(file, status)
  }
  const items = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, status]) => [value(file, 200), ` (${status})`])
  const blocks = items.length === 0 ? [paragraph('None.')] : listOf(items)
  return { kind: 'folded', title: 'Output Files', marks: [String(items.length)], blocks }
}
