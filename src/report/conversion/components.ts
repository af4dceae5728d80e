/** What a conversion did about everything besides agents, kind by kind, so that nothing is skipped silently. */
import {
  type ComponentConversion,
  type ComponentStatus,
  componentKinds,
  componentWords,
} from '../../model/component.ts'
import {
  type Block,
  badge,
  type Inline,
  paragraph,
  type Section,
  section,
  small,
  type Table,
  type Tone,
  table,
  words,
} from '../document.ts'
import { oneLine } from '../layout.ts'
import { inRequestedOrder } from './run.ts'

/** More names than this are only counted. */
const NAMES_SHOWN = 12

const order: readonly ComponentStatus[] = ['written', 'planned', 'unchanged', 'read', 'refused', 'failed', 'left']

const marks: Readonly<Record<ComponentStatus, readonly [sign: string, tone: Tone, result: string]>> = {
  written: ['✓', 'good', 'written'],
  planned: ['+', 'good', 'planned'],
  unchanged: ['=', 'muted', 'unchanged'],
  read: ['=', 'muted', 'read as it is'],
  refused: ['✗', 'bad', 'refused'],
  failed: ['✗', 'bad', 'failed'],
  left: ['-', 'warning', 'not converted yet'],
}

const layout: Table['layout'] = [
  { fit: 'mark' },
  { fit: 'fixed' },
  { fit: 'fixed' },
  { fit: 'rest', least: 12, long: 'wrap' },
]

/** For each target, in the order of the request. */
export function componentSections(
  all: readonly ComponentConversion[],
  targets: readonly string[],
  titleOf: (harness: string) => string,
): Section[] {
  const byTarget = new Map<string, ComponentConversion[]>()
  for (const one of all) byTarget.set(one.target.harness, [...(byTarget.get(one.target.harness) ?? []), one])
  return inRequestedOrder([...byTarget], targets).flatMap(([id, some]) => {
    const title = ['Besides agents, for ', words(titleOf(id))] as const
    return section(title, componentBlocks(some))
  })
}

/** For a build: one sentence about all targets together; null: there is nothing to say. */
export function componentSentence(all: readonly ComponentConversion[]): string | null {
  const left = all.filter(({ status }) => status === 'left')
  const kinds = componentKinds.flatMap((kind) => {
    const names = new Set(left.filter((one) => one.kind === kind).map(({ name }) => oneLine(name)))
    if (names.size === 0) return []
    return [`${names.size} ${componentWords[kind][names.size === 1 ? 0 : 1]} (${listed([...names])})`]
  })
  return kinds.length === 0 ? null : `Not converted yet: ${kinds.join(', ')}.`
}

/** For one target. */
export function componentBlocks(all: readonly ComponentConversion[]): Block[] {
  const groups = new Map<string, ComponentConversion[]>()
  const sorted = [...all].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status) || rank(a) - rank(b))
  for (const one of sorted) {
    const key = `${one.status}\n${one.kind}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  const rows = [...groups.values()].map((some): Inline[] => {
    const [{ kind, status }] = some as [ComponentConversion]
    const [sign, tone, result] = marks[status]
    const count = `${some.length} ${componentWords[kind][some.length === 1 ? 0 : 1]}`
    const names = listed(some.map(({ name }) => oneLine(name)))
    return [badge(tone, sign), count, result + whereText(some), small('muted', words(names, 600))]
  })
  const reasons = new Set(
    sorted.flatMap(({ status, reason }) => (reason === null || status === 'left' ? [] : [reason])),
  )
  return [
    ...table(['', 'Kind', 'Result', 'Names'], rows, layout),
    ...table(['Feature', 'In', 'Result', 'Why'], lossRows(all), lossLayout),
    ...[...reasons].slice(0, NAMES_SHOWN).map((one) => paragraph(words(one, 400), 'note')),
  ]
}

/** The folder that a person looks into. */
function whereText(all: readonly ComponentConversion[]): string {
  const folders = new Set(
    all.flatMap(({ kind, status, target }) => {
      const isNew = status === 'written' || status === 'planned' || status === 'unchanged'
      const [first] = target.files
      return kind === 'skill' && isNew && first !== undefined ? [first.split('/').slice(0, -2).join('/')] : []
    }),
  )
  return folders.size === 1 ? ` in ${[...folders][0]}` : ''
}

const lossLayout: Table['layout'] = [
  { fit: 'name', least: 6, most: () => 28, long: 'own-line' },
  { fit: 'fixed' },
  { fit: 'fixed' },
  { fit: 'rest', least: 24, long: 'wrap' },
]

/** Each loss once, with the number of components that have it; the most frequent first. */
function lossRows(all: readonly ComponentConversion[]): Inline[][] {
  const losses = new Map<string, { readonly row: (count: number) => Inline[]; count: number }>()
  for (const { kind, converted } of all) {
    const lost = converted?.features.filter(({ outcome }) => outcome !== 'direct') ?? []
    const own = new Map(lost.map((one) => [`${kind}\n${one.feature}\n${one.outcome}\n${one.note ?? ''}`, one]))
    for (const [key, { feature, outcome, note }] of own) {
      const known = losses.get(key)
      const row = (count: number) => {
        const where = `${count} ${componentWords[kind][count === 1 ? 0 : 1]}`
        return [words(oneLine(feature)), where, outcome, small('muted', words(note ?? '', 300))]
      }
      if (known === undefined) losses.set(key, { row, count: 1 })
      else known.count++
    }
  }
  const sorted = [...losses.values()].sort((a, b) => b.count - a.count)
  return sorted.slice(0, NAMES_SHOWN).map(({ row, count }) => row(count))
}

function rank({ kind }: ComponentConversion): number {
  return componentKinds.indexOf(kind)
}

function listed(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
