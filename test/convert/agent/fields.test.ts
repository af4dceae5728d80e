/** Keys that a target does not know: what people read stays readable, the rest is left out and told. */
import { describe, expect, test } from 'vitest'
import { convertDefinition } from '../../../src/convert/convert.ts'
import { markdown } from '../../reading.ts'
import { convertInto, harnessOf, optionsFor, sourceOf } from '../converting.ts'

function written(from: string, to: string, ...lines: string[]): string {
  const source = sourceOf(from, { text: markdown('name: a', 'description: d', ...lines) })
  const { output } = convertInto(source, harnessOf(to))
  return output.kind === 'file' ? output.text : ''
}

test.each(['copilot', 'claude-code'])('a hint for people written for %s', (from) => {
  expect(written(from, 'opencode', 'argument-hint: a file')).toContain('<!-- argument-hint: a file -->')
})

test('a key for the program', () => {
  expect(written('copilot', 'opencode', 'flavour: sweet')).not.toContain('sweet')
})

describe('keys that Claude Code does not honour in the agents of a plugin', () => {
  const harness = harnessOf('claude-code')
  const carrier = harness.carriers.find(({ id }) => id === 'plugin')

  test.each([
    ['permissionMode', 'acceptEdits'],
    ['initialPrompt', 'Begin.'],
    ['observer', 'watcher'],
  ])('%s', (key, value) => {
    if (carrier === undefined) throw new Error('Claude Code has plugins')
    const text = markdown('name: a', 'description: d', 'tools: Read, Bash', `${key}: ${value}`, 'color: blue')
    const options = optionsFor('a', { harness, carrier })
    const { output, record } = convertDefinition(sourceOf('claude-code', { text }), options)
    if (output.kind !== 'file') throw new Error('it is a file')
    expect(output.text).not.toContain(`${key}: ${value}`)
    expect(output.text).toContain('color: blue')
    expect(output.text).toContain('Bash')
    expect(record.gaps.map(({ feature, reason }) => [feature, reason])).toContainEqual([
      key,
      'Claude Code does not honour it in a plugin agent',
    ])
  })
})
