/** What is worked out once for equal access must not be used for access that differs in anything. */
import { expect, test } from 'vitest'
import { accessSignature, type CarryAccessInput } from '../../../src/convert/access/signature.ts'
import type { Layer, Rule } from '../../../src/model/access/rules.ts'

const rule: Rule = {
  tools: ['read', 'search'],
  subject: 'path',
  pattern: 'src/**',
  syntax: 'wildcard',
  action: 'allow',
  role: 'main',
  ignored: 'pattern',
  native: 'Read(src/**)',
  unit: 'Read',
  range: { start: 1, end: 5 },
}
const layer: Layer = {
  origin: 'tools',
  resolution: 'widest',
  rules: [rule],
  otherwise: 'deny',
  enforced: { main: 'observed', child: 'claimed' },
}

function signed(access: readonly Layer[], more: Partial<CarryAccessInput> = {}): string {
  const source = { harness: { id: 'one' }, agent: { access } }
  const target = { access: { implies: [{ field: 'memory' }] }, fields: { mcpServers: { filters: {} } } }
  const input = { source, target, fields: new Map(), mode: undefined, keepAsking: false, ...more }
  return accessSignature(input as unknown as CarryAccessInput)
}

const withRule = (change: object) => [{ ...layer, rules: [{ ...rule, ...change }] }]

test('what the entries of servers say about their tools counts', () => {
  const filtered = (tools: string[]) => signed([layer], { fields: new Map([['mcpServers', { docs: { tools } }]]) })
  expect(filtered(['get'])).not.toBe(filtered(['put']))
})

test('places do not matter, only whether there is one', () => {
  expect(signed(withRule({ range: { start: 7, end: 9 } }))).toBe(signed([layer]))
  expect(signed(withRule({ range: null }))).toBe(signed(withRule({ range: null })))
  expect(signed(withRule({ range: null }))).not.toBe(signed([layer]))
})

test.each([
  ['tools', { tools: ['read'] }],
  ['a tool cut in two', { tools: ['read', 'sear', 'ch'] }],
  ['subject', { subject: 'command' }],
  ['pattern', { pattern: 'src/*' }],
  ['no pattern', { pattern: null }],
  ['the word null', { pattern: 'null' }],
  ['syntax', { syntax: 'names' }],
  ['action', { action: 'ask' }],
  ['role', { role: undefined }],
  ['ignored', { ignored: undefined }],
  ['native', { native: 'Read' }],
  ['unit', { unit: undefined }],
])('a rule with another %s', (_what, change) => {
  expect(signed(withRule(change))).not.toBe(signed([layer]))
  expect(signed(withRule({ ...change, range: null }))).not.toBe(signed(withRule({ range: null })))
})

test.each([
  ['origin', { origin: 'disallowedTools' }],
  ['resolution', { resolution: 'last-match' }],
  ['rules', { rules: [rule, rule] }],
  ['otherwise', { otherwise: null }],
  ['enforced', { enforced: { main: 'observed', child: 'no' } }],
] as [string, Partial<Layer>][])('a layer with another %s', (_what, change) => {
  expect(signed([{ ...layer, ...change }])).not.toBe(signed([layer]))
})

test.each([
  ['mode', { mode: 'all' }],
  ['asking', { keepAsking: true }],
  ['servers', { servers: ['one'] }],
  ['implied field', { fields: new Map([['memory', 'project']]) }],
] as [string, Partial<CarryAccessInput>][])('another %s', (_what, change) => {
  expect(signed([layer], change)).not.toBe(signed([layer]))
})

test('a piece that looks like the end of another is not one', () => {
  const names = ['a', 'b']
  expect(signed([layer], { servers: names })).not.toBe(signed([layer], { servers: ['a1:b'] }))
  expect(signed([layer], { mode: '3:all' })).not.toBe(signed([layer], { mode: 'all' }))
})
