/** Lines with a label before them, for everything that is told about one agent. */
import type { Action } from '../model/access.ts'
import { type AgentRow, accessWords } from './agent-row.ts'
import { oneLine, wrap } from './layout.ts'
import type { Style } from './style.ts'

const LABEL = 14

export function labelled(label: string, text: string, style: Style, columns: number): string[] {
  const [first = '', ...rest] = wrap(text, Math.max(30, columns - LABEL - 2))
  return [`${style.cyan(label.padEnd(LABEL))}${first}`, ...rest.map((line) => ' '.repeat(LABEL) + line)]
}

/** The access in a few words, and then capability by capability. */
export function accessTexts(row: Pick<AgentRow, 'access' | 'exceptions'>): string[] {
  return [
    accessWords(row),
    ...byAction(row).map(([action, capabilities]) => `${actionWord[action]}: ${oneLine(capabilities.join(', '))}`),
    ...row.exceptions.map(
      ({ capability, pattern, action }) => `${oneLine(capability)} \`${oneLine(pattern)}\`: ${actionWord[action]}`,
    ),
  ]
}

const actionWord: Record<Action, string> = {
  allow: 'allowed without asking',
  offer: 'there; the harness may ask',
  ask: 'asks first',
  deny: 'denied',
}

function byAction({ access }: Pick<AgentRow, 'access'>): [Action, string[]][] {
  const groups = new Map<Action, string[]>()
  for (const [capability, action] of Object.entries(access)) {
    groups.set(action, [...(groups.get(action) ?? []), capability])
  }
  return [...groups]
}

export function valueText(value: unknown): string {
  if (typeof value === 'string') return oneLine(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.map(oneLine).join(', ')
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    // Parts that can be told apart, and broken into lines.
    const parts = Object.entries(value).map(([key, part]) => `${key}: ${JSON.stringify(part)}`)
    return oneLine(parts.join(', '))
  }
  return oneLine(JSON.stringify(value))
}
