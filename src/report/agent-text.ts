/** One agent for people: what it is, what it may do, what is wrong with it. */
import type { Action } from '../model/access.ts'
import { type AgentRow, accessWords } from './agent-row.ts'
import { diagnosticsText } from './diagnostics-text.ts'
import { oneLine, plural, wrap } from './layout.ts'
import type { Style } from './style.ts'

export interface AgentDetails {
  readonly row: AgentRow
  readonly title: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly extras: Readonly<Record<string, unknown>>
  readonly prompt: string
}

const LABEL = 14

export function agentText(details: AgentDetails, style: Style, columns: number): string[] {
  const { row, title, fields, extras, prompt } = details
  const lines = [`${style.bold(oneLine(row.name))}  ${style.dim(`${title}, ${row.scope}, ${oneLine(row.path)}`)}`, '']
  const say = (label: string, text: string) => {
    const [first = '', ...rest] = wrap(text, Math.max(30, columns - LABEL - 2))
    lines.push(`${style.cyan(label.padEnd(LABEL))}${first}`, ...rest.map((line) => ' '.repeat(LABEL) + line))
  }
  for (const [concept, value] of Object.entries(fields)) say(concept, valueText(value))
  say('tools', row.tools === null ? 'not named: the defaults decide' : oneLine(row.tools.join(', ')) || 'none')
  say('access', accessWords(row))
  for (const [action, capabilities] of byAction(row))
    say('', `${actionWord[action]}: ${oneLine(capabilities.join(', '))}`)
  for (const { capability, pattern, action } of row.exceptions) {
    say('', `${oneLine(capability)} \`${oneLine(pattern)}\`: ${actionWord[action]}`)
  }
  for (const [key, value] of Object.entries(extras))
    say(oneLine(key), `${valueText(value)} ${style.dim('(kept as it is)')}`)
  say('prompt', `${plural(prompt.split('\n').length, 'line')}, ${plural(prompt.length, 'character')}`)
  if (row.alsoReadBy.length > 0) say('also read by', row.alsoReadBy.join(', '))
  if (row.shadowedBy !== null) say('hidden by', row.shadowedBy)
  if (row.diagnostics.length > 0) lines.push('', ...diagnosticsText(row.diagnostics, style, columns))
  return lines
}

const actionWord: Record<Action, string> = {
  allow: 'allowed without asking',
  offer: 'there; the harness may ask',
  ask: 'asks first',
  deny: 'denied',
}

function byAction({ access }: AgentRow): [Action, string[]][] {
  const groups = new Map<Action, string[]>()
  for (const [capability, action] of Object.entries(access)) {
    groups.set(action, [...(groups.get(action) ?? []), capability])
  }
  return [...groups]
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return oneLine(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.map(oneLine).join(', ')
  return oneLine(JSON.stringify(value))
}
