/** One agent for people: what it is, what it may do, what is wrong with it. */
import type { AgentRow } from './agent-row.ts'
import { diagnosticsText } from './diagnostics-text.ts'
import { accessTexts, labelled, valueText } from './labelled.ts'
import { oneLine, plural } from './layout.ts'
import type { Style } from './style.ts'

export interface AgentDetails {
  readonly row: AgentRow
  readonly title: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly extras: Readonly<Record<string, unknown>>
  readonly prompt: string
}

export function agentText(details: AgentDetails, style: Style, columns: number): string[] {
  const { row, title, fields, extras, prompt } = details
  const lines = [`${style.bold(oneLine(row.name))}  ${style.dim(`${title}, ${row.scope}, ${oneLine(row.path)}`)}`, '']
  const say = (label: string, text: string) => lines.push(...labelled(label, text, style, columns))
  for (const [concept, value] of Object.entries(fields)) say(concept, valueText(value))
  say('tools', row.tools === null ? 'not named: the defaults decide' : oneLine(row.tools.join(', ')) || 'none')
  for (const [index, text] of accessTexts(row).entries()) say(index === 0 ? 'access' : '', text)
  for (const [key, value] of Object.entries(extras))
    say(oneLine(key), `${valueText(value)} ${style.dim('(kept as it is)')}`)
  say('prompt', `${plural(prompt.split('\n').length, 'line')}, ${plural(prompt.length, 'character')}`)
  if (row.alsoReadBy.length > 0) say('also read by', row.alsoReadBy.join(', '))
  if (row.shadowedBy !== null) say('hidden by', row.shadowedBy)
  if (row.diagnostics.length > 0) lines.push('', ...diagnosticsText(row.diagnostics, style, columns))
  return lines
}
