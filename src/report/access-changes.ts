/** What an agent may do before and after, in words. */
import type { Action } from '../model/access.ts'
import type { AccessReport, CapabilityChange } from '../model/conversion.ts'
import { oneLine } from './layout.ts'

export const actionWords: Readonly<Record<Action, string>> = {
  allow: 'allowed',
  offer: 'offered',
  ask: 'asks',
  deny: 'denied',
}

/** What the words mean, for people who see them for the first time. */
export const actionLegend =
  'Allowed: done without a question; offered: there, and the mode of the harness decides about asking; asks: a person is asked each time; denied: not done.'

export const enforcedWords: Readonly<Record<AccessReport['enforced'], string>> = {
  observed: 'the target holds to it: observed by running it',
  claimed: 'the target holds to it, as far as its documentation says',
  no: 'the target does not hold to it',
}

export interface CapabilityRow {
  readonly capability: string
  readonly before: Action | null
  readonly after: Action | null
  readonly change: ChangeKind | null
}

export const changeKinds = ['widened', 'unasked', 'narrowed'] as const
export type ChangeKind = (typeof changeKinds)[number]

export const changeTitles: Readonly<Record<ChangeKind, string>> = {
  widened: 'Widened: more than before',
  unasked: 'Unasked: the same, but nobody is asked any more',
  narrowed: 'Narrowed: less than before',
}

export function capabilityRows(access: AccessReport): CapabilityRow[] {
  const capabilities = new Set([...Object.keys(access.before), ...Object.keys(access.after)])
  return [...capabilities].map((capability) => ({
    capability,
    before: access.before[capability] ?? null,
    after: access.after[capability] ?? null,
    change: changeKinds.find((kind) => access[kind].some((one) => one.capability === capability)) ?? null,
  }))
}

/** Changes of the same kind and cause. */
export interface ChangeGroup {
  readonly before: Action
  readonly after: Action
  readonly why: string | null
  /** `shell`, or `shell: git push*` where only some calls changed. */
  readonly calls: readonly string[]
}

export function groupChanges(kind: ChangeKind, changes: readonly CapabilityChange[]): ChangeGroup[] {
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

/** Something denied counts as unasked only where it comes with a switch that the agent had on before. */
function sharedSwitch(kind: ChangeKind, before: Action): string | null {
  return kind === 'unasked' && before === 'deny'
    ? 'the target has one switch for this and for something of the same power that the agent had before'
    : null
}
