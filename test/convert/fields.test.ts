/** Keys that a target does not know: what people read stays readable, the rest is left out and told. */
import { expect, test } from 'vitest'
import { defaultDecision } from '../../src/convert/gaps.ts'
import { convertAgent } from '../../src/convert/pipeline.ts'
import { markdown } from '../reading.ts'
import { harnessOf, sourceOf } from './converting.ts'

function written(from: string, to: string, ...lines: string[]): string {
  const source = sourceOf(from, { text: markdown('name: a', 'description: d', ...lines) })
  const harness = harnessOf(to)
  const carrier = harness.carriers[0]
  if (carrier === undefined) throw new Error('no kind of file')
  const { output } = convertAgent(source, {
    target: { harness, carrier },
    name: 'a',
    renamed: new Map(),
    policy: defaultDecision,
    models: {},
    keepAsking: false,
    findSkill: () => ({ tried: [] }),
    kept: null,
  })
  return output.kind === 'file' ? output.text : ''
}

test.each(['copilot', 'claude-code'])('a hint for people written for %s', (from) => {
  expect(written(from, 'opencode', 'argument-hint: a file')).toContain('<!-- argument-hint: a file -->')
})

test('a key for the program', () => {
  expect(written('copilot', 'opencode', 'flavour: sweet')).not.toContain('sweet')
})
