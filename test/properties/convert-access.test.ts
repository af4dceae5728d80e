/** What an agent may do never grows on its way into another dialect: asked call by call, whatever the definition says. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Access, decide } from '../../src/model/access.ts'
import { runs } from '../chance.ts'
import { type Definition, definitionIn, dialects, textOf } from './access-definitions.ts'
import {
  convertDefinition,
  convertWith,
  findWider,
  harnessOf,
  heldAccess,
  roundTrip,
  sourceIn,
} from './access-oracle.ts'

/** So many that a few runs of each are thousands of conversions; `RUNS=100` looks for hours. */
const pairs = dialects.flatMap((from) => dialects.filter((to) => to !== from).map((to) => [from, to] as const))

describe('what an agent may do never grows', () => {
  test.each(pairs)('%s to %s', (from, to) => {
    fc.assert(
      fc.property(definitionIn(from), (definition) => {
        const { source, record, agent } = convertDefinition(from, to, definition)
        if (record.access.widened.length === 0) expect(findWider(source, harnessOf(to), agent)).toEqual([])
      }),
      runs(8),
    )
  })
})

describe('nor there and back', () => {
  test.each(pairs)('%s over %s', (from, over) => {
    fc.assert(
      fc.property(definitionIn(from), (definition) => {
        const { source, agent, widened } = roundTrip(from, over, definition)
        if (!widened) expect(findWider(source, harnessOf(from), agent, harnessOf(over))).toEqual([])
      }),
      runs(3),
    )
  })
})

describe('nor by what was kept of the original, when somebody has changed the agent since', () => {
  test.each(pairs)('%s over %s', (from, over) => {
    fc.assert(
      fc.property(definitionIn(from), definitionIn(over), (original, changed) => {
        const there = convertWith(sourceIn(from, textOf(from, original)).source, over, { kept: null })
        const now = sourceIn(over, textOf(over, changed)).source
        const again = convertWith(now, from, { kept: there.kept, keepAsking: true })
        // Whoever changed nothing gets the original back, as it was.
        if (isAlike(now.agent.access, there.agent.access) || again.record.access.widened.length > 0) return
        expect(findWider(now, harnessOf(from), again.agent, harnessOf(over))).toEqual([])
      }),
      runs(3),
    )
  })
})

/** They say the same: a key that takes nothing away says nothing. */
function isAlike(...all: Access[]): boolean {
  const said = all.map((access) => {
    const layers = access.map(({ rules, otherwise }) => [
      otherwise === 'deny',
      ...rules.flatMap(({ range, tools, pattern, action }) => (range === null ? [] : [[tools, pattern, action]])),
    ])
    return JSON.stringify(layers.filter(([isClosed, ...own]) => isClosed || own.length > 0))
  })
  return new Set(said).size === 1
}

describe('nothing is lost without need', () => {
  const names = {
    Read: 'read',
    Write: 'write',
    Edit: 'edit',
    NotebookEdit: 'notebook',
    Bash: 'shell',
    Glob: 'glob',
    Grep: 'grep',
    WebFetch: 'fetch',
    WebSearch: 'search',
    mcp__hub__get: 'mcp:hub/get',
    mcp__other_one: 'mcp:other_one/any',
  }
  const list = fc.uniqueArray(fc.constantFrom(...(Object.keys(names) as (keyof typeof names)[])), { minLength: 1 })

  test.each(['opencode', 'copilot', 'gemini-cli', 'qwen-code', 'agents'])('of a plain list, in %s', (to) => {
    const target = harnessOf(to)
    const takesServers = target.access.layers.every(({ mcpNames }) => mcpNames?.includes('server') !== false)
    fc.assert(
      fc.property(list, (listed) => {
        const definition: Definition = { lines: [`tools: ${listed.join(', ')}`] }
        const { agent, record } = convertDefinition('claude-code', to, definition)
        expect(record.access.widened).toEqual([])
        const granted = new Set(listed.map((name) => names[name]))
        const missing = [...granted].filter((tool) => {
          const units = Object.values(target.units).filter(({ grants }) => grants.includes(tool))
          const isNameable = tool.startsWith('mcp:')
            ? (to !== 'gemini-cli' || !tool.includes('_')) && (takesServers || !tool.endsWith('/any'))
            : units.some((unit) => isPlain(unit) && unit.grants.every((one) => granted.has(one)))
          return isNameable && decide(heldAccess(target, agent, 'child'), { tool, argument: 'x' }).action === 'deny'
        })
        expect(missing).toEqual([])
      }),
    )
  })
})

function isPlain({ alias, only, gone }: { alias?: unknown; only?: unknown; gone?: unknown }): boolean {
  return alias === undefined && only === undefined && gone === undefined
}
