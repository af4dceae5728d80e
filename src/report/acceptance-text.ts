/** Who may do more than the source says, because `troupe.yaml` accepts it, and why. */
import type { Acceptance } from '../model/acceptance.ts'
import { oneLine, plural, wrap } from './layout.ts'
import { sentence } from './prose.ts'
import type { Style } from './style.ts'

/** More names than this are only counted. */
const MOST = 12

export function acceptanceText(accepted: readonly Acceptance[], style: Style, columns: number): string[] {
  if (accepted.length === 0) return []
  const outputs = new Set(accepted.map(({ agent, target }) => `${target} ${agent}`)).size
  const lines = [`${style.bold('accepted in troupe.yaml')}, ${plural(outputs, 'output')}`]
  for (const some of groupsBy(accepted, ({ target, reason }) => JSON.stringify([target, reason]))) {
    const [{ target, reason }] = some
    const why = reason === null ? 'No reason is given.' : sentence(reason)
    lines.push(...wrap(`in ${target}: ${why}`, columns - 2).map((line) => `  ${line}`))
    // Agents that gain the same are said in one breath.
    const gains = groupsBy(some, ({ agent }) => agent).map((own) => ({
      agent: own[0].agent,
      gained: own.map(({ capability }) => oneLine(capability)).join(', '),
    }))
    for (const alike of groupsBy(gains, ({ gained }) => gained)) {
      const names = alike.slice(0, MOST).map(({ agent }) => oneLine(agent))
      const more = alike.length > MOST ? ` and ${alike.length - MOST} more` : ''
      const text = `${names.join(', ')}${more}: ${alike[0].gained}`
      lines.push(...wrap(text, columns - 4).map((line) => style.dim(`    ${line}`)))
    }
  }
  return lines
}

type Some<T> = readonly [T, ...T[]]

function groupsBy<T>(all: readonly T[], keyOf: (one: T) => string): Some<T>[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group === undefined) groups.set(keyOf(one), [one])
    else group.push(one)
  }
  return [...groups.values()]
}
