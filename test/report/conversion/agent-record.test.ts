/** The decision record: its tables and words, and nothing that a file could add to them. */
import { describe, expect, test } from 'vitest'
import type { Conversion } from '../../../src/model/conversion.ts'
import { agentRecord } from '../../../src/report/conversion/agent-record.ts'
import { printMarkdown } from '../../../src/report/print-markdown.ts'
import { expectNoAutolinks, expectOnlyOurs, expectWholeTables, headingsOf } from './markdown-checks.ts'
import { conversion, hostile, hostileConversion, refused } from './samples.ts'

const titleOf = (id: string) => (id === 'opencode' ? 'OpenCode' : 'Claude Code')

function markdownOf(given: Conversion): string {
  const record = agentRecord(given, { titleOf })
  return printMarkdown({ overline: 'Guide', title: 'one agent', lead: [], blocks: [record], foot: [] })
}

const record = markdownOf(conversion())

describe('a record', () => {
  test('begins with the agent, its places and its score', () => {
    expect(record.split('\n').slice(2, 7)).toEqual([
      '## Agent: reviewer',
      '',
      '**Source:** `.claude/agents/reviewer.md` (Claude Code)  ',
      '**Output:** `.opencode/agents/reviewer.md` (OpenCode, written)  ',
      '**Fidelity:** 71% (Yellow -- Moderate fidelity); fields 76, tools 57, body 73, skills 70, gaps 20',
    ])
  })

  test('has a section for everything that was decided', () => {
    expect(headingsOf(record)).toEqual([
      '1 Guide: one agent',
      '2 Agent: reviewer',
      '3 Frontmatter Mappings',
      '3 Tool Transformations',
      '3 Skills',
      '3 Body Transformations',
      '3 Access',
      '3 Gaps Identified',
      '3 Config File Entries',
    ])
    expectOnlyOurs(record)
    expectWholeTables(record)
  })

  test('says of every field what became of it', () => {
    expect(record).toContain('| Field | Source Value | Target Value | Status |')
    expect(record).toContain('| `name` | `reviewer` | `reviewer` | mapped |')
    expect(record).toContain('| `description` | `Reviews` | `comment in the prompt` | comment |')
    expect(record).toContain('| `mode` | `subagent` | `presence` | embedded |')
    expect(record).toContain('| `model` | `sonnet` | `opencode.json: agent.x` | config |')
    expect(record).toContain('| `skills` | `a, b` | N/A | inlined |')
    expect(record).toContain('| `hooks` | `{}` | N/A | gap |')
    expect(record).toContain('| `tools` | `Read, Write, SendMessage` | `permission: read, edit` | partial |')
    expect(record).toContain('- `hooks`: has no hooks')
  })

  test('says of every tool and pattern what became of it', () => {
    expect(record).toContain('| `Read` | `read` | direct |')
    expect(record).toContain('| `Write` | `edit` | partial |')
    expect(record).toContain('| `SendMessage` | N/A | gap |')
    expect(record).toContain('| Tool name: `Read` | 3 | Replaced with `read` |')
    expect(record).toContain('| Tool name: `SendMessage` | 1 | TODO comment |')
    expect(record).toContain('| Path: `CLAUDE.md` | 1 | Kept as it is |')
    expect(record).toContain('Changed lines of the source: 12.')
  })

  test('says what changed about access, and why', () => {
    expect(record).toContain('| `read` | offered | allowed | unasked |')
    expect(record).not.toContain('| same |')
    expect(record).toMatch(/^As before: .*`write`.* denied\. The target enforces this/m)
    expect(record).toContain('- `shell: git *`, asks before, denied now: no shell there')
  })

  test('says who decided about a gap', () => {
    expect(record).toContain('| `SendMessage` | medium | todo | auto |')
    const chosen = conversion({ gaps: conversion().gaps.map((one) => ({ ...one, decidedBy: 'user' })) })
    expect(markdownOf(chosen)).toContain('| `SendMessage` | medium | todo | user-chosen |')
    expect(markdownOf(conversion({ gaps: [] }))).toContain('### Gaps Identified\n\nNone.')
  })

  test('keeps secrets to itself', () => {
    expect(record).toContain('"env": {\n      "KEY": "(not shown)"')
    expect(record).not.toContain('sk-1')
    const from = '{"ctx":{"command":"npx","env":{"KEY":"sk-}2"},"headers":{"A":"sk-3'
    const field = { area: 'fields', feature: 'mcpServers', outcome: 'direct', from, to: from, line: 1 } as const
    const shown = markdownOf(conversion({ features: [field] }))
    expect(shown).toContain('"command":"npx"')
    expect(shown).not.toContain('sk-')
  })

  test('says why an agent was not written', () => {
    const lines = markdownOf(refused('builder', ['shell']))
    expect(lines).toContain('Not written. "builder" could do more in Codex CLI than its definition allows: shell.')
    expect(lines).toContain('--allow-widening=shell')
  })
})

describe('whatever a file says', () => {
  test.each(hostile.map((text) => [text.slice(0, 40), text]))('%j stays text', (_, text) => {
    const markdown = markdownOf(hostileConversion(text))
    expectOnlyOurs(markdown)
    expectWholeTables(markdown)
    expectNoAutolinks(markdown)
    expect(headingsOf(markdown)).toHaveLength(10)
    expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    for (const line of markdown.split('\n')) expect(line.length).toBeLessThan(4000)
  })
})
