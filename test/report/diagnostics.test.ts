/** Annotations for GitHub: what stands in a path or a sentence never ends a property or a line. */
import { expect, test } from 'vitest'
import { githubAnnotations } from '../../src/report/diagnostics.ts'

const finding = { code: 'unknown-key', severity: 'warning', line: 3, column: 7 } as const

test.each([
  ['a comma ends a property', 'a,b.md', 'a%2Cb.md'],
  ['a colon ends the properties', 'C:/a.md', 'C%3A/a.md'],
  ['a per cent sign begins a code', '100%.md', '100%25.md'],
  ['a line end ends the command', 'a\nb.md', 'a b.md'],
])('%s: %j', (_, path, shown) => {
  const [line] = githubAnnotations([{ ...finding, path, message: 'Look, a key: x.' }])
  expect(line).toBe(`::warning file=${shown},line=3,col=7,title=troupe unknown-key::Look, a key: x.`)
})

test('what is said stays one line', () => {
  const [line] = githubAnnotations([{ ...finding, path: 'a.md', message: 'One\nTwo 5%', hint: 'Three\r\n::error::' }])
  expect(line).toBe('::warning file=a.md,line=3,col=7,title=troupe unknown-key::One Two 5%25 Three ::error::')
})
