/** What a harness file makes of samples: what the harness itself withholds from an agent is not lost by writing it. */
import { expect, test } from 'vitest'
import { tryHarness } from '../../src/workbench/try-harness.ts'
import { registry } from '../reading.ts'

test.each([
  ['kilo', '.kilo/agents/x.md', 'description: Does it\nmode: subagent'],
  ['kilo', '.kilo/agents/x.md', 'description: Does it\nmode: subagent\npermission: { edit: deny, task: deny }'],
  ['goose', '.goose/agents/x.md', 'name: x\ndescription: Does it'],
  ['claude-code', '.claude/agents/x.md', 'name: x\ndescription: Does it\ntools: Read, Grep'],
])('an agent of %s is the same when it is written and read again: %s %j', (id, path, keys) => {
  const harness = registry.byId(id)
  if (harness === undefined) throw new Error(`no ${id}`)
  const { agents } = tryHarness(registry, harness, [{ path, text: `---\n${keys}\n---\n\nYou do it.\n` }])
  expect(agents).toEqual([{ path, name: 'x', differences: [] }])
})

test('a field that cannot be written is named', () => {
  const harness = registry.byId('claude-code')
  if (harness === undefined) throw new Error('no claude-code')
  const carriers = harness.carriers.map((one) => ({ ...one, drops: ['model'] }))
  const text = '---\nname: x\ndescription: Does it\nmodel: opus\n---\n\nYou do it.\n'
  const { agents } = tryHarness(registry, { ...harness, carriers }, [{ path: '.claude/agents/x.md', text }])
  expect(agents[0]?.differences).toEqual(['model is lost'])
})
