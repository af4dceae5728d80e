/** A list of agents for people: grouped by harness, one line each. */
import type { Action } from '../model/access/rules.ts'
import type { AccessException } from '../model/access/summary.ts'
import type { Diagnostic, Severity } from '../model/findings.ts'
import { diagnosticsText } from './findings.ts'
import { cut, displayWidth, oneLine, pad, plural, wrap } from './layout.ts'
import { paintSeverity, type Style, severitySign } from './print-text.ts'

/** An agent in a list, as `troupe list --json` publishes it. */
export interface AgentRow {
  readonly name: string
  readonly harness: string
  readonly path: string
  readonly scope: string
  readonly description: string | null
  readonly model: string | readonly string[] | null
  readonly mode: string | null
  readonly tools: readonly string[] | null
  readonly access: Readonly<Record<string, Action>>
  readonly exceptions: readonly AccessException[]
  readonly alsoReadBy: readonly string[]
  readonly shadowedBy: string | null
  readonly plugin: string | null
  readonly builtFrom: string | null
  readonly disabled: boolean
  readonly mergedWith: readonly string[]
  readonly recovered: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/** The access in a few words: what the agent can do at all, with or without asking. */
function accessWords({ access, exceptions }: Pick<AgentRow, 'access' | 'exceptions'>): string {
  const can = (capability: string) =>
    access[capability] !== 'deny' || exceptions.some((one) => one.capability === capability && one.action !== 'deny')
  const able = Object.keys(access).filter(can)
  const unable = Object.keys(access).filter((capability) => !can(capability))
  if (unable.length === 0) return 'everything'
  if (able.length === 0) return 'no tools'
  if (able.length === 1 && able[0] === 'read') return 'read only'
  if (unable.length <= 2) return `all but ${unable.join(', ')}`
  return [...new Set(able.map((capability) => capabilityGroups[capability] ?? 'mcp'))].join(' ')
}

/** Capabilities that a line has no room to distinguish. */
const capabilityGroups: Readonly<Record<string, string>> = {
  read: 'read',
  write: 'write',
  edit: 'write',
  shell: 'shell',
  fetch: 'web',
  search: 'web',
  delegate: 'agents',
}

function worstSeverity(diagnostics: readonly Diagnostic[]): Severity | null {
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'error'
  return diagnostics.some(({ severity }) => severity === 'warning') ? 'warning' : null
}

export function agentListText(
  rows: readonly AgentRow[],
  titleOf: (harness: string) => string,
  style: Style,
  columns: number,
): string[] {
  const groups = groupBy(rows)
  const widest = (least: number, text: (row: AgentRow) => string) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(text(row))), least)
  const accessWidth = widest(6, accessWords)
  // A mark in front and two spaces between; a longer name has its own line.
  const room = columns - 2 - accessWidth - 4
  const modelWidth = Math.max(5, Math.min(18, widest(5, modelWord), room - 20))
  const nameWidth = Math.max(4, Math.min(Math.max(28, Math.floor(columns * 0.4)), widest(4, nameOf), room - modelWidth))
  const lines: string[] = []
  for (const [harness, members] of groups) {
    lines.push('', `${style.bold(titleOf(harness))} ${style.dim(folders(members))}`)
    for (const row of members) {
      const severity = worstSeverity(row.diagnostics)
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

/** What matters more about an agent than its description. */
function remark({ shadowedBy, disabled, builtFrom }: AgentRow): string | null {
  if (shadowedBy !== null) return `hidden by ${oneLine(shadowedBy)}`
  if (disabled) return 'disabled'
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

/** The common folder of the agents, so that a line need not repeat it. */
function folders(rows: readonly AgentRow[]): string {
  const all = new Set(rows.map(({ path }) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.')))
  const [first = ''] = all
  return all.size === 1 ? first : `${all.size} folders`
}

/** One agent for people: what it is, what it may do, its problems. */
interface AgentDetails {
  readonly row: AgentRow
  readonly title: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly extras: Readonly<Record<string, unknown>>
  readonly prompt: string
}

export function agentText(details: AgentDetails, style: Style, columns: number): string[] {
  const { row, title, fields, extras, prompt } = details
  const lines = [`${style.bold(oneLine(row.name))}  ${style.dim(`${title}, ${row.scope}, ${oneLine(row.path)}`)}`, '']
  const say = (label: string, text: string) => lines.push(...labelledLines(label, text, style, columns))
  for (const [concept, value] of Object.entries(fields)) say(concept, valueText(value))
  say('tools', row.tools === null ? 'not listed: the defaults apply' : oneLine(row.tools.join(', ')) || 'none')
  for (const [index, text] of accessTexts(row).entries()) say(index === 0 ? 'access' : '', text)
  for (const [key, value] of Object.entries(extras))
    say(oneLine(key), `${valueText(value)} ${style.dim('(kept as it is)')}`)
  say('prompt', `${plural(prompt.split('\n').length, 'line')}, ${plural(prompt.length, 'character')}`)
  if (row.alsoReadBy.length > 0) say('also read by', row.alsoReadBy.join(', '))
  if (row.shadowedBy !== null) say('hidden by', row.shadowedBy)
  if (row.diagnostics.length > 0) lines.push('', ...diagnosticsText(row.diagnostics, style, columns))
  return lines
}

/** The width of the labels of an agent's details. */
const LABEL_WIDTH = 14

export function labelledLines(label: string, text: string, style: Style, columns: number): string[] {
  const [first = '', ...rest] = wrap(text, Math.max(30, columns - LABEL_WIDTH - 2))
  return [`${style.cyan(label.padEnd(LABEL_WIDTH))}${first}`, ...rest.map((line) => ' '.repeat(LABEL_WIDTH) + line)]
}

/** The access in a few words, then by capability. */
export function accessTexts(row: Pick<AgentRow, 'access' | 'exceptions'>): string[] {
  return [
    accessWords(row),
    ...byAction(row).map(([action, capabilities]) => `${actionPhrases[action]}: ${oneLine(capabilities.join(', '))}`),
    ...row.exceptions.map(
      ({ capability, pattern, action }) => `${oneLine(capability)} \`${oneLine(pattern)}\`: ${actionPhrases[action]}`,
    ),
  ]
}

const actionPhrases: Record<Action, string> = {
  allow: 'allowed without asking',
  offer: 'available; the harness may ask',
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
    // Separate parts, which can be wrapped.
    const parts = Object.entries(value).map(([key, part]) => `${key}: ${JSON.stringify(part)}`)
    return oneLine(parts.join(', '))
  }
  return oneLine(JSON.stringify(value))
}
