/** Regular expressions as wildcards: what each wildcard matches is compared with the expression itself. */
import { describe, expect, test } from 'vitest'
import { matchesPattern } from '../../../src/model/access/patterns.ts'
import { regexOf, wildcardsOf } from '../../../src/model/access/regex-patterns.ts'

const texts = [
  ...['a.md', 'docs/a.md', 'docs/a.mdx', 'a.md.txt', 'amd', 'README.md', 'src/x.ts', 'src/x.tsx', 'src/x.test.ts'],
  ...['docs/', 'docs', 'git', 'git status', 'git push origin', 'gitk', 'rm -rf x', 'npm run build', ''],
]

function matching(source: string, whole: boolean): string[] {
  const regex = new RegExp(whole ? `^(?:${source})$` : source)
  return texts.filter((text) => regex.test(text))
}

describe('an expression and its wildcards match the same', () => {
  test.each([
    ['\\.md$', false],
    ['\\.(md|mdx)$', false],
    ['\\.tsx?$', false],
    ['^docs/.*\\.md$', false],
    ['^docs/', false],
    ['(README|CHANGELOG)\\.md$', false],
    ['^src/.+\\.(?:test\\.)?ts$', false],
    ['\\.md$|^docs/', false],
    ['.*', false],
    ['git status', true],
    ['git( .*)?', true],
    ['npm run .+', true],
    ['\\Agit status\\z', true],
  ] as const)('%s', (source, whole) => {
    const wildcards = wildcardsOf(source, whole)
    expect(wildcards).not.toBeNull()
    const plain = source.replace('\\A', '^').replace('\\z', '$')
    const matched = texts.filter((text) => wildcards?.some((one) => matchesPattern('wildcard', one, text)))
    expect(matched).toEqual(matching(plain, whole))
  })
})

test.each([
  '[a-z]+',
  '\\w+',
  '(?!x)y',
  '(a',
  'a)',
  'a{2}',
  '(a+)+$',
  'git .*',
  'a**',
  '\\',
  '(?<n>a)',
  '(a|b){3}',
  'x,y',
])('%s has none, and is not guessed', (source) => expect(wildcardsOf(source, true)).toBeNull())

test.each(['\\Agit', 'git\\z', '\\\\Agit', '\u0001git', 'git\u0002', '\\\u0001git'])(
  '%j is not anchored by what programs read as letters or as controls',
  (source) => expect(wildcardsOf(source, false)).toBeNull(),
)

test('an escaped backslash before a letter is no anchor', () => expect(wildcardsOf('\\\\Agit', true)).toBeNull())

test('an expression with very many alternatives is left alone, and a deep one too', () => {
  expect(wildcardsOf('(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)', false)).toBeNull()
  expect(wildcardsOf(`${'('.repeat(20_000)}a`, false)).toBeNull()
  expect(wildcardsOf('a?'.repeat(20_000), false)).toBeNull()
})

test.each(['*.md', 'docs/*', 'a?b.c', 'git *', '*', 'x(y)+[z]'])('%s comes back from its expression', (wildcard) => {
  const regex = new RegExp(regexOf([wildcard]))
  const samples = [...texts, 'a_b.c', 'a_bxc', 'x(y)+[z]', 'docs/a/b']
  expect(samples.filter((one) => regex.test(one))).toEqual(
    samples.filter((one) => matchesPattern('wildcard', wildcard, one)),
  )
})
