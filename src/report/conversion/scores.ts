/** How well agents were carried over: the table of all of them, what lowered a score, and what scores mean. */
import { areas, type Conversion, type ConversionStatus, type Outcome, outcomes } from '../../model/conversion.ts'
import {
  type Badge,
  type Bar,
  type Block,
  badge,
  type Inline,
  listOf,
  only,
  paragraph,
  small,
  someValues,
  strong,
  type Tone,
  table,
  value,
  words,
} from '../document.ts'
import { capitalize, plural } from '../layout.ts'
import { isConverted, refusalOf, refusalWords, type TargetPart } from './run.ts'

/** Up to this many agents share one table of a page; with more, the most urgent come first. */
const ONE_TABLE = 60
const URGENT_SHOWN = 30

const outcomeTones: Readonly<Record<Outcome, Tone>> = {
  direct: 'good',
  workaround: 'notice',
  todo: 'warning',
  omitted: 'bad',
}
const outcomeTitles: Readonly<Record<Outcome, string>> = {
  direct: 'Direct',
  workaround: 'Workaround',
  todo: 'TODO',
  omitted: 'Omitted',
}

export const statusTones: Readonly<Record<ConversionStatus, Tone>> = {
  written: 'good',
  unchanged: 'muted',
  planned: 'notice',
  refused: 'bad',
  failed: 'bad',
}

export function statusBadge(status: ConversionStatus): Badge {
  return badge(statusTones[status], status)
}

export const bandTones: Readonly<Record<Conversion['fidelity']['band'], Tone>> = {
  green: 'good',
  yellow: 'warning',
  red: 'bad',
}

export const scoreLegend: readonly Block[] = [
  ...listOf([
    [strong('Green'), ' (80 to 100 %): high fidelity; almost everything carried over.'],
    [strong('Yellow'), ' (50 to 79 %): moderate fidelity; the core carried over, with notable gaps.'],
    [strong('Red'), ' (below 50 %): low fidelity; manual work is needed.'],
  ]),
  paragraph(
    'A direct feature counts 1.0, a workaround 0.7, a TODO 0.2 and an omitted one 0.0, divided by the number of features.',
  ),
]

/** Every agent with its score; on a page, those in `addresses` have a link to their details. */
export function scoreTables({ conversions }: TargetPart, addresses: ReadonlyMap<Conversion, string>): Block[] {
  const figures = table(
    ['Component', 'Type', 'Score', 'Band', ...outcomes.map((one) => outcomeTitles[one]), 'Total Features'],
    conversions.map(({ name, fidelity: { score, band, counts, total } }) => [
      value(name),
      'agent',
      `${score}%`,
      capitalize(band),
      ...outcomes.map((outcome) => String(counts[outcome])),
      String(total),
    ]),
  )
  return [...only('markdown', figures), ...only('html', overview(conversions, addresses))]
}

/** With many agents, the urgent ones first and the others on request. */
function overview(conversions: readonly Conversion[], addresses: ReadonlyMap<Conversion, string>): Block[] {
  const tableOf = (some: readonly Conversion[]) =>
    table(
      ['Component', 'Result', 'Score', 'Features', 'Gaps'],
      some.map((one) => overviewRow(one, addresses.get(one))),
    ).map((one) => ({ ...one, isOverview: true }))
  const legend = paragraph(
    outcomes.map((outcome) => ({ kind: 'badge', tone: outcomeTones[outcome], text: outcomeTitles[outcome] })),
    'legend',
  )
  if (conversions.length <= ONE_TABLE) return [...tableOf(conversions), legend]
  const urgent = conversions
    .filter((one) => !isConverted(one) || one.fidelity.band !== 'green')
    .sort((a, b) => urgency(a) - urgency(b))
    .slice(0, URGENT_SHOWN)
  const title = `All ${plural(conversions.length, 'agent')}`
  return [...tableOf(urgent), { kind: 'folded', title, marks: [], blocks: tableOf(conversions) }, legend]
}

/** Agents that were not converted come first, then the lowest score. */
function urgency(conversion: Conversion): number {
  return conversion.fidelity.score - (isConverted(conversion) ? 0 : 1000)
}

function overviewRow(conversion: Conversion, address: string | undefined): Inline[] {
  const { name, status, target, gaps } = conversion
  const refusal = refusalOf(conversion)
  const label =
    address === undefined ? strong(words(name)) : ({ kind: 'link', to: address, content: words(name) } as const)
  const where: Inline =
    refusal === null ? small('muted', words(target.files.join(', '), 300)) : small('bad', words(refusalWords(refusal)))
  return [[label, ' ', where], statusBadge(status), scoreBar(conversion), outcomeBar(conversion), String(gaps.length)]
}

/** For an agent that was not converted, the score it would have. */
function scoreBar(conversion: Conversion): Bar {
  const { score, band, label } = conversion.fidelity
  const tone = isConverted(conversion) ? bandTones[band] : 'muted'
  return { kind: 'bar', text: `${score}%`, tone, parts: [{ tone, label, percent: score }] }
}

function outcomeBar({ fidelity: { counts, total } }: Conversion): Bar {
  const parts = outcomes
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => ({
      tone: outcomeTones[outcome],
      label: `${counts[outcome]} ${outcomeTitles[outcome].toLowerCase()}`,
      percent: (100 * counts[outcome]) / total,
    }))
  return { kind: 'bar', text: '', tone: 'muted', parts }
}

/** What lowered the score, for every agent that is not green. */
export function scoreBreakdown({ conversions }: TargetPart): Block[] {
  return listOf(
    conversions
      .filter(({ fidelity }) => fidelity.band !== 'green')
      .map(({ name, fidelity, features }) => {
        const lost = features.filter(({ outcome }) => outcome === 'todo' || outcome === 'omitted')
        const names = lost.map(({ feature }) => feature)
        return [
          value(name),
          ` (${fidelity.score}%, ${capitalize(fidelity.band)}): ${areaScores(fidelity) || 'nothing to score'}`,
          ...(lost.length === 0 ? [] : ['; not carried over: ', someValues(names, 8)]),
        ]
      }),
  )
}

/** "fields 93, tools 85": each area by itself. */
export function areaScores({ areas: scores }: Conversion['fidelity']): string {
  return [...areas, 'gaps' as const]
    .flatMap((area) => (scores[area] === null ? [] : [`${area} ${scores[area]}`]))
    .join(', ')
}

/** Whether everything was carried over unchanged. */
export function isPerfect(conversion: Conversion): boolean {
  const { features, gaps, access, diagnostics } = conversion
  const isDirect = features.every(({ outcome }) => outcome === 'direct')
  return (
    isConverted(conversion) && isDirect && gaps.length === 0 && access.widened.length === 0 && diagnostics.length === 0
  )
}
