/** The team and its handoffs, and their problems. */
import { type GraphProblem, hasPassed, type TrialRow } from '../../team/state/graph.ts'
import { KERNEL } from '../../team/state/message.ts'
import type { Player, Roster } from '../../team/state/roster.ts'
import type { TeamRules } from '../../team/state/team-rules.ts'
import { capitalize, cut, displayWidth, oneLine, pad, plural } from '../layout.ts'
import { paintSeverity, type Style, severitySign, type TerminalOptions, wrapIndented } from '../print-text.ts'

export function teamText(
  roster: Roster,
  { budget }: TeamRules,
  problems: readonly GraphProblem[],
  players: readonly Player[],
  options: TerminalOptions,
): string[] {
  const { style, columns } = options
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
      ...(player === undefined ? [] : playerLines(player, width + 2, options)),
      ...(about === '' ? [] : [`${' '.repeat(width + 2)}${style.dim(cut(about, columns - width - 2))}`]),
    ]
  })
  const shown = problems.filter(({ severity }) => severity !== 'info')
  const notes = problems.filter(({ severity }) => severity === 'info')
  const lines = [...shown, ...notes].flatMap((problem) => problemLines(problem, options))
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const warnings = shown.length - errors
  const counts = [errors > 0 ? plural(errors, 'error') : '', warnings > 0 ? plural(warnings, 'warning') : '']
    .filter(Boolean)
    .join(' and ')
  const cost = budget.cost === null ? '' : `, ${budget.cost} in cost`
  const closing = `${plural(members.length, 'agent')}: ${counts === '' ? 'ready' : counts}. Limits per chain: ${budget.handoffs} handoffs, ${budget.minutes} minutes, ${budget.turns} turns${cost}.`
  return [...rows.flat(), ...(lines.length === 0 ? [] : ['', ...lines]), '', ...wrapIndented(options, closing, 0)]
}

function problemLines({ severity, message, hint }: GraphProblem, options: TerminalOptions): string[] {
  const [first = '', ...rest] = wrapIndented(options, message, 2)
  const sign = severity === 'info' ? '\u00b7' : severitySign(severity)
  const lines = [`${paintSeverity(options.style, severity)(sign)} ${first.slice(2)}`, ...rest]
  return hint === undefined
    ? lines
    : [...lines, ...wrapIndented(options, hint, 4).map((line) => options.style.dim(line))]
}

/** What it runs as, and what it may do. */
function playerLines(
  { harness, command, may, login, problem }: Player,
  indent: number,
  options: TerminalOptions,
): string[] {
  if (harness === null && command === null) return []
  const as = harness === null ? `\`${oneLine(command?.join(' ') ?? '')}\`` : harnessText(harness)
  const account =
    login === null
      ? ''
      : { found: `, login or key: ${login.where}`, unknown: `, login unknown: ${login.where}`, none: ', no login' }[
          login.state
        ]
  const missing = problem?.code !== 'no-program' ? '' : harness === null ? ', not found' : ', not installed'
  return [
    ...wrapIndented(options, `runs as ${as}${missing === '' ? account : missing}`, indent),
    ...wrapIndented(options, may, indent),
  ]
}

function harnessText({ title, version, checked }: NonNullable<Player['harness']>): string {
  if (version === null) return title
  return `${title} ${version}${checked === null || version === checked ? '' : ` (checked with ${checked})`}`
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

export function trialText(rows: readonly TrialRow[], quieted: RemovedFromCopy, options: TerminalOptions): string[] {
  const { style } = options
  const head = ['member', 'run by', 'started', 'as predicted', 'answered', 'handed to']
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
      options.columns,
    ).trimEnd()
  const table = [style.dim(line(head)), ...cells.map((row) => paintSigns(line(row), style))]
  const notes = [...problemsIn(rows, options), ...notTried(rows, options), ...removedText(quieted, options)]
  return [...table, ...(notes.length === 0 ? [] : ['', ...notes]), '', ...wrapIndented(options, closing(rows), 0)]
}

function sign(isSo: boolean): string {
  return isSo ? YES : NO
}

function paintSigns(line: string, style: Style): string {
  return line.replaceAll(YES, style.green(YES)).replaceAll(NO, style.red(NO))
}

/** Each problem is printed once, with the members that have it. */
function problemsIn(rows: readonly TrialRow[], options: TerminalOptions): string[] {
  const problems = new Map<string, string[]>()
  for (const { member, problem } of rows)
    if (problem !== null) problems.set(problem, [...(problems.get(problem) ?? []), member])
  return [...problems].flatMap(([problem, members]) =>
    noteLines(options, options.style.red(NO), `${members.join(', ')}: ${problem}`),
  )
}

/** Each reason is printed once. */
function notTried(rows: readonly TrialRow[], options: TerminalOptions): string[] {
  const reasons = new Map<string, string[]>()
  for (const { member, notTried: why } of rows)
    if (why !== null) reasons.set(why, [...(reasons.get(why) ?? []), member])
  return [...reasons].flatMap(([why, members]) =>
    noteLines(options, '\u00b7', `Not tried: ${members.join(', ')}. ${capitalize(why)}`),
  )
}

function removedText({ leftOut, takenOut }: RemovedFromCopy, options: TerminalOptions): string[] {
  const all = [...leftOut, ...takenOut.map(({ path, keys }) => `${keys.join(' and ')} in ${path}`)].map(oneLine)
  if (all.length === 0) return []
  const more = all.length - MOST_NAMED
  const named = all.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return noteLines(options, '\u00b7', `Removed from the copy, so that they start nothing: ${named}.`)
}

function noteLines(options: TerminalOptions, mark: string, text: string): string[] {
  const [first = '', ...rest] = wrapIndented(options, /[.`]$/.test(text) ? text : `${text}.`, 2)
  return [`${mark} ${first.slice(2)}`, ...rest]
}

function closing(rows: readonly TrialRow[]): string {
  const fine = rows.filter(hasPassed).length
  const failed = rows.filter(({ problem }) => problem !== null).length
  const left = rows.length - fine - failed
  const counts = [
    fine > 0 ? `${fine} ${fine === 1 ? 'works' : 'work'}` : '',
    failed > 0 ? `${failed} ${failed === 1 ? 'fails' : 'fail'}` : '',
    left > 0 ? `${left} ${left === 1 ? 'was' : 'were'} not tried` : '',
  ].filter(Boolean)
  const next =
    failed > 0
      ? ''
      : left > 0
        ? ' Handoffs, chat and status work.'
        : ' Everything except the model works. Begin with `troupe work start "what to do"`.'
  return `${plural(rows.length, 'member')}: ${counts.join(', ')}.${next}`
}
