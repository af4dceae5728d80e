/** Reads a definition from a text, as the tests need it: by harness and kind of file. */
import { type ReadResult, readAgents } from '../src/harness/read/agents.ts'
import { createRegistry } from '../src/harness/registry.ts'
import type { Agent } from '../src/model/agent.ts'

const builtIn = createRegistry()
export const registry = builtIn

export interface Given {
  readonly text: string
  readonly carrier?: string
  readonly path?: string
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
}

export function readAs(id: string, given: Given, registry = builtIn): ReadResult {
  const harness = registry.byId(id)
  const carrier = harness?.carriers.find((one) => one.id === (given.carrier ?? harness.carriers[0]?.id))
  if (harness === undefined || carrier === undefined) throw new Error(`no ${given.carrier ?? 'carrier'} in ${id}`)
  return readAgents({
    registry,
    harness,
    carrier,
    text: given.text,
    relativePath: given.path ?? (carrier.format === 'toml' ? 'agent.toml' : 'agent.md'),
    surroundings: {
      readBeside: (path) => given.files?.[path] ?? null,
      environment: (name) => given.env?.[name],
    },
  })
}

export function readOne(id: string, given: Given): Agent {
  const agent = readAs(id, given).agents[0]?.agent
  if (agent === undefined) throw new Error('no agent in the text')
  return agent
}

/** A Markdown agent with these lines of front matter. */
export function markdown(...lines: string[]): string {
  return ['---', ...lines, '---', 'You are an agent for tests.', ''].join('\n')
}
