/** An agent as its harness runs it, for people: the result first, then who said what, then the rules in their order. */
import type { Role } from '../model/access.ts'
import type { AccessException } from '../model/capabilities.ts'
import type { Absent, EffectiveAgent, EffectiveField, Note, Origin, Refusal } from '../model/effective.ts'
import type { AgentRow } from './agent-row.ts'
import { rulesText } from './effective-rules-text.ts'
import { accessTexts, labelled, valueText } from './labelled.ts'
import { cut, displayWidth, fromEnd, oneLine, pad, plural, wrap } from './layout.ts'
import { originText } from './origin-text.ts'
import { listed } from './prose.ts'
import type { Style } from './style.ts'

export interface RoleAccess {
  readonly role: Role
  readonly access: AgentRow['access']
  readonly exceptions: readonly AccessException[]
}

export interface EffectiveDetails {
  readonly agent: EffectiveAgent
  readonly title: string
  readonly access: readonly RoleAccess[] | null
  /** Who says that sessions start with it. */
  readonly isDefault: Origin | null
  /** What may change any agent. */
  readonly notes: readonly Note[]
}

export function effectiveText(details: EffectiveDetails, style: Style, columns: number): string[] {
  const { agent, title, isDefault } = details
  const notes = [...agent.notes, ...details.notes]
  const first = isDefault === null ? [] : [`Sessions start with it (${originText(isDefault, title)}).`]
  return [
    `${style.bold(oneLine(agent.name))}  ${style.dim(`as ${title} runs it`)}`,
    '',
    ...resultLines(details, style, columns),
    ...first.flatMap((line) => ['', ...wrap(line, columns)]),
    '',
    ...originLines(agent, title, style, columns),
    '',
    ...layerLines(agent, title, style, columns),
    ...(agent.rules === null ? [] : ['', ...rulesText(agent.rules, title, style, columns)]),
    ...(notes.length === 0 ? [] : ['', ...noteLines(notes, title, style, columns)]),
  ]
}

function resultLines({ agent, title, access }: EffectiveDetails, style: Style, columns: number): string[] {
  const lines: string[] = []
  const say = (label: string, text: string) => lines.push(...labelled(label, text, style, columns))
  for (const [concept, field] of Object.entries(agent.fields)) say(concept, cut(fieldText(field, title), columns * 3))
  say('prompt', promptText(agent.prompt, title))
  if (access === null) say('access', 'not known')
  for (const { label, texts } of accessGroups(access ?? [])) {
    for (const [index, text] of texts.entries()) say(index === 0 ? label : '', text)
  }
  return lines
}

/** Both roles at once, where they do not differ. */
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
  if (value === null) return 'not known'
  if (value === '') return key === null && origin.from === 'default' ? 'none: the usual one' : 'empty: the usual one'
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
  const told = rows.flatMap(({ label, text }) => {
    const [first = '', ...rest] = wrap(text, Math.max(30, columns - width - 4))
    const start = `  ${style.cyan(pad(cut(label, width), width))}  ${first}`
    return [start, ...rest.map((line) => `${' '.repeat(width + 4)}${line}`)]
  })
  return [style.bold('Where it comes from'), ...told]

  /** A map that several layers filled is told key by key. */
  function partsOf(concept: string, { parts }: EffectiveField) {
    if (parts === undefined) return null
    const all = Object.entries(parts)
    const shown = all
      .slice(0, MOST_PARTS)
      .map(([key, origin]) => ({ label: `${concept}.${oneLine(key)}`, text: originText(origin, title) }))
    const rest = all.length - shown.length
    return rest === 0 ? shown : [...shown, { label: concept, text: `and ${rest} more, which \`--json\` shows` }]
  }
}

function sourceText({ origin, overruled }: EffectiveField, title: string): string {
  const others = [...new Set(overruled.map((one) => originText(one, title)))].reverse()
  const rest = others.length - MOST_OTHERS
  const named = rest > 0 ? [...others.slice(0, MOST_OTHERS), `${rest} more`] : others
  return `${originText(origin, title)}${named.length === 0 ? '' : `, over ${listed(named)}`}`
}

function layerLines({ layers }: EffectiveAgent, title: string, style: Style, columns: number): string[] {
  const places = layers.map(({ origin }) => originText(origin, title))
  const width = Math.min(columns - 24, Math.max(...places.map(displayWidth)))
  return [
    style.bold('Layers, each over the one before'),
    ...layers.map((layer, index) => {
      const hidden = layer.counts ? '' : 'hidden, '
      const room = Math.max(16, columns - width - 4)
      const told = style.dim(cut(hidden + oneLine(layer.title), room))
      return `  ${pad(fromEnd(places[index] ?? '', width), width)}  ${told}`
    }),
  ]
}

function noteLines(notes: readonly Note[], title: string, style: Style, columns: number): string[] {
  return [
    style.bold('To know besides'),
    ...notes.flatMap(({ what, origin }) => {
      const [first = '', ...rest] = wrap(
        `${oneLine(what)}${origin === null ? '' : ` (${originText(origin, title)})`}`,
        columns - 4,
      )
      return [`  - ${first}`, ...rest.map((line) => `    ${line}`)]
    }),
  ]
}

/** An agent that is defined and yet not there. */
export function absentText(
  { name, why, origin }: Absent,
  title: string,
  refused: readonly Refusal[],
  style: Style,
  columns: number,
): string[] {
  const others = refused.slice(1).map((one) => `${originText(one.origin, title)}: ${one.message}`)
  return [
    `${style.bold(oneLine(name))}  ${style.dim(`not there in ${title}`)}`,
    '',
    ...[`${oneLine(why)} (${originText(origin, title)})`, ...others].flatMap((line) => wrap(oneLine(line), columns)),
  ]
}
