/** Converts an agent of Claude Code to an imported harness, as the tests need it. */

import { createSource } from '../../../src/convert/agent/source.ts'
import type { Converted } from '../../../src/convert/convert.ts'
import { defaultDecision, type GapPolicy } from '../../../src/convert/gaps.ts'
import { readAgents } from '../../../src/harness/read/agents.ts'
import { createRegistry } from '../../../src/harness/registry.ts'
import type { Harness } from '../../../src/harness/schema/harness.ts'
import { convertInto } from '../../convert/converting.ts'

export function convert(
  target: Harness,
  lines: readonly string[],
  prompt = 'You are an agent for tests.\n',
  policy: GapPolicy = defaultDecision,
): Converted {
  const registry = createRegistry([target])
  const harness = registry.byId('claude-code')
  const carrier = harness?.carriers[0]
  if (harness === undefined || carrier === undefined) throw new Error('no such harness')
  const text = ['---', ...lines, '---', '', prompt].join('\n')
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const { agents, document } = readAgents({ registry, harness, carrier, text, relativePath: 'agent.md', surroundings })
  const [agent] = agents
  if (agent === undefined) throw new Error('no agent in the text')
  const source = createSource({ registry, harness, carrier, path: 'agent.md', text, document }, agent)
  return convertInto(source, target, { policy })
}
