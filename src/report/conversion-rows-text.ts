/** Agents that were converted, one line each: what came of them, and how well. */
import type { Conversion } from '../model/conversion.ts'
import { ALL, type TallyRow, type TargetTally } from './conversion-tally.ts'
import { cut, displayWidth, oneLine, pad, plural } from './layout.ts'
import { cutStart, type Paper, wrapped } from './paper.ts'
import { refusalWords } from './refusals.ts'
import type { Style } from './style.ts'

/** Of many agents, so many that need a look. */
const NOTABLE = 30

export function agentLines(paper: Paper, { rows, notable }: TargetTally, agents: number): string[] {
  if (agents <= ALL) return rowLines(paper, rows)
  const worst = [...notable].sort((a, b) => urgency(a) - urgency(b)).slice(0, NOTABLE)
  const more = notable.length - worst.length
  const fine = agents - notable.length
  const rest = fine === 0 ? '' : `${plural(fine, 'agent')} with high fidelity ${fine === 1 ? 'is' : 'are'} not listed.`
  const notes = [more === 0 ? '' : `... and ${more} more.`, rest].filter((note) => note !== '').join(' ')
  return [...rowLines(paper, worst), ...wrapped(paper, notes, 2).map(paper.style.dim)]
}

/** What did not arrive comes first, then the lowest score. */
function urgency({ file, score }: TallyRow): number {
  return file === null ? score - 1000 : score
}

const marks: Readonly<Record<Conversion['status'], readonly [string, keyof Style]>> = {
  written: ['✓', 'green'],
  unchanged: ['=', 'dim'],
  planned: ['+', 'cyan'],
  refused: ['✗', 'red'],
  failed: ['✗', 'red'],
}

function rowLines({ style, columns }: Paper, rows: readonly TallyRow[]): string[] {
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
    const [mark, color] = marks[row.status]
    const whole = oneLine(row.name)
    // A name is there to be copied: one that is too long has a line of its own, where that is wide enough.
    const isLong = displayWidth(whole) > nameWidth && displayWidth(whole) + 4 <= columns
    const lead = `  ${style[color](mark)} `
    const name = pad(isLong ? '' : cut(whole, nameWidth), nameWidth)
    const what = room < 12 ? '' : `  ${pad(whatOf(row, room), room)}`
    const score = style[row.band](`${row.score} %`.padStart(5))
    const gaps = gapWidth === 0 ? '' : `  ${style.dim((gapWords[index] ?? '').padStart(gapWidth))}`
    const rest = `${name}${row.file === null ? style.red(what) : style.dim(what)}  ${score}${gaps}`.trimEnd()
    return isLong ? [lead + whole, `    ${rest}`] : [lead + rest]
  })
}

/** Of a path the end tells most, of a reason the beginning. */
function whatOf({ file, refusal }: TallyRow, width: number): string {
  if (file !== null) return cutStart(oneLine(file), width)
  return refusal === null ? '' : cut(oneLine(refusalWords(refusal)), width)
}
