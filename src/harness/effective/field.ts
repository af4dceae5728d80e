/** Tracked data as fields of an agent, and the origins that no layer has. */
import type { EffectiveField, Origin } from '../../model/effective.ts'
import { plainData, type Tracked } from './tracked.ts'

export const builtInOrigin: Origin = { from: 'built-in', path: null, line: null, column: null }
export const defaultOrigin: Origin = { from: 'default', path: null, line: null, column: null }

export function fieldOf(key: string, tracked: Tracked | undefined): EffectiveField | null {
  if (tracked === undefined) return null
  const field = { key, value: plainData(tracked), origin: tracked.origin }
  if (tracked.kind === 'value') return { ...field, overruled: tracked.overruled }
  const parts = Object.entries(tracked.entries).map(([name, part]) => [name, part.origin] as const)
  return { ...field, overruled: [], parts: Object.fromEntries(parts) }
}

/** A map of nothing says nothing. */
export function isEmpty({ value, own }: EffectiveField): boolean {
  if (value === null) return own === undefined
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0
}
