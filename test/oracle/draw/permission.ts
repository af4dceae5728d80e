/** Maps of permissions as OpenCode has them: keys that are patterns, patterns under keys, in an order that counts. */
import type { Dice } from '../dice.ts'
import { quoted } from './lists.ts'
import { agents, commands, openCodeKeys, paths, plainKeys, rarerKeys, servers, serverTools } from './words.ts'

export function openCodeKey(dice: Dice): string {
  if (dice.often(25)) return `${dice.pick(servers)}_${dice.pick(serverTools)}`
  return dice.pick(dice.often(70) ? openCodeKeys : rarerKeys)
}

export const action = (dice: Dice) => dice.pick(['allow', 'ask', 'deny', 'deny'])

const bare = ['permission: deny', 'permission: ask', 'permission: allow', 'permission:', 'permission: {}']

/** A key, and its action or its patterns with theirs. */
export type Permission = readonly [key: string, value: string | readonly (readonly [pattern: string, action: string])[]]

export function permission(dice: Dice): string[] {
  if (dice.often(8)) return [dice.pick([...bare, 'permission: [bash]'])]
  const keys = [...new Set(Array.from({ length: 1 + dice.roll(6) }, () => openCodeKey(dice)))]
  const isFlow = dice.often(30)
  return written(
    keys.map((key): Permission => {
      if (plainKeys.includes(key) || dice.often(60)) return [key, dice.often(2) ? 'maybe' : action(dice)]
      return [key, patternsFor(dice, key)]
    }),
    isFlow,
  )
}

export function patternsFor(dice: Dice, key: string): (readonly [pattern: string, action: string])[] {
  const patterns = key === 'bash' || key === '*' ? commands : key === 'task' || key === 'skill' ? agents : paths
  const some = [...new Set(Array.from({ length: 1 + dice.roll(4) }, () => dice.pick(patterns)))]
  return some.map((one) => [one, action(dice)])
}

export function written(all: readonly Permission[], isFlow: boolean): string[] {
  const pair = ([key, value]: readonly [string, string]) => `${quoted(key)}: ${value}`
  if (isFlow) {
    const inner = all.map(([key, value]) =>
      typeof value === 'string' ? pair([key, value]) : `${quoted(key)}: { ${value.map(pair).join(', ')} }`,
    )
    return [`permission: { ${inner.join(', ')} }`]
  }
  const rows = all.flatMap(([key, value]) =>
    typeof value === 'string'
      ? [`  ${pair([key, value])}`]
      : [`  ${quoted(key)}:`, ...value.map((one) => `    ${pair(one)}`)],
  )
  return ['permission:', ...rows]
}
