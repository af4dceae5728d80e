/** What a member may do reads as a sentence. */
import { expect, test } from 'vitest'
import type { Action } from '../../../src/model/access/rules.ts'
import { permissionsText } from '../../../src/team/state/roster.ts'

const all = ['read', 'write', 'edit', 'shell', 'fetch', 'search', 'delegate', 'mcp:*']
const native = (capability: string) => ({ shell: 'Bash', write: 'Write' })[capability] ?? null

function may(actions: Readonly<Record<string, Action>>, otherwise: Action, exceptions = 0): string {
  const general = Object.fromEntries(all.map((one) => [one, actions[one] ?? otherwise]))
  const exception = { capability: 'shell', pattern: 'git *', action: 'allow' as const }
  return permissionsText({ general, exceptions: Array.from({ length: exceptions }, () => exception) }, native)
}

test.each([
  [{}, 'offer', 0, 'may do everything, including Bash and Write, without asking'],
  [
    { delegate: 'deny' },
    'offer',
    0,
    'may do everything except start other agents, including Bash and Write, without asking',
  ],
  [{ read: 'allow' }, 'deny', 0, 'may read files without asking; may not do anything else'],
  [
    { shell: 'ask' },
    'deny',
    0,
    'may do nothing without asking; asks you before it may run commands; may not do anything else',
  ],
  [
    { shell: 'ask', fetch: 'ask', delegate: 'deny' },
    'allow',
    1,
    'may read files, write files, edit files, search the web and use other MCP servers without asking; asks you before it may run commands or fetch pages; may not start other agents; some commands or paths have their own rules',
  ],
] as const)('%j, otherwise %s', (actions, otherwise, exceptions, text) => {
  expect(may(actions, otherwise, exceptions)).toBe(text)
})
