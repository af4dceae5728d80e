/** docs/requirements.md: every number once and in order, and every test that it names is there. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const counts: Readonly<Record<string, number>> = { C: 27, O: 11, H: 13, P: 10 }

interface Row {
  readonly file: string
  readonly requirement: string
  readonly title: string | null
}

/** The last cell of a row names a test: a file, and perhaps a title in it. */
function rowsOf(path: string): Row[] {
  const rows: Row[] = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const cells = line.split(' | ')
    const named = /^`(test\/[^`]+)`(?: "([^"]+)")? \|$/.exec(cells.at(-1) ?? '')
    if (named === null) continue
    rows.push({ requirement: cells.slice(0, -2).join(' '), file: named[1] ?? '', title: named[2] ?? null })
  }
  return rows
}

const rows = rowsOf('docs/requirements.md')

test('every row of a table names a test', () => {
  const lines = readFileSync('docs/requirements.md', 'utf8').split('\n')
  const body = lines.filter((line) => line.startsWith('|') && !/^\|(---|.*\| test \|$)/.test(line))
  expect(rows).toHaveLength(body.length)
})

test.each(Object.entries(counts))('%s1 to %s%i', (letter, count) => {
  const wanted = Array.from({ length: count }, (_, at) => `${letter}${at + 1}`)
  const found = rows.map(({ requirement }) => /^\| ([A-Z]\d+) /.exec(requirement)?.[1] ?? '')
  expect(found.filter((number) => number.startsWith(letter))).toEqual(wanted)
})

describe.each(['docs/requirements.md', 'docs/work.md'])('%s', (path) => {
  test.each(rowsOf(path))('$requirement: $file', ({ file, title }) => {
    expect(existsSync(file)).toBe(true)
    // Titles that are filled in from a table begin alike.
    if (title !== null) expect(readFileSync(file, 'utf8')).toContain(title)
  })
})
