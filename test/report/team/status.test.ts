/** The status of a workplace in plain lines: within the width, equal rows once, and what is left out is said. */
import { expect, test } from 'vitest'
import { displayWidth } from '../../../src/report/layout.ts'
import { createStyle } from '../../../src/report/print-text.ts'
import { narrateRecord, workStatusText } from '../../../src/report/team/status.ts'
import { foldRecords } from '../../../src/team/state/state.ts'
import { contentOf, died, finished, question, working } from './sample.ts'

const names = Array.from({ length: 40 }, (_, index) => `agent-number-${index}`)
const long = 'a task that is longer than any line of a terminal may be, in 日本語 too, and goes on and on and on'

const { head, overview } = contentOf({
  agents: names,
  records: [
    ...names.slice(0, 12).flatMap((name, index) => working(`w${index}`, name, long)),
    ...names.slice(0, 12).map((name, index) => question(`q${index}`, name, `to use ${long}`, `w${index}.1`)),
    ...[1, 2, 3].flatMap((index) => died(`d${index}`, 'agent-number-20', `task ${index}`, 'no key')),
    ...Array.from({ length: 250 }, (_, index) => finished(`f${index}`, 'agent-number-30', `job ${index}`)).flat(),
  ],
})

test.each([60, 80, 100, 120])('fits %i columns, commands whole', (columns) => {
  const lines = workStatusText(head, overview, { style: createStyle(false), columns })
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
  expect(lines).toContain('    `troupe work answer q11 yes|no`')
  expect(lines).toContain('  5 more: `troupe work status --watch` shows all')
  expect(lines.at(-1)).toBe('  65 earlier handoffs: `troupe work log` shows all messages')
  expect(lines.slice(0, 2).join(' ')).toContain('12 open, 250 done, 3 dead, cost 64.00')
})

test('equal rows are one, with a command for the latest', () => {
  const records = [1, 2, 3].flatMap((index) => died(`d${index}`, 'ada', `task ${index}`, 'no key'))
  const { head, overview } = contentOf({ records })
  const lines = workStatusText(head, overview, { style: createStyle(false), columns: 80 })
  expect(lines).toContain('  ✗ ada  dead letter  3 x no key')
  expect(lines).toContain('    the latest: `troupe work resume d3`')
})

test('an event is one line, but a reason is whole', () => {
  const why = `it was not started: ${'in its harness it would differ from its definition, '.repeat(4)}so mend it`
  const records = [...working('w', 'ada', long), ...died('d', 'ben', long, why)]
  const state = foldRecords(records)
  const said = records.map((record) => narrateRecord(record, state, null, { style: createStyle(false), columns: 60 }))
  const lines = said.flatMap((text) => text?.split('\n') ?? [])
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(60)
  expect(said.find((text) => text?.startsWith('user \u2192 ada'))).toMatch(/^[^\n]+…$/)
  expect(said.find((text) => text?.startsWith('ben dead letter:'))?.replaceAll('\n ', '')).toContain(why)
})
