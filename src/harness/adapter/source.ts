/** Whose words an adapter translates: the titles of its tables say so ("Claude Code Tool"). */
import type { Registry } from '../registry.ts'
import type { Harness } from '../schema/harness.ts'
import { type Adapter, placeOf } from './adapter.ts'

export function findSource({ sections, log }: Pick<Adapter, 'sections' | 'log'>, registry: Registry): Harness | null {
  const title = 'Tool Name Mappings'
  if (!sections.has(title)) return null
  const tables = sections.get(title)?.tables ?? []
  for (const { first } of tables) {
    const name = first.replace(/\s*tools?$/i, '').toLowerCase()
    const found = registry.all.find((one) => one.title.toLowerCase() === name || one.id === name)
    if (found !== undefined) return found
  }
  const said = tables[0]?.first
  const what = said === undefined ? 'There is no table.' : `"${said}" names no harness that Troupe knows.`
  log.refuse(placeOf({ sections }, title), `${what} The first column says whose tools they are: "Claude Code Tool".`)
  return null
}
