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
  const nameWidth = Math.min(28, Math.max(4, ...rows.map((row) => displayWidth(row.name))))
  const modelWidth = Math.min(18, Math.max(5, ...rows.map((row) => displayWidth(modelWord(row)))))
  const accessWidth = Math.max(6, ...rows.map((row) => displayWidth(accessWords(row))))
  const lines: string[] = []
  for (const [harness, members] of groups) {
    lines.push('', `${style.bold(titleOf(harness))} ${style.dim(folders(members))}`)
    for (const row of members) {
      const fixed = `${pad(cut(oneLine(row.name), nameWidth), nameWidth)}  ${pad(cut(modelWord(row), modelWidth), modelWidth)}  `
      const access = pad(accessWords(row), accessWidth)
      const room = columns - displayWidth(fixed) - accessWidth - 6
      const description = room >= 16 ? cut(oneLine(row.description ?? ''), room) : ''
      const severity = worst(row.diagnostics)
      const sign = severity === null ? ' ' : paintSeverity(style, severity)(severitySign(severity))
      const note = row.shadowedBy === null ? description : `hidden by ${row.shadowedBy}`
      lines.push(`${sign} ${fixed}${access}  ${style.dim(note)}`.trimEnd())
    }
  }
  return lines.slice(1)
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
