/** Front matter that a harness repairs for itself. */
import { expect, test } from 'vitest'
import { checkDefinition } from '../../src/check/check.ts'
import type { Carrier } from '../../src/harness/schema/harness.ts'
import { markdown, readAs, registry } from '../reading.ts'

function severityOnReload(id: string, ...lines: string[]): string | undefined {
  const harness = registry.byId(id)
  const read = readAs(id, { text: markdown(...lines) })
  const [first] = read.agents
  if (harness === undefined || first === undefined) throw new Error('nothing was read')
  const subject = { registry, harness, carrier: harness.carriers[0] as Carrier, document: read.document, ...first }
  return checkDefinition(subject).find(({ code }) => code === 'repaired-once')?.severity
}

const colon = 'description: Use it: always'
const limit = ['permission:', '  bash: deny']

test('OpenCode loses the limits of what it repaired when it reads it again', () => {
  expect(severityOnReload('opencode', colon, ...limit)).toBe('error')
  expect(severityOnReload('opencode', colon)).toBe('warning')
})

test('what is valid, what stays broken and what others repair is not said to be lost', () => {
  expect(severityOnReload('opencode', 'description: "Use it: always"', ...limit)).toBeUndefined()
  expect(severityOnReload('opencode', 'description: [Use it', ...limit)).toBeUndefined()
  expect(severityOnReload('claude-code', colon, 'tools: Read')).toBeUndefined()
})
