/** Keys that a target does not know: what people read stays readable, the rest is left out and told. */
import { expect, test } from 'vitest'
import { markdown } from '../reading.ts'
import { convertInto, harnessOf, sourceOf } from './converting.ts'

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
