/** Conversions for people at a terminal: what was written, what did not carry over, what was refused and why. */
import type { ComponentConversion } from '../../model/component.ts'
import type { Conversion } from '../../model/conversion.ts'
import {
  type Block,
  badge,
  type Facts,
  type Inline,
  paragraph,
  path,
  type Section,
  section,
  small,
  type Table,
  type Tone,
  table,
  words,
} from '../document.ts'
import { oneLine, plural } from '../layout.ts'
import { printText, type Style } from '../print-text.ts'
import { componentSections } from './components.ts'
import { resolutionWords } from './gaps.ts'
import { createFigures, inRequestedOrder, type RunFigures, refusalWords, statusCounts } from './run.ts'
import { bandTones, statusTones } from './scores.ts'
import {
  type ChangeTally,
  createTargetTally,
  type GapTally,
  LISTED_IN_FULL,
  type RefusalGroup,
  type TallyRow,
  type TargetTally,
} from './tally.ts'

/** Reasons for a refusal, classes of gaps, combinations of capabilities. */
const GROUPS = 12
/** How many urgent agents are shown. */
const NOTABLE = 30

export interface TallyOptions {
  readonly titleOf?: (harness: string) => string
  /** Ids of the targets in the requested order; otherwise, in order of appearance. */
  readonly targets?: readonly string[]
  readonly dryRun?: boolean
  /** Whether a report was already asked for, so that no hint is needed. */
  readonly reported?: boolean
  /** How the defaults of two harnesses differ, independent of their agents. */
  readonly defaultsOf?: (from: string, to: string) => string | null
  /** Everything besides agents. */
  readonly components?: readonly ComponentConversion[]
  /** Nothing is left out: what reads it is a file or a program. */
  readonly whole?: boolean
  /** The command to undo it, if it is not just `troupe undo`. */
  readonly undo?: string
}

export interface ConversionTally {
  add(conversion: Conversion): void
  lines(style: Style, columns: number, options?: TallyOptions): string[]
  /** The dialects that agents were converted from and to. */
  pairs(): readonly (readonly [from: string, to: string])[]
  /** As `troupe convert --json` publishes it. */
  summary(): RunFigures
}

export function createConversionTally(): ConversionTally {
  const targets = new Map<string, ReturnType<typeof createTargetTally>>()
  const figures = createFigures()
  return {
    add: (conversion) => {
      let target = targets.get(conversion.target.harness)
      if (target === undefined) {
        target = createTargetTally()
        targets.set(conversion.target.harness, target)
      }
      target.add(conversion)
      figures.add(conversion)
    },
    lines: (style, columns, options = {}) => {
      const titleOf = options.titleOf ?? ((id: string) => id)
      const others = componentSections(options.components ?? [], options.targets ?? [], titleOf)
      if (targets.size + others.length === 0) return ['There are no agents to convert.']
      const blocks = inRequestedOrder([...targets], options.targets ?? []).flatMap(([id, tally]) => [
        ...targetBlocks(titleOf(id), tally, options),
        ...[...tally.sources].flatMap((from) => options.defaultsOf?.(from, id) ?? []).map((one) => paragraph(one)),
      ])
      const isOnlyRest = (options.components ?? []).every(({ status }) => status === 'left' || status === 'read')
      const none = targets.size === 0 && isOnlyRest ? [paragraph('There are no agents to convert.')] : []
      return printText([...none, ...blocks, ...others, ...closing(options)], { style, columns: Math.max(20, columns) })
    },
    pairs: () => [...targets].flatMap(([to, { sources }]) => [...sources].map((from) => [from, to] as const)),
    summary: figures.sum,
  }
}

function targetBlocks(title: string, tally: TargetTally, { dryRun, whole }: TallyOptions): Block[] {
  const most = whole === true ? Number.POSITIVE_INFINITY : GROUPS
  const figures = tally.figures()
  const planned = dryRun === true ? [small('muted', ' (dry run)')] : []
  // "12 agents: 11 written, 1 refused; mean fidelity 91 %."
  const totals = `${plural(figures.agents, 'agent')}: ${statusCounts(figures)}; mean fidelity ${figures.fidelity} %.`
  return [
    ...section([words(title), ...planned], agentBlocks(tally, figures.agents)),
    paragraph(totals),
    ...section('What did not carry over', gapBlocks(title, [...tally.gaps.values()], most)),
    ...tally
      .refusals()
      .slice(0, most)
      .map((group) => refusalSection(group, most)),
    ...accessFacts(title, tally),
  ]
}

function agentBlocks({ rows, notable }: TargetTally, agents: number): Block[] {
  if (agents <= LISTED_IN_FULL) return agentTable(rows)
  const worst = [...notable].sort((a, b) => urgency(a) - urgency(b)).slice(0, NOTABLE)
  const more = notable.length - worst.length
  const fine = agents - notable.length
  const rest = fine === 0 ? '' : `${plural(fine, 'agent')} with high fidelity ${fine === 1 ? 'is' : 'are'} not listed.`
  const notes = [more === 0 ? '' : `... and ${more} more.`, rest].filter((note) => note !== '').join(' ')
  return [...agentTable(worst), paragraph(notes, 'note')]
}

/** Agents that were not converted come first, then the lowest score. */
function urgency({ file, score }: TallyRow): number {
  return file === null ? score - 1000 : score
}

const signs: Readonly<Record<Conversion['status'], string>> = {
  written: '✓',
  unchanged: '=',
  planned: '+',
  refused: '✗',
  failed: '✗',
}

/** Names are meant to be copied: one that is too long gets its own line, if that is wide enough. */
const agentLayout: Table['layout'] = [
  { fit: 'mark' },
  { fit: 'name', least: 4, most: (line) => Math.max(32, Math.floor(line * 0.4)) },
  { fit: 'rest', least: 12, reserve: 26 },
  { fit: 'fixed', least: 5, align: 'end' },
  { fit: 'fixed', align: 'end', from: 36 },
]

function agentTable(rows: readonly TallyRow[]): Block[] {
  const cells = rows.map(({ name, status, file, refusal, score, band, gaps }) => [
    badge(statusTones[status], signs[status]),
    words(name),
    outcomeText(file, refusal),
    badge(bandTones[band], `${score} %`),
    small('muted', gaps === 0 ? '' : plural(gaps, 'gap')),
  ])
  return table(['', 'Agent', 'Output', 'Fidelity', 'Gaps'], cells, agentLayout)
}

function outcomeText(file: TallyRow['file'], refusal: TallyRow['refusal']): Inline {
  if (file !== null) return small('muted', path(file))
  return small('bad', refusal === null ? '' : words(refusalWords(refusal)))
}

const gapLayout: Table['layout'] = [
  { fit: 'name', least: 6, most: () => 28, long: 'own-line' },
  { fit: 'fixed', align: 'end' },
  { fit: 'fixed' },
  { fit: 'rest', least: 24, long: 'wrap' },
]

function gapBlocks(title: string, gaps: readonly GapTally[], most: number): Block[] {
  const sorted = [...gaps].sort((a, b) => b.agents - a.agents || (a.feature < b.feature ? -1 : 1))
  const rows = sorted
    .slice(0, most)
    .map((gap) => [
      featureText(oneLine(gap.feature)),
      plural(gap.agents, 'agent'),
      doneWords(gap),
      small('muted', words(withoutTitle(oneLine(gap.reason), title))),
    ])
  return [...table(['Feature', 'Agents', 'Resolution', 'Why'], rows, gapLayout), ...andMore(gaps.length, most)]
}

function andMore(count: number, most: number): Block[] {
  return count > most ? [paragraph(`... and ${count - most} more`, 'note')] : []
}

/** The block has the title already. */
function withoutTitle(reason: string, title: string): string {
  return reason.startsWith(`${title} `) ? reason.slice(title.length + 1) : reason
}

/** Paths begin alike. */
function featureText(feature: string): Inline {
  return feature.startsWith('path: ') ? ['path: ', path(feature.slice(6))] : words(feature)
}

/** "left as a TODO", or with numbers if not all were treated alike. */
function doneWords({ done }: GapTally): string {
  const all = [...done].sort((a, b) => b[1] - a[1])
  const [first] = all
  if (first !== undefined && all.length === 1) return resolutionWords[first[0]]
  return all.map(([resolution, count]) => `${count} ${resolutionWords[resolution]}`).join(', ')
}

function moreThanDefined(agents: number): string {
  return agents === 1
    ? 'it could do more than its definition allows'
    : 'they could do more than their definitions allow'
}

export function refusalSection(
  { status, reason, hint, agents, messages, gains }: RefusalGroup,
  most: number = GROUPS,
): Section {
  const isGain = gains.some(({ capabilities }) => capabilities.length > 0)
  const refused = status === 'refused' ? 'refused' : 'not written'
  const why = !isGain && messages.length > 0 ? messages : [reason]
  return {
    kind: 'section',
    title: `${plural(agents, 'agent')} ${isGain ? `refused: ${moreThanDefined(agents)}` : refused}`,
    blocks: [
      ...gainTable(gains, most),
      ...andMore(gains.length, most),
      ...why.map((text) => paragraph(words(text))),
      ...(hint === null ? [] : [paragraph(words(hint), 'hint')]),
    ],
  }
}

const gainLayout: Table['layout'] = [
  { fit: 'name', most: (line) => Math.max(8, Math.floor(line / 2) - 4), long: 'cut' },
  { fit: 'fixed', align: 'end' },
  { fit: 'rest', least: 8 },
]

/** Each combination of capabilities, how many would gain it, and some of them; only names if nothing would be gained. */
function gainTable(gains: RefusalGroup['gains'], most: number): Block[] {
  const rows = gains.slice(0, most).map(({ capabilities, agents, names }) => {
    const some = names.map(oneLine).join(', ') + (names.length < agents && names.length >= 20 ? ', …' : '')
    return [words(capabilities.join(', ')), plural(agents, 'agent'), small('muted', words(some))]
  })
  if (gains[0]?.capabilities.length !== 0) return table(['Would gain', 'Agents', 'Names'], rows, gainLayout)
  return table(
    ['Names'],
    rows.map((row) => row.slice(2)),
    [{ fit: 'rest', least: 8 }],
  )
}

export function accessFacts(title: string, tally: TargetTally): Facts[] {
  const { gained, revived, unasked, restrained, narrowed, unenforced } = tally
  const rows = [
    ...changeFact('Can do more, as accepted', gained, null, 'warning'),
    ...changeFact('Granted, as decided', revived, 'their own harness ignores these names', 'warning'),
    ...changeFact('No longer asks before', unasked, `${title} has no question for it`),
    ...changeFact('Now asks before', restrained, `${title} cannot allow it without a question here`),
    ...changeFact('Can no longer', narrowed, `${title} has no such tool, or cannot grant it to this agent`),
  ]
  if (rows.length === 0 && unenforced.size === 0) return []
  const names = [...unenforced]
  // How to keep what is lost only because the target cannot limit it.
  const hint = `To keep ${names.join(', ')} without limits: --allow-widening=${names.join(',')}, or \`accept\` in troupe.yaml.`
  return [{ kind: 'facts', style: 'lines', rows, ...(names.length === 0 ? {} : { hint }) }]
}

/** "Can no longer: delegate, read (lead, scout and 2 more): Codex CLI cannot grant it", the most frequent first. */
function changeFact(
  term: string,
  { agents, capabilities, names: some, reasons }: ChangeTally,
  usual: string | null,
  tone?: Tone,
): Facts['rows'] {
  if (agents === 0) return []
  const sorted = [...capabilities].sort((a, b) => b[1] - a[1])
  const names = sorted.map(([capability]) => capability)
  const others = agents - some.length
  const who = `${some.map(oneLine).join(', ')}${others === 0 ? '' : ` and ${others} more`}`
  const why = reasons.size > 0 ? [...reasons].join('; ') : usual
  const text = `${names.join(', ')} (${who})${why === null ? '' : `: ${why}`}`
  return [{ term, value: words(text, 600), ...(tone === undefined ? {} : { tone }) }]
}

function closing({ dryRun, reported, undo }: TallyOptions): Block[] {
  const hints = [
    dryRun === true ? `Dry run: ${reported === true ? 'no agent' : 'nothing'} was written.` : '',
    undo === undefined ? '' : `\`${undo}\` reverts this run.`,
    reported === true ? '' : '`--report DIR` writes a migration guide; `--json` lists every feature.',
  ].filter((hint) => hint !== '')
  return hints.length === 0 ? [] : [paragraph(hints.join(' '), 'note')]
}
