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
import { oneLine, plural } from '../layout.ts'
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
  { fit: 'name' },
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
    const harness = words(titleOf(id))
    return [...section(['Besides agents, for ', harness], resultBlocks(some)), ...lossSection(some)]
  })
}

/** For a build: one sentence about all targets together; null: there is nothing to say. */
export function componentSentence(all: readonly ComponentConversion[]): string | null {
  const left = all.filter(({ status }) => status === 'left')
  const kinds = componentKinds.flatMap((kind) => {
    const names = new Set(left.filter((one) => one.kind === kind).map(({ name }) => oneLine(name)))
    if (names.size === 0) return []
    return [`${plural(names.size, ...componentWords[kind])} (${listed([...names])})`]
  })
  return kinds.length === 0 ? null : `Not converted yet: ${kinds.join(', ')}.`
}

/** For one target. */
export function componentBlocks(all: readonly ComponentConversion[]): Block[] {
  return [...resultBlocks(all), ...lossSection(all)]
}

function lossSection(all: readonly ComponentConversion[]): Section[] {
  return section('What they lose', table(['Feature', 'In', 'Result', 'Why'], lossRows(all), lossLayout))
}

function resultBlocks(all: readonly ComponentConversion[]): Block[] {
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
    const count = plural(some.length, ...componentWords[kind])
    const names = listed(some.map(({ name }) => oneLine(name)))
    return [badge(tone, sign), count, result + whereText(some), small('muted', words(names, 600))]
  })
  return [
    ...table(['', 'Kind', 'Result', 'Names'], rows, layout),
    ...reasons(sorted).map((one) => paragraph(words(one, 600), 'note')),
  ]
}

/** Each reason once, with those that it holds for. */
function reasons(all: readonly ComponentConversion[]): string[] {
  const byReason = new Map<string, ComponentConversion[]>()
  for (const one of all) {
    if (one.reason === null || one.status === 'left') continue
    byReason.set(one.reason, [...(byReason.get(one.reason) ?? []), one])
  }
  const shown = [...byReason].slice(0, NAMES_SHOWN)
  const rest = byReason.size - shown.length
  return [
    ...shown.map(([reason, some]) => {
      const [{ kind, status }] = some as [ComponentConversion]
      const names = byReason.size === 1 ? '' : `: ${listed(some.map(({ name }) => oneLine(name)))}`
      return `${plural(some.length, ...componentWords[kind])} ${marks[status][2]}${names}. ${reason}`
    }),
    ...(rest > 0 ? [`${plural(rest, 'more reason')}: --json has them all.`] : []),
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
        const where = plural(count, ...componentWords[kind])
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

/** Manifests of several harnesses can name one plugin. */
function listed(all: readonly string[]): string {
  const names = [...new Set(all)]
  const more = names.length - NAMES_SHOWN
  return `${names.slice(0, NAMES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
