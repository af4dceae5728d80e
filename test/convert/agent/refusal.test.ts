/** Front matter with limits whose fences cannot be told: refused with a reason, and never taken for a prompt without limits. */
import { describe, expect, test } from 'vitest'
import { classifyAgentFile } from '../../../src/harness/recognise/recognise.ts'
import { registry } from '../../reading.ts'
import { convertInto, harnessOf, sourceOf } from '../converting.ts'

const heads = ['----\n----\n', '---)\n', '---\n---\n', '---\n---\n reviewer\n', '', '----\nreviewer\n']
const limits = [
  'tools: Read',
  'servers: {docs: {excludeTools: [get]}}',
  'disallowedTools: Bash',
  'permission: deny',
  'sandbox_mode: read-only',
  'readOnly: true',
]
const cases = heads.flatMap((head) => limits.map((limit) => ({ head, limit })))

function convert(from: string, to: string, text: string) {
  return convertInto(sourceOf(from, { text, path: 'a.md' }), harnessOf(to))
}

describe.each(['claude-code', 'opencode', 'gemini-cli', 'copilot', 'qwen-code'])('%s', (from) => {
  const to = from === 'opencode' ? 'claude-code' : 'opencode'

  test.each(cases)('refuses $limit below $head', ({ head, limit }) => {
    const { refusal, record } = convert(from, to, `${head}description: d\n${limit}\n---\nYou review.\n`)
    expect(refusal?.code).toBe('unclear-front-matter')
    expect(Object.values(record.access.after).every((answer) => answer === 'deny')).toBe(true)
  })

  test('takes such a file for an agent, so that the refusal is told', () => {
    const [carrier] = harnessOf(from).carriers
    if (carrier === undefined) throw new Error('no kind of file')
    const text = '----\n----\ntools: Read\n---\nYou review.\n'
    expect(classifyAgentFile(registry, { harness: harnessOf(from), carrier }, 'a.md', text)).toBe('agent')
  })

  test.each(['----\n', 'Reviewer\n---\n', '***\n', '---\n---\n'])(
    'keeps a prompt below %j that limits nothing',
    (head) => {
      const { refusal } = convert(from, to, `${head}\nYou review. Your notes: all of them.\n\nresult: a list\n`)
      expect(refusal).toBeNull()
    },
  )
})

test('a fence that comes too early hides no rule', () => {
  const text = '---\ndescription: d\npermission:\n  edit: deny\n---\n  bash: deny\n---\nYou review.\n'
  expect(convert('opencode', 'claude-code', text).refusal?.code).toBe('unclear-front-matter')
  const prose = '---\ndescription: d\npermission:\n  edit: deny\n---\n  Review\n---\nYou review.\n'
  expect(convert('opencode', 'claude-code', prose).refusal).toBeNull()
})

test('one word for all tools is a text', () => {
  for (const value of ['true', 'false', '1']) {
    const text = `---\ndescription: d\npermission: ${value}\n---\nYou review.\n`
    expect(convert('opencode', 'claude-code', text).refusal?.code).toBe('unreadable-access')
  }
  expect(
    convert('opencode', 'claude-code', '---\ndescription: d\npermission: ask\n---\nYou review.\n').refusal,
  ).toBeNull()
})

test('white space and a byte order mark before the fence hide nothing', () => {
  const { refusal, record } = convert('claude-code', 'opencode', ' \uFEFF---\ndescription: d\ntools: Read\n---\nYou.\n')
  expect(refusal).toBeNull()
  expect(record.access.after).toMatchObject({ read: 'allow', write: 'deny', shell: 'deny' })
})
