/** An agent as its harness runs it, for people: the result first, then the origin of values, then the rules in order. */
import type { Role } from '../model/access/rules.ts'
import type { AccessException } from '../model/access/summary.ts'
import type {
  AbsentAgent,
  EffectiveAgent,
  EffectiveField,
  EffectiveNote,
  EffectiveRule,
  Origin,
  StartRefusal,
} from '../model/effective.ts'
import { type AgentRow, accessTexts, labelledLines, valueText } from './agents.ts'
import { cut, cutStart, displayWidth, joinList, oneLine, pad, plural, wrap } from './layout.ts'
import type { Style } from './print-text.ts'

export interface RoleAccess {
  readonly role: Role
  readonly access: AgentRow['access']
  readonly exceptions: readonly AccessException[]
}

export interface EffectiveDetails {
  readonly agent: EffectiveAgent
  readonly title: string
  readonly access: readonly RoleAccess[] | null
  /** Where it is made the default of sessions. */
  readonly isDefault: Origin | null
  /** What may change any agent. */
  readonly notes: readonly EffectiveNote[]
}

export function effectiveText(details: EffectiveDetails, style: Style, columns: number): string[] {
  const { agent, title, isDefault } = details
  const notes = [...agent.notes, ...details.notes]
  const first = isDefault === null ? [] : [`Sessions start with this agent (${originText(isDefault, title)}).`]
  return [
    `${style.bold(oneLine(agent.name))}  ${style.dim(`as ${title} runs it`)}`,
    '',
    ...resultLines(details, style, columns),
    ...first.flatMap((line) => ['', ...wrap(line, columns)]),
    '',
    ...originLines(agent, title, style, columns),
    '',
    ...layerLines(agent, title, style, columns),
    ...(agent.rules === null ? [] : ['', ...effectiveRulesText(agent.rules, title, style, columns)]),
    ...(notes.length === 0 ? [] : ['', ...noteLines(notes, title, style, columns)]),
  ]
}

function resultLines({ agent, title, access }: EffectiveDetails, style: Style, columns: number): string[] {
  const lines: string[] = []
  const say = (label: string, text: string) => lines.push(...labelledLines(label, text, style, columns))
  for (const [concept, field] of Object.entries(agent.fields)) say(concept, cut(fieldText(field, title), columns * 3))
  say('prompt', promptText(agent.prompt, title))
  if (access === null) say('access', 'unknown')
  for (const { label, texts } of accessGroups(access ?? [])) {
    for (const [index, text] of texts.entries()) say(index === 0 ? label : '', text)
  }
  return lines
}

/** Both roles at once, if they do not differ. */
function accessGroups(access: readonly RoleAccess[]): { readonly label: string; readonly texts: readonly string[] }[] {
  const [main, ...others] = access.map(({ role, ...row }) => ({ role, texts: accessTexts(row) }))
  if (main === undefined) return []
  const isSame = others.every(({ texts }) => texts.join('\n') === main.texts.join('\n'))
  if (isSame) return [{ label: 'access', texts: main.texts }]
  return [main, ...others].map(({ role, texts }) => ({ label: role === 'main' ? 'as main' : 'as subagent', texts }))
}

function fieldText({ value, own }: EffectiveField, title: string): string {
  return own === undefined ? valueText(value) : `${title}'s own`
}

function promptText({ value, own, key, origin }: EffectiveField, title: string): string {
  if (own !== undefined) return `${title}'s own`
  if (value === null) return 'unknown'
  if (value === '')
    return key === null && origin.from === 'default'
      ? 'none: the default prompt applies'
      : 'empty: the default prompt applies'
  const text = String(value)
  return `${plural(text.split('\n').length, 'line')}, ${plural(text.length, 'character')}`
}

/** How many others are named before the rest is only counted. */
const MOST_OTHERS = 2
const MOST_PARTS = 8

function originLines({ fields, prompt }: EffectiveAgent, title: string, style: Style, columns: number): string[] {
  const rows = [...Object.entries(fields), ['prompt', prompt] as const].flatMap(([concept, field]) => {
    return partsOf(concept, field) ?? [{ label: concept, text: sourceText(field, title) }]
  })
  const width = Math.min(24, Math.max(...rows.map(({ label }) => displayWidth(label))))
  const lines = rows.flatMap(({ label, text }) => {
    const [first = '', ...rest] = wrap(text, Math.max(30, columns - width - 4))
    const start = `  ${style.cyan(pad(cut(label, width), width))}  ${first}`
    return [start, ...rest.map((line) => `${' '.repeat(width + 4)}${line}`)]
  })
  return [style.bold('Origin of each value'), ...lines]

  /** A map that several layers filled is shown key by key. */
  function partsOf(concept: string, { parts }: EffectiveField) {
    if (parts === undefined) return null
    const all = Object.entries(parts)
    const shown = all
      .slice(0, MOST_PARTS)
      .map(([key, origin]) => ({ label: `${concept}.${oneLine(key)}`, text: originText(origin, title) }))
    const rest = all.length - shown.length
    return rest === 0 ? shown : [...shown, { label: concept, text: `and ${rest} more; \`--json\` shows all` }]
  }
}

function sourceText({ origin, overruled }: EffectiveField, title: string): string {
  const others = [...new Set(overruled.map((one) => originText(one, title)))].reverse()
  const rest = others.length - MOST_OTHERS
  const named = rest > 0 ? [...others.slice(0, MOST_OTHERS), `${rest} more`] : others
  return `${originText(origin, title)}${named.length === 0 ? '' : `, over ${joinList(named)}`}`
}

function layerLines({ layers }: EffectiveAgent, title: string, style: Style, columns: number): string[] {
  const places = layers.map(({ origin }) => originText(origin, title))
  const width = Math.min(columns - 24, Math.max(...places.map(displayWidth)))
  return [
    style.bold('Layers, each overriding the one above'),
    ...layers.map((layer, index) => {
      const hidden = layer.counts ? '' : 'hidden, '
      const room = Math.max(16, columns - width - 4)
      const what = style.dim(cut(hidden + oneLine(layer.title), room))
      return `  ${pad(cutStart(places[index] ?? '', width), width)}  ${what}`
    }),
  ]
}

function noteLines(notes: readonly EffectiveNote[], title: string, style: Style, columns: number): string[] {
  return [
    style.bold('Notes'),
    ...notes.flatMap(({ what, origin }) => {
      const [first = '', ...rest] = wrap(
        `${oneLine(what)}${origin === null ? '' : ` (${originText(origin, title)})`}`,
        columns - 4,
      )
      return [`  - ${first}`, ...rest.map((line) => `    ${line}`)]
    }),
  ]
}

/** An agent that is defined but not available. */
export function absentText(
  { name, why, origin }: AbsentAgent,
  title: string,
  refused: readonly StartRefusal[],
  style: Style,
  columns: number,
): string[] {
  const others = refused.slice(1).map((one) => `${originText(one.origin, title)}: ${one.message}`)
  return [
    `${style.bold(oneLine(name))}  ${style.dim(`not loaded by ${title}`)}`,
    '',
    ...[`${oneLine(why)} (${originText(origin, title)})`, ...others].flatMap((line) => wrap(oneLine(line), columns)),
  ]
}

/** More rules than this are left to `--json`. */
const RULES_SHOWN = 40
/** Fewer built-in rules of the harness are shown like the others. */
const FOLDED_FROM = 3

interface RuleRow {
  readonly number: string
  readonly rule: EffectiveRule | null
  readonly text: string
}

function effectiveRulesText(rules: readonly EffectiveRule[], title: string, style: Style, columns: number): string[] {
  const rows = foldDefaults(rules, title)
  const shown = rows.slice(0, RULES_SHOWN)
  // The rules of this agent determine the widths.
  const all = shown.flatMap(({ rule }) => (rule === null ? [] : [rule]))
  const written = all.filter(({ origin }) => origin.from !== 'default')
  const own = written.length > 0 ? written : all
  const numbers = Math.max(...shown.map(({ number }) => number.length))
  const keys = widest(
    own.map(({ permission }) => permission),
    20,
  )
  const patterns = widest(
    own.map(({ pattern }) => pattern),
    26,
  )
  const lines = shown.map(({ number, rule, text }) => {
    const start = `  ${style.dim(number.padStart(numbers))}  `
    if (rule === null) return start + style.dim(text)
    if (!own.includes(rule)) return start + looseLine(rule, title, style, columns - numbers - 4)
    const key = pad(cut(oneLine(rule.permission), keys), keys)
    const pattern = pad(cutStart(oneLine(rule.pattern), patterns), patterns)
    const room = Math.max(12, columns - numbers - keys - patterns - 4 - 8 - 5)
    return `${start}${key}  ${pattern}  ${paint(style, rule.action)}  ${style.dim(cutStart(originText(rule.origin, title), room))}`
  })
  const isWhole = rows.length === rules.length && shown.length === rows.length
  return [
    style.bold('Rules: the last match wins'),
    ...lines,
    ...(isWhole ? [] : [style.dim(`  \`--json\` shows all ${rules.length}.`)]),
  ]
}

/** Outside the columns, which are not made for it. */
function looseLine(rule: EffectiveRule, title: string, style: Style, room: number): string {
  const permission = oneLine(rule.permission)
  const origin = originText(rule.origin, title)
  const spaces = 6
  const left = room - displayWidth(permission) - rule.action.length - displayWidth(origin) - spaces
  const pattern = cutStart(oneLine(rule.pattern), Math.min(28, Math.max(12, left)))
  return `${style.dim(`${permission}  ${pattern}`)}  ${paint(style, rule.action).trimEnd()}  ${style.dim(origin)}`
}

function foldDefaults(rules: readonly EffectiveRule[], title: string): RuleRow[] {
  const rows: RuleRow[] = []
  for (let first = 0; first < rules.length; ) {
    const from = rules[first]?.origin.from
    const end = rules.findIndex((rule, index) => index > first && rule.origin.from !== from)
    const last = end < 0 ? rules.length : end
    const isOwn = from === 'default' || from === 'built-in'
    if (isOwn && last - first > FOLDED_FROM) {
      const whose = from === 'default' ? `defaults of ${title}` : `built-in rules of ${title} for this agent`
      rows.push({ number: `${first + 1}-${last}`, rule: null, text: `${last - first} ${whose}` })
    } else {
      rows.push(
        ...rules.slice(first, last).map((rule, index) => ({ number: String(first + index + 1), rule, text: '' })),
      )
    }
    first = last
  }
  return rows
}

function paint(style: Style, action: EffectiveRule['action']): string {
  const word = action.padEnd(5)
  return action === 'deny' ? style.red(word) : action === 'ask' ? style.yellow(word) : style.green(word)
}

function widest(texts: readonly string[], most: number): number {
  return Math.min(most, Math.max(1, ...texts.map((text) => displayWidth(oneLine(text)))))
}

/** The origin of a value, in a few words. */
function originText({ from, path, line }: Origin, title: string): string {
  switch (from) {
    case 'file':
      return `${oneLine(path ?? '')}${line === null ? '' : `:${line}`}`
    case 'variable':
      return `$${oneLine(path ?? '')}`
    case 'built-in':
      return `built into ${title}`
    case 'default':
      return `default of ${title}`
  }
}
