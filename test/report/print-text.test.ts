/** Tables on terminals: what gives way where there is little room. */
import { expect, test } from 'vitest'
import { badge, path, type Table, table, words } from '../../src/report/document.ts'
import { createStyle, tableLines } from '../../src/report/print-text.ts'

function linesOf([one]: readonly Table[], columns: number): string[] {
  return one === undefined ? [] : tableLines(one, { style: createStyle(false), columns })
}

const agents = (name: string) =>
  table(
    ['', 'Agent', 'Output', 'Score', 'Gaps'],
    [[badge('good', '+'), words(name), path(`.opencode/agents/${name}.md`), '7 %', '1 gap']],
    [
      { fit: 'mark' },
      { fit: 'name', least: 4, most: () => 32 },
      { fit: 'rest', least: 12, reserve: 26 },
      { fit: 'fixed', least: 5, align: 'end' },
      { fit: 'fixed', align: 'end', from: 36 },
    ],
  )

test('the rest has what is left, and a path loses its beginning', () => {
  expect(linesOf(agents('coder'), 60)).toEqual(['  + coder  .opencode/agents/coder.md              7 %  1 gap'])
  expect(linesOf(agents('coder'), 40)).toEqual(['  + coder  …gents/coder.md    7 %  1 gap'])
})

test('narrow lines leave out what is least important', () => {
  expect(linesOf(agents('coder'), 35)).toEqual(['  + coder  …/agents/coder.md    7 %'])
  expect(linesOf(agents('coder'), 22)).toEqual(['  + coder    7 %'])
})

test('a long name has a line of its own where it fits there', () => {
  const name = 'an-agent-with-a-name-of-far-more-than-32-characters'
  expect(linesOf(agents(name), 60)[0]).toBe(`  + ${name}`)
  expect(linesOf(agents(name), 40)).toEqual([`  + ${name.slice(0, 21)}…    7 %  1 gap`])
})

test('a reason is wrapped in its column, or below where that is too narrow', () => {
  const gaps = table(
    ['Feature', 'Agents', 'Why'],
    [['hooks', '2 agents', 'the target has none of them, and nothing that comes near']],
    [{ fit: 'name' }, { fit: 'fixed', align: 'end' }, { fit: 'rest', least: 24, long: 'wrap' }],
  )
  expect(linesOf(gaps, 50)).toEqual([
    '  hooks  2 agents  the target has none of them,',
    '                   and nothing that comes near',
  ])
  expect(linesOf(gaps, 30)).toEqual([
    '  hooks  2 agents',
    '    the target has none of',
    '    them, and nothing that',
    '    comes near',
  ])
})

test('a table without a layout has a head', () => {
  expect(linesOf(table(['Name', 'Size', 'Why'], [['one', '12', 'because']]), 40)).toEqual([
    '  Name  Size  Why',
    '  one   12    because',
  ])
})
