/** What the terminal shows: results first, never wider than the terminal, and cheap for thousands. */
import { describe, expect, test } from 'vitest'
import type { Conversion } from '../../../src/model/conversion.ts'
import { createConversionTally, type TallyOptions } from '../../../src/report/conversion/summary.ts'
import { displayWidth } from '../../../src/report/layout.ts'
import { createStyle } from '../../../src/report/print-text.ts'
import { conversion, gap, hostile, hostileConversion, perfect, refused } from './samples.ts'

const titles: Record<string, string> = { opencode: 'OpenCode', codex: 'Codex CLI' }
const titleOf = (id: string) => titles[id] ?? id

function linesOf(all: readonly Conversion[], columns = 80, options: TallyOptions = {}, colored = false): string[] {
  const tally = createConversionTally()
  for (const one of all) tally.add(one)
  return tally.lines(createStyle(colored), columns, { titleOf, ...options })
}

const failed = (name: string) =>
  conversion({
    name,
    status: 'failed',
    diagnostics: [
      {
        code: 'same-output',
        severity: 'error',
        message: `${name} and x would both become y.`,
        path: 'p',
        line: 1,
        column: 1,
      },
    ],
  })

test('shows a block for each target', () => {
  const all = [
    conversion(),
    perfect('fine', { status: 'unchanged' }),
    refused('builder', ['shell', 'write']),
    refused('tester', ['shell']),
    refused('writer', ['shell']),
  ]
  expect(linesOf(all)).toEqual([
    'OpenCode',
    '  ✓ reviewer  .opencode/agents/reviewer.md                           71 %  1 gap',
    '  = fine      .opencode/agents/fine.md                              100 %',
    '',
    '2 agents: 1 written, 1 unchanged; mean fidelity 86 %.',
    '',
    'What did not carry over',
    '  SendMessage  1 agent  left as a TODO  has no such tool',
    '',
    'No longer asks before: read (reviewer): the mode of a session decided, and',
    '`--keep-asking` writes `ask`',
    'Can no longer: some shell calls (reviewer): no shell there',
    '',
    'Codex CLI',
    '  ✗ builder  would gain shell, write                                       100 %',
    '  ✗ tester   would gain shell                                              100 %',
    '  ✗ writer   would gain shell                                              100 %',
    '',
    '3 agents: 3 refused; mean fidelity 100 %.',
    '',
    '3 agents refused: they could do more than their definitions allow',
    '  shell         2 agents  tester, writer',
    '  shell, write   1 agent  builder',
    '  Codex CLI cannot restrict the tools of an agent',
    '  Accept it with --allow-widening=shell,write, or run it as the main session.',
    '',
    '`--report DIR` writes a migration guide; `--json` lists every feature.',
  ])
})

test('keeps the order that was asked for', () => {
  const all = [refused('a', ['shell']), perfect('b')]
  const blocks = (targets: string[]) =>
    linesOf(all, 80, { targets }).filter((line) => /^(OpenCode|Codex CLI)$/.test(line))
  expect(blocks(['opencode', 'codex'])).toEqual(['OpenCode', 'Codex CLI'])
  expect(blocks([])).toEqual(['Codex CLI', 'OpenCode'])
})

test('says what a dry run would do', () => {
  const lines = linesOf([perfect('a', { status: 'planned' })], 80, { dryRun: true })
  expect(lines[0]).toBe('OpenCode (dry run)')
  expect(lines).toContain('1 agent: 1 planned; mean fidelity 100 %.')
  expect(lines.at(-2)).toContain('Dry run: nothing was written.')
})

test('gives no advice that was followed already', () => {
  expect(linesOf([perfect('a')], 80, { reported: true }).join('\n')).not.toContain('--report')
})

test('shows of many agents only those that need a look', () => {
  const many = Array.from({ length: 60 }, (_, index) => perfect(`fine-${index}`))
  const weak = Array.from({ length: 35 }, (_, index) => conversion({ name: `weak-${index}` }))
  const lines = linesOf([...many, ...weak, failed('broken')])
  expect(lines[1]).toContain('✗ broken')
  expect(lines.filter((line) => line.includes('.opencode/agents/'))).toHaveLength(29)
  expect(lines).toContain('  ... and 6 more. 60 agents with high fidelity are not listed.')
  expect(lines).toContain('  broken')
  expect(lines).toContain('  broken and x would both become y.')
  expect(linesOf(many).filter((line) => line.includes('fine-'))).toEqual([])
  expect(linesOf(many.slice(0, 40)).filter((line) => line.includes('fine-'))).toHaveLength(40)
})

test('gathers gaps by class, the most frequent first, at most twelve', () => {
  const all = Array.from({ length: 14 }, (_, index) =>
    conversion({
      name: `a${index}`,
      gaps: [gap({ feature: 'common', resolution: index < 4 ? 'omit' : 'todo' }), gap({ feature: `rare ${index}` })],
    }),
  )
  const lines = linesOf(all)
  const start = lines.indexOf('What did not carry over')
  expect(lines[start + 1]).toBe('  common   14 agents  10 left as a TODO, 4 left out  has no such tool')
  expect(lines[start + 13]).toBe('  ... and 3 more')
})

test('names what was widened with leave', () => {
  const written = refused('a', ['shell'], { status: 'written', diagnostics: [] })
  expect(linesOf([written]).join('\n')).toContain('Can do more, as accepted: shell (a)')
})

test('adds up for programs', () => {
  const tally = createConversionTally()
  for (const one of [conversion(), perfect('a'), refused('b', ['shell']), failed('c')]) tally.add(one)
  expect(tally.summary()).toEqual({
    agents: 4,
    written: 2,
    unchanged: 0,
    planned: 0,
    refused: 1,
    failed: 1,
    fidelity: 86,
    widened: 1,
    gaps: 2,
  })
  expect(createConversionTally().summary()).toMatchObject({ agents: 0, fidelity: 0 })
  expect(createConversionTally().lines(createStyle(false), 80)).toEqual(['There are no agents to convert.'])
})

describe('whatever a file says and however narrow the terminal is', () => {
  const all = [
    ...hostile.map((text) => hostileConversion(text)),
    ...hostile.map((text) => hostileConversion(text, { status: 'refused' })),
    ...hostile.map((text) => hostileConversion(text, { status: 'failed' })),
    ...hostile.map((text) => hostileConversion(text, { target: { harness: text, name: text, files: [text, text] } })),
    refused('builder', ['shell', 'write', 'mcp:a-very-long-server-name-that-goes-on']),
  ]
  const isNotForCopying = (line: string) => !line.includes('--allow-widening=')
  test.each([20, 33, 40, 60, 80, 120, 200])('fits into %d columns', (columns) => {
    for (const some of [all, all.slice(0, 5), all.slice(-1), [conversion(), failed('x')]]) {
      for (const line of linesOf(some, columns).filter(isNotForCopying)) {
        expect([line, displayWidth(line) <= columns]).toEqual([line, true])
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      }
      const colored = linesOf(some, columns, { dryRun: true }, true)
      const bare = colored.map((line) => line.replace(/\u001b\[\d+m/g, ''))
      for (const line of bare.filter(isNotForCopying))
        expect([line, displayWidth(line) <= columns]).toEqual([line, true])
      for (const line of bare) expect(line).not.toContain('\u001b')
    }
  })
})

test('sums up ten thousand agents on one screen', () => {
  const tally = createConversionTally()
  for (let index = 0; index < 10_000; index++) {
    tally.add(conversion({ name: `agent-${index}`, gaps: [gap({ feature: `feature ${index % 50}` })] }))
  }
  expect(tally.lines(createStyle(false), 80).length).toBeLessThan(80)
})

test.each([20, 40, 80])('what is to be copied and why something is missing are whole in %d columns', (columns) => {
  const capabilities = ['shell', 'write', 'mcp:a-very-long-server-name', 'mcp:another-very-long-server-name']
  const reason = 'OpenCode has no such tool, and nothing that would come near to it in any of its versions so far'
  const feature = 'a-feature-with-a-name-of-more-than-28-characters'
  const text = linesOf([refused('a', capabilities), conversion({ gaps: [gap({ feature, reason })] })], columns).join(
    '\n',
  )
  expect(text).toContain(`--allow-widening=${capabilities.join(',')}`)
  expect(text.replace(/\s+/g, ' ')).toContain(reason.replace('OpenCode ', ''))
  if (columns > 60) expect(text).toContain(feature)
})

test('says what is asked about now, and how to take it back', () => {
  const narrowed = [{ capability: 'shell', pattern: null, before: 'allow' as const, after: 'ask' as const }]
  const asking = conversion({ access: { ...conversion().access, unasked: [], narrowed } })
  const lines = linesOf([asking], 80, { undo: 'troupe undo --out there' })
  expect(lines.join('\n')).toContain('Now asks before: shell (reviewer)')
  expect(lines.join('\n')).toContain('`troupe undo --out there` reverts this run.')
  const both = linesOf([perfect('a', { status: 'planned' })], 80, { dryRun: true, reported: true })
  expect(both.at(-1)).toBe('Dry run: no agent was written.')
})

test.each([80, 120])('names of agents are whole in %d columns', (columns) => {
  const name = 'an-agent-with-a-name-of-far-more-than-28-characters'
  const lines = linesOf([conversion({ name }), refused(name, ['shell']), failed(name)], columns)
  const isRow = (line: string) => /^ {2}[✓✗] an-agent/.test(line)
  expect(lines.filter(isRow).map((line) => line.includes(name))).toEqual([true, true, true])
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
})
