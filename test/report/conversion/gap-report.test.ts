/** GAP-REPORT.md: by severity and class, and its variants. */
import { describe, expect, test } from 'vitest'
import type { Conversion } from '../../../src/model/conversion.ts'
import { gapDocument } from '../../../src/report/conversion/gap-report.ts'
import type { ReportContext } from '../../../src/report/conversion/run.ts'
import { printMarkdown } from '../../../src/report/print-markdown.ts'
import { expectNoAutolinks, expectOnlyOurs, expectWholeTables, headingsOf } from './markdown-checks.ts'
import { context, conversion, gap, hostile, hostileConversion, perfect, refused } from './samples.ts'

function gapReport(conversions: readonly Conversion[], given: ReportContext): string {
  return printMarkdown(gapDocument({ ...given, conversions }))
}

const high = gap({ type: 'composition-unavailable', feature: 'path: ${ROOT}/x', severity: 'high', workaround: null })
const low = gap({ type: 'field-unsupported', feature: 'color', severity: 'low', resolution: 'omit', decidedBy: 'flag' })

test('has the sections in their order', () => {
  const report = gapReport([conversion({ gaps: [high, gap(), low] })], context)
  expect(headingsOf(report)).toEqual([
    '1 Gap Report: Claude Code to OpenCode',
    '2 Summary',
    '2 Impact Assessment',
    '2 Resolution Breakdown',
    '2 Gaps by Severity',
    '3 High',
    '4 path: ${ROOT}/x',
    '3 Medium',
    '4 SendMessage',
    '3 Low',
    '4 color',
    '2 Platform Comparison',
  ])
  expect(report).toContain('| High | 1 | ')
  expect(report).toContain('3 gaps in 3 classes.')
  expect(report).toContain('| todo | 2 | 2 | 0 |')
  expect(report).toContain('| omit | 1 | 0 | 1 |')
  expect(report).toContain(
    '| `reviewer` (`.claude/agents/reviewer.md:7`) | tool-missing: a tool the target does not have | todo | auto |',
  )
  expect(report).toContain('**Why:** OpenCode has no such tool.')
  expect(report).toContain('**Suggested workaround:** a note in a file.')
  expect(report).toContain('1. Find the comment in the converted agents: search for `TODO` and `SendMessage`.')
  expect(report).toContain('| Skills | skills | a tool | Partial |')
  expectOnlyOurs(report)
  expectWholeTables(report)
})

test('says so where there is no gap', () => {
  const report = gapReport([perfect('a')], context)
  expect(report).toContain('No gaps: everything in the agent has an equivalent')
  expect(headingsOf(report)).toEqual(['1 Gap Report: Claude Code to OpenCode', '2 Summary', '2 Platform Comparison'])
  expect(gapReport([], context)).toContain('There are no agents to convert.')
})

test('warns where every gap is grave', () => {
  expect(gapReport([conversion({ gaps: [high] })], context)).toContain('**Every gap is of high severity.**')
  expect(gapReport([conversion({ gaps: [high, low] })], context)).not.toContain('Every gap is')
})

test('tells three of a kind once', () => {
  const two = [conversion({ name: 'a' }), conversion({ name: 'b' })]
  expect(headingsOf(gapReport(two, context))).toContain('4 SendMessage')
  const other = gap({ reason: 'another reason', resolution: 'omit', decidedBy: 'user' })
  const report = gapReport([...two, conversion({ name: 'c', gaps: [other] })], context)
  expect(headingsOf(report)).toContain('4 SendMessage (3 agents)')
  expect(report).toContain('| `a` and `b` | tool-missing: a tool the target does not have | todo | auto |')
  expect(report).toContain('| `c` | tool-missing: a tool the target does not have | omit | user-chosen |')
  expect(report).toContain('(1 agent differs in the details.)')
})

test('keeps several targets apart', () => {
  const report = gapReport([conversion(), refused('builder', ['shell'], { gaps: [low] })], context)
  expect(headingsOf(report).filter((line) => line.startsWith('2 '))).toEqual(['2 OpenCode', '2 Codex CLI'])
  expect(report).toContain('- Not written, because they could do more than their definitions allow: `builder`.')
})

describe('whatever a file says', () => {
  test.each(hostile.map((text) => [text.slice(0, 40), text]))('%j stays text', (_, text) => {
    const facts = { opencode: [{ capability: text, source: text, target: text, status: 'partial' as const }] }
    const three = [hostileConversion(text), hostileConversion(text), hostileConversion(text, { status: 'failed' })]
    for (const all of [three, three.slice(0, 1)]) {
      const report = gapReport(all, { ...context, comparison: facts })
      expectOnlyOurs(report)
      expectWholeTables(report)
      expectNoAutolinks(report)
      expect(headingsOf(report)).toHaveLength(10)
    }
  })
})
