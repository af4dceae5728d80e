/** A list of agents for people: grouped by harness, one line each. */
import { type AgentRow, accessWords, worst } from './agent-row.ts'
import { cut, displayWidth, oneLine, pad } from './layout.ts'
import { paintSeverity, type Style, severitySign } from './style.ts'

export function agentsText(
  rows: readonly AgentRow[],
  titleOf: (harness: string) => string,
  style: Style,
  columns: number,
): string[] {
  const groups = groupBy(rows)
  const widest = (least: number, text: (row: AgentRow) => string) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(text(row))), least)
  const accessWidth = widest(6, accessWords)
  // A sign in front and two spaces between; a name that is longer has a line of its own.
  const room = columns - 2 - accessWidth - 4
  const modelWidth = Math.max(5, Math.min(18, widest(5, modelWord), room - 20))
  const nameWidth = Math.max(4, Math.min(Math.max(28, Math.floor(columns * 0.4)), widest(4, nameOf), room - modelWidth))
  const lines: string[] = []
  for (const [harness, members] of groups) {
    lines.push('', `${style.bold(titleOf(harness))} ${style.dim(folders(members))}`)
    for (const row of members) {
      const severity = worst(row.diagnostics)
      const sign = severity === null ? ' ' : paintSeverity(style, severity)(severitySign(severity))
      const isLong = displayWidth(nameOf(row)) > nameWidth
      if (isLong) lines.push(`${sign} ${nameOf(row)}`)
      const name = pad(isLong ? '' : nameOf(row), nameWidth)
      const fixed = `${name}  ${pad(cut(modelWord(row), modelWidth), modelWidth)}  ${pad(accessWords(row), accessWidth)}`
      const left = columns - displayWidth(fixed) - 4
      const said = remark(row)
      const isBeside = said === null || displayWidth(said) <= left
      const description = left >= 16 ? cut(oneLine(row.description ?? ''), left) : ''
      const note = said === null ? description : isBeside ? said : ''
      lines.push(`${isLong ? ' ' : sign} ${fixed}  ${style.dim(note)}`.trimEnd())
      if (!isBeside) lines.push(`    ${style.dim(said)}`)
    }
  }
  return lines.slice(1)
}

/** What matters more about an agent than what it is for. */
function remark({ shadowedBy, disabled, builtFrom }: AgentRow): string | null {
  if (shadowedBy !== null) return `hidden by ${oneLine(shadowedBy)}`
  if (disabled) return 'switched off'
  return builtFrom === null ? null : `built from ${oneLine(builtFrom)}`
}

function groupBy(rows: readonly AgentRow[]): Map<string, AgentRow[]> {
  const groups = new Map<string, AgentRow[]>()
  for (const row of rows) {
    const group = groups.get(row.harness)
    if (group === undefined) groups.set(row.harness, [row])
    else group.push(row)
  }
  return groups
}

function nameOf({ name }: AgentRow): string {
  return oneLine(name)
}

function modelWord({ model }: AgentRow): string {
  if (model === null) return '-'
  return oneLine(typeof model === 'string' ? model : model.join(', '))
}

/** The folder the agents share, so that a line need not repeat it. */
function folders(rows: readonly AgentRow[]): string {
  const all = new Set(rows.map(({ path }) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.')))
  const [first = ''] = all
  return all.size === 1 ? first : `${all.size} folders`
}
