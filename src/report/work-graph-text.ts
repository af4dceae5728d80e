/** The team and its handoffs, and what is wrong with them. */
import type { GraphProblem } from '../workplace/graph.ts'
import { KERNEL } from '../workplace/names.ts'
import type { Player } from '../workplace/player.ts'
import type { Roster, Rules } from '../workplace/roster.ts'
import { cut, displayWidth, oneLine, pad, plural } from './layout.ts'
import { type Paper, wrapped } from './paper.ts'
import { paintSeverity, severitySign } from './style.ts'

export function graphText(
  roster: Roster,
  { budget }: Rules,
  problems: readonly GraphProblem[],
  players: readonly Player[],
  paper: Paper,
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
  return [...rows.flat(), ...(lines.length === 0 ? [] : ['', ...lines]), '', ...wrapped(paper, closing, 0)]
}

function problemLines({ severity, message, hint }: GraphProblem, paper: Paper): string[] {
  const [first = '', ...rest] = wrapped(paper, message, 2)
  const sign = severity === 'info' ? '\u00b7' : severitySign(severity)
  const lines = [`${paintSeverity(paper.style, severity)(sign)} ${first.slice(2)}`, ...rest]
  return hint === undefined ? lines : [...lines, ...wrapped(paper, hint, 4).map((line) => paper.style.dim(line))]
}

/** What it runs as, and what it may do. */
function playerLines({ harness, command, may, login, problem }: Player, indent: number, paper: Paper): string[] {
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
    ...wrapped(paper, `runs as ${as}${missing === '' ? account : missing}`, indent),
    ...wrapped(paper, may, indent),
  ]
}

function harnessText({ title, version, checked }: NonNullable<Player['harness']>): string {
  if (version === null) return title
  return `${title} ${version}${checked === null || version === checked ? '' : ` (Troupe knows ${checked})`}`
}
