/** MIGRATION-GUIDE.md: its sections in their order, for one target and for several, and the comment at its end. */
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Conversion } from '../../../src/model/conversion.ts'
import { guideDocument } from '../../../src/report/conversion/guide.ts'
import type { ReportContext } from '../../../src/report/conversion/run.ts'
import { printMarkdown } from '../../../src/report/print-markdown.ts'
import { expectNoAutolinks, expectOnlyOurs, expectWholeTables, headingsOf } from './markdown-checks.ts'
import { context, conversion, gap, hostile, hostileConversion, perfect, refused } from './samples.ts'

function migrationGuide(conversions: readonly Conversion[], given: ReportContext): string {
  return printMarkdown(guideDocument({ ...given, conversions }))
}

const sections = [
  'In Short',
  'Conversion Fidelity',
  'Breakdown',
  'Platform Adapter Status',
  'Conversion Summary',
  'Per-Component Details',
  'Decisions Log',
  'Post-Conversion Steps',
  'File Renames',
  'Failed Writes',
  'Output Files',
]

const renamed = conversion({
  name: 'My Agent',
  target: { harness: 'opencode', name: 'my-agent', files: ['.opencode/agents/my-agent.md'] },
})
const one = [conversion(), renamed, refused('builder', ['shell'], { target: conversion().target })]

function metadataOf(guide: string) {
  const inside = /<!-- PORT-METADATA\n([\s\S]*)\nPORT-METADATA -->\n$/.exec(guide)?.[1]
  return parse(inside ?? '') as { components: Record<string, unknown>[]; targets: Record<string, unknown>[] }
}

describe('for one target', () => {
  const guide = migrationGuide(one, context)

  test('has the sections in their order', () => {
    const headings = headingsOf(guide)
    expect(headings[0]).toBe('1 Migration Guide: Claude Code to OpenCode')
    expect(headings.filter((line) => line.startsWith('2 ') || line === '3 Breakdown')).toEqual(
      sections.map((title) => `${title === 'Breakdown' ? 3 : 2} ${title}`),
    )
    expect(headings).toContain('3 Agent: reviewer')
    expectOnlyOurs(guide)
    expectWholeTables(guide)
  })

  test('says in its head what came of it', () => {
    expect(guide).toContain('- **Generated:** by Troupe 1.2.3\n- **Source:** Claude Code, 3 agents\n')
    expect(guide).toContain('- **Result:** 2 written, 1 refused; 2 gaps')
    expect(guide).toContain('| `reviewer` | agent | 71% | Yellow | 6 | 5 | 2 | 1 | 14 |')
    expect(guide).toContain('| `reviewer` | agent | `.claude/agents` | 71% | Yellow | written | 1 |')
    expect(guide).toContain('| OpenCode | `opencode` | 1.18.33 | 2026-11-02 |')
  })

  test('says what is left to do', () => {
    expect(guide).toContain('- [ ] 1 agent was refused: `shell` for `builder`. Codex CLI cannot restrict')
    expect(guide).toContain('- [ ] Finish `SendMessage` in `reviewer` and `My Agent`: OpenCode has no such tool')
    expect(guide).toContain('- [ ] Review `opencode.json`: Troupe set `agent.x.model` and `mcp.ctx`.')
    expect(guide).toContain('`troupe verify --harness opencode`')
    expect(guide).toContain('| `My Agent` | `my-agent` | `.opencode/agents/my-agent.md` |')
  })

  test('ends with the comment for programs', () => {
    const { components, targets } = metadataOf(guide)
    expect(targets).toEqual([
      { target_platform: 'opencode', target_platform_version: '1.18.33', adapter_version: '2026-11-02' },
    ])
    expect(components[0]).toEqual({
      source: '.claude/agents/reviewer.md',
      platform: 'opencode',
      target: ['.opencode/agents/reviewer.md'],
      status: 'written',
      fidelity: 71,
    })
  })

  test('has a date only where one was handed in', () => {
    expect(guide).not.toContain('port_date')
    const stamped = migrationGuide(one, { ...context, generated: '2026-11-15', sourceCommit: 'abc' })
    expect(stamped).toContain('- **Generated:** 2026-11-15, by Troupe 1.2.3')
    expect(stamped).toContain('port_date: "2026-11-15"')
    expect(stamped).toContain('source_commit: "abc"')
  })

  test('is the same every time', () => {
    expect(migrationGuide(structuredClone(one), structuredClone(context))).toBe(guide)
  })
})

test('has a section for each of several targets', () => {
  const guide = migrationGuide([conversion(), refused('builder', ['shell', 'mcp:*']), perfect('other')], context)
  const headings = headingsOf(guide)
  expect(headings[0]).toBe('1 Migration Guide: Claude Code to OpenCode and Codex CLI')
  expect(headings.filter((line) => line.startsWith('2 '))).toEqual(['2 In Short', '2 OpenCode', '2 Codex CLI'])
  expect(headings.filter((line) => line === '3 Per-Component Details')).toHaveLength(2)
  expect(headings).toContain('4 Agent: builder')
  expect(guide).toContain('| OpenCode | 86% | 2 written | 1 | 0 |')
  expect(guide).toContain('Codex CLI loads the agents of a project only when the project is trusted.')
})

test('keeps the order that was asked for', () => {
  const guide = migrationGuide([conversion(), refused('builder', ['shell'])], { ...context, targets: ['codex'] })
  expect(headingsOf(guide)[0]).toBe('1 Migration Guide: Claude Code to Codex CLI and OpenCode')
})

test('says so when nothing was lost', () => {
  expect(migrationGuide([perfect('a'), perfect('b')], context)).toContain('A clean conversion')
  expect(migrationGuide([perfect('a'), conversion()], context)).not.toContain('A clean conversion')
})

test('is condensed for more than 20 agents', () => {
  const many = Array.from({ length: 21 }, (_, index) => perfect(`agent-${index}`))
  const guide = migrationGuide([...many, conversion()], context)
  expect(guide).toContain('21 agents of 22 carried over with every feature unchanged and no gaps.')
  expect(headingsOf(guide).filter((line) => line.startsWith('3 Agent:'))).toEqual(['3 Agent: reviewer'])
  expect(guide).toContain('| `Write` | workaround | `Write` | `edit` | shares a switch |')
  expect(guide).not.toContain('Frontmatter Mappings')
})

test('logs decisions by who made them', () => {
  const decided = (name: string, decidedBy: 'user' | 'auto' | 'flag') =>
    conversion({ name, gaps: [gap({ decidedBy })] })
  const guide = migrationGuide(
    [decided('a', 'auto'), decided('b', 'user'), decided('c', 'flag'), decided('d', 'auto')],
    context,
  )
  expect(guide).toContain('### Chosen at the terminal')
  expect(guide).toContain('| 1 | `b` | `SendMessage` | todo | user-chosen | OpenCode has no such tool. |')
  expect(guide).toContain('| 2 | `c` | `SendMessage` | todo | user-chosen (flag) | OpenCode has no such tool. |')
  expect(guide).toContain('| 3 | `a` and `d` | `SendMessage` | todo | auto | OpenCode has no such tool. |')
})

test('names what was accepted, and why', () => {
  const written = refused('builder', ['shell'], { status: 'written', diagnostics: [] })
  const accepted = [{ target: 'codex', capability: 'shell', reason: 'our container has no network' }]
  expect(migrationGuide([written], { ...context, accepted })).toContain(
    '- `shell` for `builder`: our container has no network.',
  )
})

test('tells what belongs to no agent, even where there is none', () => {
  const problem = { code: 'unreadable-file', severity: 'error', message: 'cannot be read', line: 1, column: 1 } as const
  const diagnostics = [{ ...problem, path: 'x/agents' }]
  const guide = migrationGuide([], { ...context, diagnostics })
  expect(guide).toContain('There are no agents to convert.\n\n- `x/agents`: cannot be read.')
  const both = migrationGuide([conversion(), refused('a', ['shell'])], { ...context, diagnostics })
  expect(both.split('`x/agents`')).toHaveLength(2)
})

describe('whatever a file says', () => {
  const troubled = (text: string) => [
    hostileConversion(text),
    hostileConversion(text, { status: 'refused' }),
    hostileConversion(text, { status: 'failed' }),
    hostileConversion('plain'),
  ]
  const fine = Array.from({ length: 20 }, (_, index) => perfect(`a${index}`))
  const usual = headingsOf(migrationGuide(troubled('usual'), context)).length

  test.each(hostile.map((text) => [text.slice(0, 40), text]))('%j stays text', (_, text) => {
    const few = migrationGuide(troubled(text), context)
    const many = migrationGuide([...troubled(text), ...fine], context)
    for (const guide of [few, many]) {
      expectOnlyOurs(guide)
      expectWholeTables(guide)
      expectNoAutolinks(guide)
      expect(guide.split('PORT-METADATA -->')).toHaveLength(2)
      expect(metadataOf(guide).components).toHaveLength(guide === few ? 4 : 24)
    }
    expect(headingsOf(few)).toHaveLength(usual)
  })
})

test('says what is the same for several agents once, and leaves nothing out', () => {
  const names = ['one', 'two', 'three']
  const guide = migrationGuide(
    names.map((name) => conversion({ name })),
    context,
  )
  expect(guide.match(/^#+ Tool Transformations$/gm)).toHaveLength(1)
  expect(guide.match(/^- The same as for `one`: .*Tool Transformations.*Access.*Gaps Identified.*\.$/gm)).toHaveLength(
    2,
  )
  for (const name of names) expect(guide).toContain(`Agent: ${name}`)
  const other = migrationGuide([conversion({ name: 'one' }), conversion({ name: 'two', gaps: [] })], context)
  expect(other).toMatch(/Agent: two[^#]*The same as for `one`[^#]*\n#+ Gaps Identified\n\nNone\./)
})
