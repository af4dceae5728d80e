/** Conversions for people at a terminal: what was written, what did not carry over, what was refused and why. */
import type { Conversion } from '../model/conversion.ts'
import { gapLines, refusalLines } from './conversion-gaps-text.ts'
import { agentLines } from './conversion-rows-text.ts'
import { type ChangeTally, createTargetTally, type TargetTally } from './conversion-tally.ts'
import { cut, displayWidth, oneLine, plural } from './layout.ts'
import { createFigures, type Figures, inOrder, statusText } from './migration.ts'
import { type Paper, wrapped } from './paper.ts'
import type { Style } from './style.ts'

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

export interface Tally {
  add(conversion: Conversion): void
  lines(style: Style, columns: number, options?: TallyOptions): string[]
  /** The dialects that agents came from, and went to. */
  pairs(): readonly (readonly [from: string, to: string])[]
  /** As `troupe convert --json` publishes it. */
  summary(): Figures
}

export function createTally(): Tally {
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
      const paper: Paper = { style, columns: Math.max(20, columns) }
      const titleOf = options.titleOf ?? ((id: string) => id)
      const blocks = inOrder([...targets], options.targets ?? []).flatMap(([id, tally]) => [
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

function targetLines(paper: Paper, title: string, tally: TargetTally, { dryRun }: TallyOptions): string[] {
  const { style, columns } = paper
  const figures = tally.figures()
  const head = cut(oneLine(title), columns)
  const planned = dryRun === true && displayWidth(head) + 11 <= columns ? style.dim(' (dry run)') : ''
  return [
    style.bold(head) + planned,
    ...agentLines(paper, tally, figures.agents),
    '',
    ...wrapped(paper, totals(figures), 0),
    ...gapLines(paper, title, [...tally.gaps.values()]),
    ...tally
      .refusals()
      .slice(0, REASONS)
      .flatMap((group) => refusalLines(paper, group)),
    ...accessLines(paper, tally),
  ]
}

function defaultLines(paper: Paper, to: string, { sources }: TargetTally, { defaultsOf }: TallyOptions): string[] {
  const sentences = [...sources].flatMap((from) => defaultsOf?.(from, to) ?? [])
  return sentences.flatMap((sentence) => ['', ...wrapped(paper, sentence, 0)])
}

/** "12 agents: 11 written, 1 refused; mean fidelity 91 %." */
function totals(figures: Figures): string {
  return `${plural(figures.agents, 'agent')}: ${statusText(figures)}; mean fidelity ${figures.fidelity} %.`
}

function accessLines(paper: Paper, { gained, unasked, restrained, narrowed, unheld }: TargetTally): string[] {
  const { style } = paper
  const lines = [
    ...changeLine(paper, 'Can do more, as you allowed', gained).map(style.yellow),
    ...changeLine(paper, 'No longer asks before', unasked),
    ...changeLine(paper, 'Now asks before', restrained),
    ...changeLine(paper, 'Can no longer', narrowed),
    ...keepLine(paper, [...unheld]),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}

/** "Can no longer: delegate, read (3 agents)", the most frequent first. */
function changeLine(paper: Paper, title: string, { agents, capabilities }: ChangeTally): string[] {
  if (agents === 0) return []
  const sorted = [...capabilities].sort((a, b) => b[1] - a[1])
  const words = sorted.map(([capability]) => capability)
  return wrapped(paper, `${title}: ${words.join(', ')} (${plural(agents, 'agent')})`, 0)
}

/** How to keep what is gone only because the target cannot limit it. */
function keepLine(paper: Paper, unheld: readonly string[]): string[] {
  if (unheld.length === 0) return []
  const all = unheld.join(',')
  const words = `To keep ${unheld.join(', ')} without limits: --allow-widening=${all}, or \`accept\` in troupe.yaml.`
  return wrapped(paper, words, 2)
}

function closing(paper: Paper, { dryRun, reported, undo }: TallyOptions): string[] {
  const hints = [
    dryRun === true ? `${reported === true ? 'No agent' : 'Nothing'} was written: these are the plans.` : '',
    undo === undefined ? '' : `\`${undo}\` takes this back.`,
    reported === true ? '' : '`--report DIR` writes a guide that says why, `--json` lists every feature.',
  ].filter((hint) => hint !== '')
  return hints.length === 0 ? [] : ['', ...wrapped(paper, hints.join(' '), 0).map(paper.style.dim)]
}
