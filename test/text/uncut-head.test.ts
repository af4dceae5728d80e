/** Heads of files that look like front matter, and those that do not. */
import { expect, test } from 'vitest'
import { keysInHead } from '../../src/text/uncut-head.ts'

const keys = (text: string) => keysInHead(text, 0).map(({ key }) => key)

test.each([
  ['an opener that is doubled', '----\n----\nname: a\ntools: Read\n---\nBody'],
  ['an opener with a sign behind it', '---)\nname: a\ntools: Read\n---\nBody'],
  ['an opener with spaces in it', '- - -\nname: a\ntools: Read\n---\nBody'],
  ['long dashes and a sign', '——:\nname: a\ntools: Read\n---\nBody'],
  ['a line that belongs to no key', '-----\nreviewer\nname: a\ntools: Read\n---\nBody'],
  ['a key that is glued to the opener', '---name: a\ntools: Read\n---\nBody'],
  ['marks that are not seen', '\u200B\uFEFF---)\u00A0\nname: a\n"tools": Read\n---\nBody'],
  ['no opener at all', 'name: a\ntools: Read\n---\nBody'],
  ['the fences of TOML', '+++\nname = "a"\ntools = "Read"\n+++\nBody'],
  ['a file in a block of code', '```markdown\n---\nname: a\ntools: Read\n---\nBody\n```'],
  ['Windows line ends', '----\r\n----\r\nname: a\r\ntools: Read\r\n---\r\nBody'],
  ['no closer', '---)\nname: a\n\n  tools: Read\n'],
])('finds the keys behind %s', (_, text) => {
  expect(keys(text)).toEqual(['name', 'tools'])
})

test.each([
  ['a heading above a line', 'Reviewer\n---\ntools: all of them\n'],
  ['a paragraph that begins like a key', 'Tools: use what you need.\n\nMore text.\n---\n'],
  ['a list', '- tools: hammer\n- more\n\nText\n'],
  ['a block of code', '```yaml\ntools: Read\n```\nText\n'],
  ['a rule of stars', '***\n\ntools: Read\n\n***\n'],
  ['a heading with a word', '# Tools\n\ntools: Read\n'],
  ['nothing', ''],
])('finds none in %s', (_, text) => {
  expect(keys(text)).toEqual([])
})

test('what follows the closer is no key', () => {
  expect(keys('----\n----\nname: a\n---\ntools: Read\n')).toEqual(['name'])
})
