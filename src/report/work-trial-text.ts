/** What a trial has shown: a table of the members, what went wrong, and what was not tried. */
import { isSeenToWork, type TrialRow } from '../workplace/trial.ts'
import { cut, displayWidth, oneLine, pad, plural } from './layout.ts'
import { type Paper, wrapped } from './paper.ts'
import type { Style } from './style.ts'

const YES = '\u2713'
const NO = '\u2717'

/** What was not in the copy, so that nothing would be started by it. */
interface Quieted {
  readonly leftOut: readonly string[]
  readonly takenOut: readonly { readonly path: string; readonly keys: readonly string[] }[]
}

/** More of them are counted. */
const MOST_NAMED = 6

export function trialText(rows: readonly TrialRow[], quieted: Quieted, paper: Paper): string[] {
  const { style } = paper
  const head = ['member', 'played by', 'started', 'as predicted', 'answered', 'handed to']
  const cells = rows.map((row) => [
    oneLine(row.member),
    row.by === 'stand-in' ? 'a stand-in' : row.by === null ? '-' : oneLine(row.as),
    row.by === null ? '-' : sign(row.started),
    row.asPredicted === null ? '-' : sign(row.asPredicted),
    row.by === null ? '-' : sign(row.answer !== null),
    row.handedTo.join(', ') || '-',
  ])
  const widths = head.map((title, column) =>
    Math.min(28, Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[column] ?? '')))),
  )
  const line = (row: readonly string[]) =>
    cut(
      row.map((cell, column) => pad(cut(cell, widths[column] ?? 0), widths[column] ?? 0)).join('  '),
      paper.columns,
    ).trimEnd()
  const table = [style.dim(line(head)), ...cells.map((row) => painted(line(row), style))]
  const notes = [...problemsIn(rows, paper), ...notTried(rows, paper), ...quietedText(quieted, paper)]
  return [...table, ...(notes.length === 0 ? [] : ['', ...notes]), '', ...wrapped(paper, closing(rows), 0)]
}

function sign(isSo: boolean): string {
  return isSo ? YES : NO
}

function painted(line: string, style: Style): string {
  return line.replaceAll(YES, style.green(YES)).replaceAll(NO, style.red(NO))
}

function problemsIn(rows: readonly TrialRow[], paper: Paper): string[] {
  return rows.flatMap(({ member, problem }) =>
    problem === null ? [] : noted(paper, paper.style.red(NO), `${member}: ${problem}`),
  )
}

/** The same reason is said once. */
function notTried(rows: readonly TrialRow[], paper: Paper): string[] {
  const reasons = new Map<string, string[]>()
  for (const { member, notTried: why } of rows)
    if (why !== null) reasons.set(why, [...(reasons.get(why) ?? []), member])
  return [...reasons].flatMap(([why, members]) =>
    noted(paper, '\u00b7', `Not tried: ${members.join(', ')}. ${capital(why)}`),
  )
}

function quietedText({ leftOut, takenOut }: Quieted, paper: Paper): string[] {
  const all = [...leftOut, ...takenOut.map(({ path, keys }) => `${keys.join(' and ')} in ${path}`)].map(oneLine)
  if (all.length === 0) return []
  const more = all.length - MOST_NAMED
  const named = all.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return noted(paper, '\u00b7', `Left out of the copy, so that nothing they name is started: ${named}.`)
}

function noted(paper: Paper, mark: string, text: string): string[] {
  const [first = '', ...rest] = wrapped(paper, /[.`]$/.test(text) ? text : `${text}.`, 2)
  return [`${mark} ${first.slice(2)}`, ...rest]
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function closing(rows: readonly TrialRow[]): string {
  const fine = rows.filter(isSeenToWork).length
  const failed = rows.filter(({ problem }) => problem !== null).length
  const left = rows.length - fine - failed
  const counts = [
    fine > 0 ? `${fine} ${fine === 1 ? 'works' : 'work'}` : '',
    failed > 0 ? `${failed} ${failed === 1 ? 'does' : 'do'} not` : '',
    left > 0 ? `${left} ${left === 1 ? 'was' : 'were'} not tried` : '',
  ].filter(Boolean)
  const next =
    failed > 0
      ? ''
      : left > 0
        ? ' Handoffs, chat and status work.'
        : ' All but the model is seen to work: `troupe work start "what to do"` begins.'
  return `${plural(rows.length, 'member')}: ${counts.join(', ')}.${next}`
}
