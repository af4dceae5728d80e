/** Who may do more than the source says, because `troupe.yaml` accepts it, and why. */
import type { Acceptance } from '../model/acceptance.ts'
import { oneLine, plural, wrap } from './layout.ts'
import { sentence } from './prose.ts'
import type { Style } from './style.ts'

/** Agents that gained the same in the same target for the same reason are said in one breath. */
interface Group {
  readonly target: string
  readonly gained: string
  readonly reason: string | null
  readonly agents: string[]
}

/** More names than this are only counted. */
const MOST = 12

export function acceptanceText(accepted: readonly Acceptance[], style: Style, columns: number): string[] {
  if (accepted.length === 0) return []
  const lines = groupsOf(accepted).flatMap(({ target, gained, reason, agents }) => {
    const names = agents.slice(0, MOST).map(oneLine).join(', ')
    const more = agents.length > MOST ? ` and ${agents.length - MOST} more` : ''
    const why = reason === null ? 'No reason is given.' : sentence(reason)
    return [
      ...wrap(`${target}: ${names}${more} may use ${gained}`, columns - 4).map((line, at) =>
        at === 0 ? `  ${line}` : `    ${line}`,
      ),
      ...wrap(why, columns - 4).map((line) => style.dim(`    ${line}`)),
    ]
  })
  const outputs = new Set(accepted.map(({ agent, target }) => `${target} ${agent}`)).size
  return [`${style.bold('accepted in troupe.yaml')}, ${plural(outputs, 'output')}`, ...lines]
}

function groupsOf(accepted: readonly Acceptance[]): Group[] {
  const each = new Map<string, Acceptance[]>()
  for (const one of accepted) {
    const key = JSON.stringify([one.target, one.agent, one.reason])
    each.set(key, [...(each.get(key) ?? []), one])
  }
  const groups = new Map<string, Group>()
  for (const [first, ...rest] of each.values()) {
    if (first === undefined) continue
    const { target, reason, agent } = first
    const gained = [first, ...rest].map(({ capability }) => oneLine(capability)).join(', ')
    const key = JSON.stringify([target, gained, reason])
    const group = groups.get(key) ?? { target, gained, reason, agents: [] }
    group.agents.push(agent)
    groups.set(key, group)
  }
  return [...groups.values()]
}
