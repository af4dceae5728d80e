/** Conversions for people at a terminal: what was written, what did not carry over, what was refused and why. */
import type { Conversion } from '../../model/conversion.ts'
import { cut, cutStart, displayWidth, oneLine, pad, plural } from '../layout.ts'
import { type Style, type TextOptions, wrapIndented } from '../print-text.ts'
import { refusalWords } from './refusals.ts'
import { createFigures, type Figures, inRequestedOrder, statusCounts } from './run.ts'
import { gapLines, refusalLines } from './summary-gaps.ts'
import { type ChangeTally, createTargetTally, LISTED_IN_FULL, type TallyRow, type TargetTally } from './tally.ts'

/** Reasons for a refusal. */
const REASONS = 12

export interface TallyOptions {
  readonly titleOf?: (harness: string) => string
  /** Ids of the targets in the order they were asked for; otherwise, as they come. */
  readonly targets?: readonly string[]
  readonly dryRun?: boolean
  /** Whether a report was asked for already, so that nobody needs to be told. */
  readonly reported?: boolean
  /** What differs between two harnesses, whatever their agents say. */
  readonly defaultsOf?: (from: string, to: string) => string | null
  /** What takes it back, where that is not just `troupe undo`. */
  readonly undo?: string
}

export interface ConversionTally {
  add(conversion: Conversion): void
  lines(style: Style, columns: number, options?: TallyOptions): string[]
  /** The dialects that agents came from, and went to. */
  pairs(): readonly (readonly [from: string, to: string])[]
  /** As `troupe convert --json` publishes it. */
  summary(): Figures
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
      if (targets.size === 0) return ['There is no agent to convert.']
      const paper: TextOptions = { style, columns: Math.max(20, columns) }
      const titleOf = options.titleOf ?? ((id: string) => id)
      const blocks = inRequestedOrder([...targets], options.targets ?? []).flatMap(([id, tally]) => [
        '',
        ...targetLines(paper, titleOf(id), tally, options),
        ...defaultLines(paper, id, tally, options),
      ])
      return [...blocks.slice(1), ...closing(paper, options)]
    },
    pairs: () => [...targets].flatMap(([to, { sources }]) => [...sources].map((from) => [from, to] as const)),
    summary: figures.sum,
  }
}

function targetLines(paper: TextOptions, title: string, tally: TargetTally, { dryRun }: TallyOptions): string[] {
  const { style, columns } = paper
  const figures = tally.figures()
  const head = cut(oneLine(title), columns)
  const planned = dryRun === true && displayWidth(head) + 11 <= columns ? style.dim(' (dry run)') : ''
  return [
    style.bold(head) + planned,
    ...agentLines(paper, tally, figures.agents),
    '',
    ...wrapIndented(paper, totals(figures), 0),
    ...gapLines(paper, title, [...tally.gaps.values()]),
    ...tally
      .refusals()
      .slice(0, REASONS)
      .flatMap((group) => refusalLines(paper, group)),
    ...accessLines(paper, tally),
  ]
}

function defaultLines(
  paper: TextOptions,
  to: string,
  { sources }: TargetTally,
  { defaultsOf }: TallyOptions,
): string[] {
  const sentences = [...sources].flatMap((from) => defaultsOf?.(from, to) ?? [])
  return sentences.flatMap((sentence) => ['', ...wrapIndented(paper, sentence, 0)])
}

/** "12 agents: 11 written, 1 refused; mean fidelity 91 %." */
function totals(figures: Figures): string {
  return `${plural(figures.agents, 'agent')}: ${statusCounts(figures)}; mean fidelity ${figures.fidelity} %.`
}

function accessLines(paper: TextOptions, { gained, unasked, restrained, narrowed, unheld }: TargetTally): string[] {
  const { style } = paper
  const lines = [
    ...changeLine(paper, 'Can do more, as you allowed', gained).map(style.yellow),
    ...changeLine(paper, 'No longer asks before', unasked),
    ...changeLine(paper, 'Now asks before', restrained),
    ...changeLine(paper, 'Can no longer', narrowed),
    ...keepAdvice(paper, [...unheld]),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}

/** "Can no longer: delegate, read (3 agents)", the most frequent first. */
function changeLine(paper: TextOptions, title: string, { agents, capabilities }: ChangeTally): string[] {
  if (agents === 0) return []
  const sorted = [...capabilities].sort((a, b) => b[1] - a[1])
  const words = sorted.map(([capability]) => capability)
  return wrapIndented(paper, `${title}: ${words.join(', ')} (${plural(agents, 'agent')})`, 0)
}

/** How to keep what is gone only because the target cannot limit it. */
function keepAdvice(paper: TextOptions, unheld: readonly string[]): string[] {
  if (unheld.length === 0) return []
  const all = unheld.join(',')
  const words = `To keep ${unheld.join(', ')} without limits: --allow-widening=${all}, or \`accept\` in troupe.yaml.`
  return wrapIndented(paper, words, 2)
}

function closing(paper: TextOptions, { dryRun, reported, undo }: TallyOptions): string[] {
  const hints = [
    dryRun === true ? `${reported === true ? 'No agent' : 'Nothing'} was written: these are the plans.` : '',
    undo === undefined ? '' : `\`${undo}\` takes this back.`,
    reported === true ? '' : '`--report DIR` writes a guide that says why, `--json` lists every feature.',
  ].filter((hint) => hint !== '')
  return hints.length === 0 ? [] : ['', ...wrapIndented(paper, hints.join(' '), 0).map(paper.style.dim)]
}

/** Of many agents, so many that need a look. */
const NOTABLE = 30

function agentLines(paper: TextOptions, { rows, notable }: TargetTally, agents: number): string[] {
  if (agents <= LISTED_IN_FULL) return rowLines(paper, rows)
  const worst = [...notable].sort((a, b) => urgency(a) - urgency(b)).slice(0, NOTABLE)
  const more = notable.length - worst.length
  const fine = agents - notable.length
  const rest = fine === 0 ? '' : `${plural(fine, 'agent')} with high fidelity ${fine === 1 ? 'is' : 'are'} not listed.`
  const notes = [more === 0 ? '' : `... and ${more} more.`, rest].filter((note) => note !== '').join(' ')
  return [...rowLines(paper, worst), ...wrapIndented(paper, notes, 2).map(paper.style.dim)]
}

/** What did not arrive comes first, then the lowest score. */
function urgency({ file, score }: TallyRow): number {
  return file === null ? score - 1000 : score
}

const statusMarks: Readonly<Record<Conversion['status'], readonly [string, keyof Style]>> = {
  written: ['✓', 'green'],
  unchanged: ['=', 'dim'],
  planned: ['+', 'cyan'],
  refused: ['✗', 'red'],
  failed: ['✗', 'red'],
}

function rowLines({ style, columns }: TextOptions, rows: readonly TallyRow[]): string[] {
  const gapWords = rows.map(({ gaps }) => (gaps === 0 ? '' : plural(gaps, 'gap')))
  const widestGap = Math.max(0, ...gapWords.map(displayWidth))
  const gapWidth = columns < 36 ? 0 : widestGap
  const widest = Math.max(4, ...rows.map(({ name }) => displayWidth(oneLine(name))))
  // Mark, name, score, and the spaces between them.
  const fixed = 2 + 2 + 7 + (gapWidth === 0 ? 0 : gapWidth + 2)
  const share = Math.max(32, Math.floor(columns * 0.4))
  const nameWidth = Math.max(4, Math.min(widest, share, columns - fixed < 40 ? columns - fixed : columns - fixed - 26))
  const room = columns - fixed - nameWidth - 2
  return rows.flatMap((row, index) => {
    const [mark, color] = statusMarks[row.status]
    const whole = oneLine(row.name)
    // A name is there to be copied: one that is too long has a line of its own, where that is wide enough.
    const isLong = displayWidth(whole) > nameWidth && displayWidth(whole) + 4 <= columns
    const lead = `  ${style[color](mark)} `
    const name = pad(isLong ? '' : cut(whole, nameWidth), nameWidth)
    const what = room < 12 ? '' : `  ${pad(outcomeText(row, room), room)}`
    const score = style[row.band](`${row.score} %`.padStart(5))
    const gaps = gapWidth === 0 ? '' : `  ${style.dim((gapWords[index] ?? '').padStart(gapWidth))}`
    const rest = `${name}${row.file === null ? style.red(what) : style.dim(what)}  ${score}${gaps}`.trimEnd()
    return isLong ? [lead + whole, `    ${rest}`] : [lead + rest]
  })
}

/** Of a path the end tells most, of a reason the beginning. */
function outcomeText({ file, refusal }: TallyRow, width: number): string {
  if (file !== null) return cutStart(oneLine(file), width)
  return refusal === null ? '' : cut(oneLine(refusalWords(refusal)), width)
}
