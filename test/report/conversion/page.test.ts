/** The page: whole, alone, the same every time, and only text where files speak. */
import { describe, expect, test } from 'vitest'
import { conversionHtml } from '../../../src/report/conversion/page.ts'
import { context, conversion, hostile, hostileConversion, perfect, refused } from './samples.ts'

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g
const empty = new Set(['meta'])
/** Everything the page is made of. */
const known = new Set(
  'html head meta title style body header main footer nav section div span p a b i strong h1 h2 h3 h4 h5 ul ol li dl dt dd table thead tbody tr th td details summary code pre'.split(
    ' ',
  ),
)

/** Every "<" begins a tag of ours, and every tag is closed in its turn. */
function expectWhole(page: string): void {
  const body = page.replace(/^<!doctype html>\n/, '').replace(/<style>[^<]*<\/style>/, '')
  expect(body.replace(TAG, '')).not.toMatch(/[<>]/)
  const open: string[] = []
  for (const [tag, slash, name = ''] of body.matchAll(TAG)) {
    expect(known).toContain(name)
    if (empty.has(name)) continue
    if (slash === '') open.push(name)
    else expect([tag, open.pop()]).toEqual([tag, name])
  }
  expect(open).toEqual([])
}

/** No attribute but those the page needs, and none that a file can fill but the label of a cell. */
function expectHarmless(page: string): void {
  const names = [...page.matchAll(TAG)].flatMap(([, , , all = '']) =>
    all
      .replace(/="[^"]*"/g, '')
      .trim()
      .split(' '),
  )
  const attributes = new Set(names.filter((name) => name !== ''))
  const allowed = ['lang', 'charset', 'name', 'content', 'http-equiv', 'class', 'id', 'href', 'style', 'title', 'scope']
  for (const one of attributes) expect([...allowed, 'role', 'aria-label', 'aria-hidden', 'data-label']).toContain(one)
  for (const [, address] of page.matchAll(/ href="([^"]*)"/g)) expect(address).toMatch(/^#t\d+(-\d+)?$/)
  for (const [, style] of page.matchAll(/ style="([^"]*)"/g))
    expect(style).toMatch(/^(width:\d+%|flex:\d+|--score:\d+)$/)
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
  expect(page).toContain('<h4>Frontmatter mappings</h4>')
  expect(page).toContain('<h3>Platform comparison</h3>')
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
  expect(large.match(/<h4>Frontmatter mappings/g)).toHaveLength(1)
  for (const [, id] of large.matchAll(/href="#([^"]+)"/g)) expect(large).toContain(` id="${id}"`)
})

test('says so where there is nothing', () => {
  const none = conversionHtml([], context)
  expectWhole(none)
  expect(none).toContain('There was no agent to convert.')
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
    const harnesses = [{ id: text, title: text, checkedVersion: text, checkedDate: text }]
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
