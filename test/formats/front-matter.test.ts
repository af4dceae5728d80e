/** Where front matter begins and ends, in files as people write them. */
import { describe, expect, it, test } from 'vitest'
import { applyFixes } from '../../src/formats/edit/edits.ts'
import { keysInHead, splitFrontMatter } from '../../src/formats/front-matter.ts'

function cut(text: string) {
  const { yaml, body, open, close, indent, findings } = splitFrontMatter(text)
  const slice = (range: { start: number; end: number } | null) => range && text.slice(range.start, range.end)
  return {
    yaml: slice(yaml),
    body: slice(body),
    open: slice(open),
    close: slice(close),
    indent,
    codes: findings.map(({ code }) => code),
    fixed: applyFixes(text, findings).text,
  }
}

describe('cutFrontMatter', () => {
  it('cuts between the first two fences', () => {
    expect(cut('---\nname: a\n---\nBody\n---\nmore\n')).toMatchObject({
      yaml: 'name: a\n',
      body: 'Body\n---\nmore\n',
      open: '---',
      close: '---',
      codes: [],
    })
  })

  it('leaves a second block in the body', () => {
    expect(cut('---\na: 1\n---\n---\nb: 2\n---\n')).toMatchObject({ yaml: 'a: 1\n', body: '---\nb: 2\n---\n' })
  })

  it.each([
    '',
    'Just text\n---\na: 1\n---\n',
    '\n\n',
    '--\nText\n--\n',
    '----\nSome text: more\n',
    '-----\n\nName\n----\n',
    '--- a\n---\n',
  ])('sees no front matter in %j', (text) => {
    expect(cut(text)).toMatchObject({ yaml: null, body: text, open: null, close: null, codes: [] })
  })

  it.each(['----', '--', '—', '-----'])('takes %s for a fence where a key follows', (fence) => {
    expect(cut(`${fence}\ntools: a\n---\nBody`)).toMatchObject({
      yaml: 'tools: a\n',
      body: 'Body',
      codes: ['odd-fence'],
    })
    expect(cut(`${fence}\ntools: a\nBody`)).toMatchObject({ yaml: null, codes: ['unclosed-front-matter'] })
  })

  it('accepts CRLF and white space behind a fence', () => {
    expect(cut('--- \t\r\na: 1\r\n---  \r\nBody')).toMatchObject({ yaml: 'a: 1\r\n', body: 'Body', codes: [] })
  })

  it('accepts a lone CR behind the last fence', () => {
    expect(cut('---\na: 1\n---\r')).toMatchObject({ yaml: 'a: 1\n', body: '', close: '---', codes: [] })
  })

  it('accepts empty front matter', () => {
    expect(cut('---\n---\nBody')).toMatchObject({ yaml: '', body: 'Body', codes: [] })
  })

  it('skips a byte order mark', () => {
    expect(cut('\uFEFF---\na: 1\n---\nBody')).toMatchObject({ yaml: 'a: 1\n', body: 'Body', codes: [] })
    expect(cut('\uFEFFBody').body).toBe('Body')
  })

  it('skips blank lines above and offers to remove them', () => {
    const text = '\n  \n---\na: 1\n---\nBody'
    expect(cut(text)).toMatchObject({ yaml: 'a: 1\n', body: 'Body', codes: ['odd-fence'] })
    expect(cut(text).fixed).toBe('---\na: 1\n---\nBody')
    expect(cut(`\uFEFF${text}`).fixed).toBe('\uFEFF---\na: 1\n---\nBody')
  })

  it('reads a file that is indented as a whole', () => {
    const text = '\n    ---\n    a: 1\n  b: 2\n\n    ---\n    Body'
    expect(cut(text)).toMatchObject({
      yaml: '    a: 1\n  b: 2\n\n',
      body: '    Body',
      indent: '    ',
      codes: ['odd-fence'],
      fixed: '---\na: 1\nb: 2\n\n---\n    Body',
    })
  })

  it('does not take an indented rule for a fence', () => {
    expect(cut('---\na: |\n  ---\n  x\n---\nBody')).toMatchObject({ yaml: 'a: |\n  ---\n  x\n', body: 'Body' })
  })

  it('accepts a closer of many dashes under a telling key', () => {
    const text = '---\nname: a\n-------\nBody'
    expect(cut(text)).toMatchObject({ yaml: 'name: a\n', close: '-------', codes: ['odd-fence'] })
    expect(cut(text).fixed).toBe('---\nname: a\n---\nBody')
    expect(cut('---\nTitle\n-------\nBody')).toMatchObject({ yaml: null, codes: ['unclosed-front-matter'] })
  })

  it('prefers an exact closer further down', () => {
    expect(cut('---\nname: a\n-----\nb: 2\n---\nBody')).toMatchObject({ yaml: 'name: a\n-----\nb: 2\n', codes: [] })
  })

  it('accepts dots only where no dashes close', () => {
    const text = '---\na: 1\n...\nBody'
    expect(cut(text)).toMatchObject({ yaml: 'a: 1\n', close: '...', body: 'Body', codes: ['odd-fence'] })
    expect(cut(text).fixed).toBe('---\na: 1\n---\nBody')
    expect(cut('---\na: 1\n...\n---\nBody')).toMatchObject({ yaml: 'a: 1\n...\n', close: '---', codes: [] })
  })

  it('reports front matter that is never closed', () => {
    const text = '---\nname: a\nBody'
    expect(cut(text)).toMatchObject({ yaml: null, body: text, codes: ['unclosed-front-matter'] })
    expect(cut('---')).toMatchObject({ yaml: null, codes: ['unclosed-front-matter'] })
  })
})

/** Heads of files that look like front matter, and those that do not. */
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
