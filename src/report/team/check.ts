/** The team and its handoffs, and their problems. */
import { type GraphProblem, hasPassed, type TrialRow } from '../../team/state/graph.ts'
import { KERNEL } from '../../team/state/message.ts'
import type { Player, Roster, TeamRules } from '../../team/state/roster.ts'
import { capitalize, cut, displayWidth, oneLine, pad, plural } from '../layout.ts'
import { paintSeverity, type Style, severitySign, type TextOptions, wrapIndented } from '../print-text.ts'

export function teamText(
  roster: Roster,
  { budget }: TeamRules,
  problems: readonly GraphProblem[],
  players: readonly Player[],
  paper: TextOptions,
): string[] {
  const { style, columns } = paper
  const members = [...roster.values()].filter(({ name }) => name !== KERNEL)
  const width = Math.min(24, Math.max(4, ...members.map(({ name }) => displayWidth(oneLine(name)))))
  const rows = members.map(({ name, handoffTo, triggers, role, persistent }) => {
    const targets = handoffTo.length === 0 ? style.dim('answers only') : oneLine(`\u2192 ${handoffTo.join(', ')}`)
    const words = [persistent ? 'always up' : '', triggers.length === 0 ? '' : `on ${triggers.join(', ')}`]
      .filter(Boolean)
      .join('; ')
    const line = `${pad(cut(oneLine(name), width), width)}  ${targets}`
    const about = oneLine([words, role ?? ''].filter(Boolean).join('. '))
    const player = players.find(({ member }) => member === name)
    return [
      line,
      ...(player === undefined ? [] : playerLines(player, width + 2, paper)),
      ...(about === '' ? [] : [`${' '.repeat(width + 2)}${style.dim(cut(about, columns - width - 2))}`]),
    ]
  })
  const shown = problems.filter(({ severity }) => severity !== 'info')
  const notes = problems.filter(({ severity }) => severity === 'info')
  const lines = [...shown, ...notes].flatMap((problem) => problemLines(problem, paper))
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = shown.length - errors
  const counts = [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : '']
    .filter(Boolean)
    .join(' and ')
  const cost = budget.cost === null ? '' : `, ${budget.cost} in cost`
  const closing = `${plural(members.length, 'agent')}: ${counts === '' ? 'ready' : counts}. A chain may have ${budget.handoffs} handoffs, ${budget.minutes} minutes, ${budget.turns} turns${cost}.`
  return [...rows.flat(), ...(lines.length === 0 ? [] : ['', ...lines]), '', ...wrapIndented(paper, closing, 0)]
}

function problemLines({ severity, message, hint }: GraphProblem, paper: TextOptions): string[] {
  const [first = '', ...rest] = wrapIndented(paper, message, 2)
  const sign = severity === 'info' ? '\u00b7' : severitySign(severity)
  const lines = [`${paintSeverity(paper.style, severity)(sign)} ${first.slice(2)}`, ...rest]
  return hint === undefined ? lines : [...lines, ...wrapIndented(paper, hint, 4).map((line) => paper.style.dim(line))]
}

/** What it runs as, and what it may do. */
function playerLines({ harness, command, may, login, problem }: Player, indent: number, paper: TextOptions): string[] {
  if (harness === null && command === null) return []
  const as = harness === null ? `\`${oneLine(command?.join(' ') ?? '')}\`` : harnessText(harness)
  const account =
    login === null
      ? ''
      : { found: `, login or key: ${login.where}`, unknown: `, login unknown: ${login.where}`, none: ', no login' }[
          login.state
        ]
  const missing = problem?.code !== 'no-program' ? '' : harness === null ? ', which is not there' : ', not installed'
  return [
    ...wrapIndented(paper, `runs as ${as}${missing === '' ? account : missing}`, indent),
    ...wrapIndented(paper, may, indent),
  ]
}

function harnessText({ title, version, checked }: NonNullable<Player['harness']>): string {
  if (version === null) return title
  return `${title} ${version}${checked === null || version === checked ? '' : ` (Troupe knows ${checked})`}`
}

/** The result of a trial: a table of the members, what went wrong, and what was not tried. */
const YES = '\u2713'
const NO = '\u2717'

/** What was left out of the copy, so that it starts nothing. */
interface RemovedFromCopy {
  readonly leftOut: readonly string[]
  readonly takenOut: readonly { readonly path: string; readonly keys: readonly string[] }[]
}

/** More of them are only counted. */
const MOST_NAMED = 6

export function trialText(rows: readonly TrialRow[], quieted: RemovedFromCopy, paper: TextOptions): string[] {
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
  const table = [style.dim(line(head)), ...cells.map((row) => paintSigns(line(row), style))]
  const notes = [...problemsIn(rows, paper), ...notTried(rows, paper), ...removedText(quieted, paper)]
  return [...table, ...(notes.length === 0 ? [] : ['', ...notes]), '', ...wrapIndented(paper, closing(rows), 0)]
}

function sign(isSo: boolean): string {
  return isSo ? YES : NO
}

function paintSigns(line: string, style: Style): string {
  return line.replaceAll(YES, style.green(YES)).replaceAll(NO, style.red(NO))
}

function problemsIn(rows: readonly TrialRow[], paper: TextOptions): string[] {
  return rows.flatMap(({ member, problem }) =>
    problem === null ? [] : noteLines(paper, paper.style.red(NO), `${member}: ${problem}`),
  )
}

/** Each reason is printed once. */
function notTried(rows: readonly TrialRow[], paper: TextOptions): string[] {
  const reasons = new Map<string, string[]>()
  for (const { member, notTried: why } of rows)
    if (why !== null) reasons.set(why, [...(reasons.get(why) ?? []), member])
  return [...reasons].flatMap(([why, members]) =>
    noteLines(paper, '\u00b7', `Not tried: ${members.join(', ')}. ${capitalize(why)}`),
  )
}

function removedText({ leftOut, takenOut }: RemovedFromCopy, paper: TextOptions): string[] {
  const all = [...leftOut, ...takenOut.map(({ path, keys }) => `${keys.join(' and ')} in ${path}`)].map(oneLine)
  if (all.length === 0) return []
  const more = all.length - MOST_NAMED
  const named = all.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return noteLines(paper, '\u00b7', `Left out of the copy, so that nothing they name is started: ${named}.`)
}

function noteLines(paper: TextOptions, mark: string, text: string): string[] {
  const [first = '', ...rest] = wrapIndented(paper, /[.`]$/.test(text) ? text : `${text}.`, 2)
  return [`${mark} ${first.slice(2)}`, ...rest]
}

function closing(rows: readonly TrialRow[]): string {
  const fine = rows.filter(hasPassed).length
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
