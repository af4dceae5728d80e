/** Which agents can do more in a target, and what: those that gain the same are said in one breath. */
import { oneLine, wrap } from './layout.ts'
import type { Style } from './style.ts'

/** More names than this are only counted. */
const MOST = 12

export interface Gain {
  readonly agent: string
  readonly capability: string
}

export function gainsText(gains: readonly Gain[], style: Style, columns: number): string[] {
  const byAgent = groupsBy(gains, ({ agent }) => agent).map((own) => ({
    agent: own[0].agent,
    gained: own.map(({ capability }) => oneLine(capability)).join(', '),
  }))
  return groupsBy(byAgent, ({ gained }) => gained).flatMap((alike) => {
    const names = alike.slice(0, MOST).map(({ agent }) => oneLine(agent))
    const more = alike.length > MOST ? ` and ${alike.length - MOST} more` : ''
    const text = `${names.join(', ')}${more}: ${alike[0].gained}`
    return wrap(text, columns - 4).map((line) => style.dim(`    ${line}`))
  })
}

type Some<T> = readonly [T, ...T[]]

export function groupsBy<T>(all: readonly T[], keyOf: (one: T) => string): Some<T>[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group === undefined) groups.set(keyOf(one), [one])
    else group.push(one)
  }
  return [...groups.values()]
}
