/** What lies beside the agents: outputs, files that are no agents, projects further down. */
import type { Inventory } from '../project/inventory.ts'
import { plural } from '../report/layout.ts'

/** What is there too, and is no agent of this project. */
export function besides({ outputs, passedOver, nested }: Inventory): string[] {
  const built = new Map<string, number>()
  for (const { agent } of outputs) built.set(agent.harness, (built.get(agent.harness) ?? 0) + 1)
  const others = new Map<string, number>()
  for (const { recognised } of passedOver) others.set(recognised.kind, (others.get(recognised.kind) ?? 0) + 1)
  const below = nested()
  const shown = below.slice(0, 3).join(', ') + (below.length > 3 ? ' ...' : '')
  return [
    ...(outputs.length === 0
      ? []
      : [`Built from them: ${[...built].map(([id, count]) => `${count} for ${id}`).join(', ')}.`]),
    ...(passedOver.length === 0
      ? []
      : [`Not agents: ${[...others].map(([kind, count]) => plural(count, kindWords[kind] ?? kind)).join(', ')}.`]),
    ...(below.length === 0
      ? []
      : [`${plural(below.length, 'more project')} below: ${shown}; \`troupe list ${below[0]}\` shows one.`]),
  ]
}

const kindWords: Readonly<Record<string, string>> = {
  skill: 'skill file',
  command: 'slash command',
  hooks: 'hook file',
  servers: 'MCP file',
  instructions: 'instruction file',
  rules: 'rule file',
  settings: 'settings file',
  'other-harness': 'foreign file',
  unknown: 'other file',
}
