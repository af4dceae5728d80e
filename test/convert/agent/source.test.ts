/** A name that changes is followed by everything that speaks of it. */
import { expect, test } from 'vitest'
import { convertInto, harnessOf, sourceOf } from '../converting.ts'

const renamed = new Map([['Code Explorer', 'code-explorer']])

function convert(from: string, to: string, text: string) {
  const source = sourceOf(from, { text })
  const { output, record } = convertInto(source, harnessOf(to), { name: source.agent.name, renamed })
  return { text: output.kind === 'file' ? output.text : '', record }
}

test('in the rules about which agents may be called', () => {
  const source = [
    '---',
    'name: lead',
    'description: Leads',
    'tools: Read, Agent(Code Explorer)',
    '---',
    'Ask @Code Explorer first, then call Agent(subagent_type="Code Explorer", prompt="map").',
    '',
  ].join('\n')
  const { text, record } = convert('claude-code', 'opencode', source)
  expect(text).toContain('  task:\n    "*": deny\n    code-explorer: allow\n')
  expect(text).toContain('Ask @code-explorer first')
  expect(text).toContain('subagent_type="code-explorer"')
  expect(record.access.widened).toEqual([])
})

test('in the hand-offs of a team', () => {
  const source = [
    '---',
    'name: coder',
    'role: Writes code',
    'handoff_to: [Code Explorer, user]',
    '---',
    'Code.',
    '',
  ].join('\n')
  expect(convert('workplace', 'agents', source).text).toContain('handoffs:\n  - code-explorer\n  - user\n')
})
