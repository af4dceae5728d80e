/** What an agent may do before and after its conversion: what changed, and how far the target enforces it. */
import type { Action } from '../../model/access/rules.ts'
import type { AccessReport, CapabilityChange, Conversion } from '../../model/conversion.ts'
import {
  allValues,
  type Block,
  badge,
  type Inline,
  listOf,
  paragraph,
  strong,
  type Tone,
  table,
  value,
} from '../document.ts'
import { capitalize, oneLine } from '../layout.ts'

const actionWords: Readonly<Record<Action, string>> = {
  allow: 'allowed',
  offer: 'offered',
  ask: 'asks',
  deny: 'denied',
}

const enforcedWords: Readonly<Record<AccessReport['enforced'], string>> = {
  observed: 'the target enforces this: observed by running it',
  claimed: 'the target enforces this, according to its documentation',
  no: 'the target does not enforce this',
}

/** The meaning of the words, for first-time readers. */
export const actionLegend =
  'Allowed: runs without asking. Offered: available, and the permission mode of the harness decides whether it asks. Asks: asks every time. Denied: not available.'

const changeTones: Readonly<Record<ChangeKind, Tone>> = { widened: 'bad', unasked: 'warning', narrowed: 'notice' }

export function accessBlocks({ access }: Conversion): Block[] {
  const rows = capabilityRows(access)
  if (rows.length === 0) return []
  const word = (action: Action | null) => (action === null ? value('') : actionWords[action])
  const isSame = ({ before, after, change }: CapabilityRow) => change === null && before === after
  const others = rows
    .filter((row) => !isSame(row))
    .map(({ capability, before, after, change }) => {
      // A capability known to only one of them is not the same.
      const unchanged = before === null || after === null ? value('') : 'same'
      const cell = change === null ? unchanged : badge(changeTones[change], change)
      return [value(capability), word(before), word(after), cell]
    })
  const changes = changeKinds.flatMap((kind) => {
    const items = groupChanges(kind, access[kind]).map(({ before, after, why, calls }) => {
      const more = calls.length > 30 ? ` and ${calls.length - 30} more` : ''
      const change = `${more}, ${actionWords[before]} before, ${actionWords[after]} now`
      return [allValues(calls.slice(0, 30)), change, ...(why === null ? [] : [': ', why])]
    })
    return items.length === 0 ? [] : [paragraph(strong(changeTitles[kind])), ...listOf(items)]
  })
  const held = `${capitalize(enforcedWords[access.enforced])}.`
  return [
    ...table(['Capability', 'Before', 'After', 'Change'], others),
    paragraph([...asBefore(rows.filter(isSame)), held]),
    ...changes,
  ]
}

/** "As before: `read` allowed; `shell`, `fetch` denied. " Unchanged capabilities need no table. */
function asBefore(rows: readonly CapabilityRow[]): Inline[] {
  const groups = new Map<Action, string[]>()
  for (const { capability, after } of rows)
    if (after !== null) groups.set(after, [...(groups.get(after) ?? []), capability])
  if (groups.size === 0) return []
  const parts = [...groups].map(([action, names], index) => [
    index === 0 ? '' : '; ',
    allValues(names),
    ` ${actionWords[action]}`,
  ])
  return ['As before: ', parts, '. ']
}

interface CapabilityRow {
  readonly capability: string
  readonly before: Action | null
  readonly after: Action | null
  readonly change: ChangeKind | null
}

const changeKinds = ['widened', 'unasked', 'narrowed'] as const
type ChangeKind = (typeof changeKinds)[number]

const changeTitles: Readonly<Record<ChangeKind, string>> = {
  widened: 'Widened: can do more than before',
  unasked: 'Unasked: the same, but no longer asks',
  narrowed: 'Narrowed: can do less than before',
}

function capabilityRows(access: AccessReport): CapabilityRow[] {
  const capabilities = new Set([...Object.keys(access.before), ...Object.keys(access.after)])
  return [...capabilities].map((capability) => ({
    capability,
    before: access.before[capability] ?? null,
    after: access.after[capability] ?? null,
    change: changeKinds.find((kind) => access[kind].some((one) => one.capability === capability)) ?? null,
  }))
}

/** Changes of the same kind and cause. */
interface ChangeGroup {
  readonly before: Action
  readonly after: Action
  readonly why: string | null
  /** `shell`, or `shell: git push*` if only some calls changed. */
  readonly calls: readonly string[]
}

function groupChanges(kind: ChangeKind, changes: readonly CapabilityChange[]): ChangeGroup[] {
  const groups = new Map<string, { before: Action; after: Action; why: string | null; calls: string[] }>()
  for (const change of changes) {
    const { capability, pattern, before, after } = change
    const why = change.why ?? sharedSwitch(kind, before)
    const key = `${before} ${after} ${why}`
    const group = groups.get(key) ?? { before, after, why, calls: [] }
    group.calls.push(oneLine(pattern === null ? capability : `${capability}: ${pattern}`))
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** A denied capability counts as unasked only if it shares a switch that was on before. */
function sharedSwitch(kind: ChangeKind, before: Action): string | null {
  return kind === 'unasked' && before === 'deny'
    ? 'the target has one setting for this and for something equally powerful that the agent already had'
    : null
}
