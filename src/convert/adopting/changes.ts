/** What two versions of one definition say differently: values by the keys that lead to them, and the prompt. */
import type { Json } from '../../model/agent.ts'
import { sameData, toData } from '../../text/data.ts'
import type { Source } from '../parse.ts'

export type Change =
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly value: Json | undefined }
  | { readonly kind: 'prompt'; readonly text: string }

/** The word for a change: the key it stands under. */
export function changeName(change: Change): string {
  return change.kind === 'prompt' ? 'prompt' : (change.path[0] ?? '')
}

export function changesBetween(before: Source, after: Source): Change[] {
  const values = valueChanges(dataOf(before), dataOf(after), [])
  const { text } = after.agent.prompt
  return before.agent.prompt.text === text ? values : [...values, { kind: 'prompt', text }]
}

type Data = { readonly [key: string]: Json }

function dataOf({ map, carrier }: Source): Data {
  const data = (map === null ? {} : toData(map)) as Record<string, Json>
  const { [carrier.prompt.key ?? '']: _prompt, ...keys } = data
  return carrier.prompt.in === 'key' ? keys : data
}

function valueChanges(before: Data, after: Data, path: readonly string[]): Change[] {
  const changes: Change[] = []
  for (const [key, value] of Object.entries(before)) {
    const now = Object.hasOwn(after, key) ? after[key] : undefined
    const way = [...path, key]
    if (now !== undefined && isSame(value, now)) continue
    if (isData(value) && isData(now) && isInStep(value, now)) changes.push(...valueChanges(value, now, way))
    else changes.push({ kind: 'value', path: way, value: now })
  }
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) changes.push({ kind: 'value', path: [...path, key], value })
  }
  return changes
}

/** The order of keys counts: there are harnesses where the last rule that matches wins. */
function isSame(one: Json, other: Json): boolean {
  return sameData(one, other) && JSON.stringify(one) === JSON.stringify(other)
}

function isData(value: Json | undefined): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What both have stands in one order, and what is new stands behind it: then single entries can be changed. */
function isInStep(before: Data, after: Data): boolean {
  const common = Object.keys(before).filter((key) => Object.hasOwn(after, key))
  const now = Object.keys(after)
  return common.length > 0 && common.every((key, place) => now[place] === key)
}

/** Whether two changes are about the same thing and do not want the same of it. */
export function contradicts(one: Change, other: Change): boolean {
  if (one.kind === 'prompt' || other.kind === 'prompt')
    return one.kind === 'prompt' && other.kind === 'prompt' && one.text !== other.text
  const shorter = Math.min(one.path.length, other.path.length)
  const isOneWay = one.path.slice(0, shorter).every((step, place) => step === other.path[place])
  return isOneWay && !isEqual(one, other)
}

export function isEqual(one: Change, other: Change): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
