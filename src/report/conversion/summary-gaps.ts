/** What did not carry over, and who was not written and why: gathered, the most frequent first. */

import { cut, cutStart, displayWidth, oneLine, pad, plural, wrap } from '../layout.ts'
import { type TextOptions, wrapIndented } from '../print-text.ts'
import { resolutionWords } from './gaps.ts'
import type { RefusalGroup } from './refusals.ts'
import type { GapTally } from './tally.ts'

/** Classes of gaps, and combinations of capabilities. */
const GROUPS = 12

export function gapLines(paper: TextOptions, title: string, gaps: readonly GapTally[]): string[] {
  const { style, columns } = paper
  if (gaps.length === 0) return []
  const sorted = [...gaps].sort((a, b) => b.agents - a.agents || (a.feature < b.feature ? -1 : 1))
  const shown = sorted.slice(0, GROUPS).map((gap) => ({
    feature: oneLine(gap.feature),
    count: plural(gap.agents, 'agent'),
    done: doneWords(gap),
    reason: withoutTitle(oneLine(gap.reason), title),
  }))
  const widthOf = (text: (one: (typeof shown)[number]) => string) =>
    Math.max(...shown.map((one) => displayWidth(text(one))))
  const countWidth = widthOf(({ count }) => count)
  const doneWidth = widthOf(({ done }) => done)
  const featureWidth = Math.max(
    6,
    Math.min(
      widthOf(({ feature }) => feature),
      28,
      columns - countWidth - doneWidth - 6,
    ),
  )
  const room = columns - 2 - featureWidth - 2 - countWidth - 2 - doneWidth - 2
  const more = gaps.length - shown.length
  return [
    '',
    style.bold(cut('What did not carry over', columns)),
    ...shown.flatMap(({ feature, count, done, reason }) => {
      // A long name has a line of its own.
      const isLong = displayWidth(feature) > featureWidth
      const own = isLong ? [`  ${cutFeature(feature, columns - 2)}`] : []
      const name = pad(isLong ? '' : feature, featureWidth)
      const left = columns - 2 - featureWidth - 2 - countWidth - 2
      const rest = left < 8 ? '' : `  ${pad(cut(done, left), Math.min(doneWidth, left))}`
      const [why = '', ...more] = room < 24 ? [] : wrap(reason, room).map((line) => style.dim(cut(line, room)))
      const below =
        room < 24
          ? wrapIndented(paper, reason, 4).map(style.dim)
          : more.map((line) => ' '.repeat(columns - room) + line)
      return [...own, `  ${name}  ${count.padStart(countWidth)}${rest}  ${why}`.trimEnd(), ...below]
    }),
    ...(more > 0 ? [style.dim(cut(`  ... and ${more} more`, columns))] : []),
  ]
}

/** The block has the title already. */
function withoutTitle(reason: string, title: string): string {
  return reason.startsWith(`${title} `) ? reason.slice(title.length + 1) : reason
}

/** Paths begin alike. */
function cutFeature(feature: string, width: number): string {
  const kind = 'path: '
  return feature.startsWith(kind) && width >= 16
    ? kind + cutStart(feature.slice(kind.length), width - kind.length)
    : cut(feature, width)
}

/** "left as a TODO", or with numbers where not all were treated alike. */
function doneWords({ done }: GapTally): string {
  const all = [...done].sort((a, b) => b[1] - a[1])
  const [first] = all
  if (first !== undefined && all.length === 1) return resolutionWords[first[0]]
  return all.map(([resolution, count]) => `${count} ${resolutionWords[resolution]}`).join(', ')
}

export function refusalLines(
  paper: TextOptions,
  { status, reason, hint, agents, messages, gains }: RefusalGroup,
): string[] {
  const { style, columns } = paper
  const isGain = gains.some(({ capabilities }) => capabilities.length > 0)
  const title = isGain
    ? 'they could do more than their definitions say'
    : status === 'refused'
      ? 'refused'
      : 'not written'
  const why = !isGain && messages.length > 0 ? messages : [reason]
  return [
    '',
    style.bold(cut(`${plural(agents, 'agent')} ${isGain ? `refused: ${title}` : title}`, columns)),
    ...gainLines(paper, gains),
    ...why.flatMap((text) => wrapIndented(paper, text, 2)),
    ...(hint === null ? [] : wrapIndented(paper, hint, 2).map(style.cyan)),
  ]
}

/** Each combination of capabilities, how many would gain it, and some of them. */
function gainLines({ style, columns }: TextOptions, gains: RefusalGroup['gains']): string[] {
  const shown = gains.slice(0, GROUPS)
  const words = shown.map(({ capabilities }) => oneLine(capabilities.join(', ')))
  const counts = shown.map(({ agents }) => plural(agents, 'agent'))
  const wordWidth = Math.min(Math.max(...words.map(displayWidth)), Math.max(8, Math.floor(columns / 2) - 4))
  const countWidth = Math.max(...counts.map(displayWidth))
  const lines = shown.map(({ names, agents }, index) => {
    const lead = wordWidth === 0 || words[0] === '' ? '  ' : `  ${pad(cut(words[index] ?? '', wordWidth), wordWidth)}  `
    const count = words[0] === '' ? '' : `${(counts[index] ?? '').padStart(countWidth)}  `
    const room = columns - displayWidth(lead) - displayWidth(count)
    const all = names.map(oneLine).join(', ') + (names.length < agents && names.length >= 20 ? ', …' : '')
    return `${lead}${count}${room < 8 ? '' : style.dim(cut(all, room))}`.trimEnd()
  })
  return gains.length > shown.length
    ? [...lines, style.dim(cut(`  ... and ${gains.length - shown.length} more`, columns))]
    : lines
}
