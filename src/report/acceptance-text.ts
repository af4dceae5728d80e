/** Who may do more than the source says, because `troupe.yaml` accepts it, and why. */
import type { Acceptance } from '../model/acceptance.ts'
import { gainsText, groupsBy } from './gains-text.ts'
import { plural, wrap } from './layout.ts'
import { sentence } from './prose.ts'
import type { Style } from './style.ts'

export function acceptanceText(accepted: readonly Acceptance[], style: Style, columns: number): string[] {
  if (accepted.length === 0) return []
  const outputs = new Set(accepted.map(({ agent, target }) => `${target} ${agent}`)).size
  const lines = [`${style.bold('accepted in troupe.yaml')}, ${plural(outputs, 'output')}`]
  for (const some of groupsBy(accepted, ({ target, reason }) => JSON.stringify([target, reason]))) {
    const [{ target, reason }] = some
    const why = reason === null ? 'No reason is given.' : sentence(reason)
    lines.push(...wrap(`in ${target}: ${why}`, columns - 2).map((line) => `  ${line}`))
    lines.push(...gainsText(some, style, columns))
  }
  return lines
}
