/** A harness asks whether it may do something: the agent's own rules answer; what they leave to a person goes to the person. */
import { calledTool } from '../harness/called-tool.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type Action, decide, writtenAccess } from '../model/access.ts'
import type { Agent } from '../model/agent.ts'
import type { PermissionRequest } from './driver.ts'

/** The kinds of calls that the Agent Client Protocol knows; the strictest answer for any of the tools counts. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  edit: ['edit', 'write'],
  delete: ['write'],
  move: ['write'],
  search: ['grep'],
  execute: ['shell'],
  fetch: ['fetch'],
}

/** What nobody can tell is asked. */
export function ruleFor(
  registry: Registry,
  harness: Harness,
  agent: Agent,
  { tool, subjects }: PermissionRequest,
): Action {
  const called = calledTool(harness, registry.all, tool)
  const tools = called === null ? kinds[tool] : [called]
  if (tools === undefined) return 'ask'
  const access = writtenAccess(agent.access, harness.embody?.role ?? 'main')
  const calls = tools.flatMap((one) =>
    subjects.length === 0 ? [{ tool: one }] : subjects.map((argument) => ({ tool: one, argument })),
  )
  const answers = calls.map((call) => {
    const { action, rule } = decide(access, call)
    // A default is not the agent's own word: whoever set the harness to ask wants to be asked.
    return action === 'deny' || rule?.range != null ? action : 'ask'
  })
  return order.find((action) => answers.includes(action)) ?? 'ask'
}

const order: readonly Action[] = ['deny', 'ask', 'offer', 'allow']
