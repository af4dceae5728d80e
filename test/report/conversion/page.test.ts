/** The page: whole, alone, the same every time, and only text where files speak. */
import { describe, expect, test } from 'vitest'
import type { Conversion } from '../../../src/model/conversion.ts'
import { guideDocument } from '../../../src/report/conversion/guide.ts'
import type { ReportContext } from '../../../src/report/conversion/run.ts'
import { pageStyle } from '../../../src/report/page-style.ts'
import { printHtml } from '../../../src/report/print-html.ts'
import { expectHarmless, expectWhole } from './html-checks.ts'
import { context, conversion, hostile, hostileConversion, perfect, refused } from './samples.ts'

function conversionHtml(conversions: readonly Conversion[], given: ReportContext): string {
  return printHtml(guideDocument({ ...given, conversions }), pageStyle)
}

const all = [conversion(), perfect('fine'), refused('builder', ['shell', 'mcp:*'])]
const page = conversionHtml(all, context)

test('is whole and needs nothing else', () => {
  expectWhole(page)
  expectHarmless(page)
  expect(page).not.toMatch(/https?:|<script|<link|@import|url\(/)
  expect(page).toContain("default-src 'none'")
  expect(page).toContain('prefers-color-scheme: dark')
})

test('shows figures, agents, gaps and details', () => {
  expect(page).toContain('<h1>Claude Code to OpenCode and Codex CLI</h1>')
  expect(page).toContain('<b>2</b><span>written</span>')
  expect(page).toContain('<b>1</b><span>refused or failed</span>')
  expect(page).toContain('would gain shell, mcp:*')
  expect(page).toContain('style="width:71%"')
  expect(page).toContain('<h3>What did not carry over</h3>')
  expect(page).toContain('<h4>Frontmatter Mappings</h4>')
  expect(page).toContain('<h3>Platform Comparison</h3>')
  expect(page).not.toContain('sk-1')
  for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(` id="${id}"`)
})

test('is the same every time', () => {
  expect(conversionHtml(structuredClone(all), structuredClone(context))).toBe(page)
})

test('shows of many agents the worst first, and all on request', () => {
  const many = Array.from({ length: 250 }, (_, index) => perfect(`agent-${index}`))
  const large = conversionHtml([...many, conversion({ name: 'weak' })], context)
  expectWhole(large)
  expect(large.indexOf('>weak<')).toBeLessThan(large.indexOf('>agent-0<'))
  expect(large).toContain('All 251 agents')
  expect(large).toContain('250 agents of 251 carried over with every feature unchanged')
  expect(large.match(/>Agent: /g)).toHaveLength(1)
  for (const [, id] of large.matchAll(/href="#([^"]+)"/g)) expect(large).toContain(` id="${id}"`)
})

test('says so where there is nothing', () => {
  const none = conversionHtml([], context)
  expectWhole(none)
  expect(none).toContain('There are no agents to convert.')
})

describe('whatever a file says', () => {
  test.each(hostile.map((text) => [text.slice(0, 40), text]))('%j stays text', (_, text) => {
    const nasty = [
      hostileConversion(text),
      hostileConversion(text, { status: 'refused' }),
      hostileConversion(text, { status: 'failed' }),
      hostileConversion(text, { target: { harness: text, name: text, files: [] } }),
    ]
    const facts = [{ capability: text, source: text, target: text, status: 'partial' as const }]
    const harnesses = [{ id: text, title: text, isFormat: false, checkedVersion: text, checkedDate: text }]
    const result = conversionHtml(nasty, {
      version: text,
      harnesses: [...context.harnesses, ...harnesses],
      generated: text,
      sourceCommit: text,
      setup: { opencode: [text] },
      comparison: { opencode: facts, [text]: facts },
      accepted: [{ target: 'opencode', capability: `mcp:${text}`, reason: text }],
    })
    expectWhole(result)
    expectHarmless(result)
    expect(result).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  })
})
