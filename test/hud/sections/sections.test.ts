/** Section files: what they say, how layers merge, what is shown to whom. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { frontMatterOf } from '../../../src/hud/data/data-text.ts'
import { builtInFiles } from '../../../src/hud/sections/built-in.ts'
import { completeData, levelOf, usedTokens } from '../../../src/hud/sections/context-usage.ts'
import { readSection } from '../../../src/hud/sections/read-section.ts'
import { type HudRequest, renderHud } from '../../../src/hud/sections/render.ts'
import { type LayeredFile, mergeLayers, type SectionLayer } from '../../../src/hud/sections/section.ts'
import { registry } from '../../reading.ts'
import { violations } from '../../schema/json-schema.ts'

function layered(text: string, stem = 'stem', layer: SectionLayer = 'project'): LayeredFile {
  return { file: readSection(text, stem).file, layer, path: `${stem}.md` }
}

function shown(texts: readonly string[], more: Partial<HudRequest> = {}): string {
  const sections = mergeLayers(texts.map((text, index) => layered(text, `s${index}`)))
  return renderHud({ sections, data: {}, agent: 'build', purpose: 'prompt', ...more }).text.replace(
    /^<hud>\n|\n<\/hud>$/g,
    '',
  )
}

const front = (keys: string, body = 'text') => `---\n${keys}\n---\n${body}\n`
const context = (tokens: number, limit = 100_000) => ({ context: { tokens, limit } })

/** As people write them down for the first time. */
const early = `---
section: context-status
position: top
refresh: on-event # on-event | on-demand | periodic
priority: 10
collapse-threshold: 70 # percentage above which to always expand
always-show: false
---
Template for rendering this section (can reference data sources)...
`
const full = `---
# Section identity
name: context-status # unique identifier (from filename)
description: Context window usage and status

# Rendering behavior
position: header # header | sidebar | footer | inline
priority: 10 # lower = shown first
refresh: on-event # on-event | on-demand | periodic | once
collapse-threshold: 70 # auto-collapse below this threshold

# Data requirements
data-sources:
  - context-tracker # from this plugin
  - session-info # from OpenCode

# Rendering constraints
max-length: 500 # max chars in system prompt injection
always-show: false # always inject, even when collapsed

# Agent targeting
agents: # which agents should see this section
  - build
  - plan
# (null/undefined = all agents)
---

## Context Status

Your context window is at {{context.percentage}}% usage ({{context.tokens}} / {{context.limit}} tokens).

{{#if context.status.critical}}
⚠️ CRITICAL: Context usage above 92%. Consider using memory_compact() immediately.
{{else if context.status.red}}
🔴 Context usage above 85%. Consider compacting soon.
{{else if context.status.yellow}}
🟡 Context usage above 70%. Monitor but proceed normally.
{{else}}
🟢 Context usage is healthy (below 70%).
{{/if}}
`

describe('the first section files there were', () => {
  test('with as few keys as possible', () => {
    expect(readSection(early, 'context-bar').findings).toEqual([])
    expect(readSection(early, 'context-bar').file.name).toBe('context-status')
    expect(shown([early], { data: context(69_400) })).toBe('')
    expect(shown([early], { data: context(70_000) })).toBe(
      'Template for rendering this section (can reference data sources)...',
    )
  })

  test.each([
    [30_000, 'build', ''],
    [71_000, 'build', '🟡 Context usage above 70%. Monitor but proceed normally.'],
    [86_000, 'plan', '🔴 Context usage above 85%. Consider compacting soon.'],
    [92_000, 'build', '⚠️ CRITICAL: Context usage above 92%. Consider using memory_compact() immediately.'],
    [92_000, 'explore', ''],
    [92_000, null, ''],
  ])('with all of them, at %i tokens for %s', (tokens, agent, expected) => {
    expect(readSection(full, 'context-bar').findings).toEqual([])
    const text = shown([full], { data: context(tokens), agent })
    if (expected === '') expect(text).toBe('')
    else {
      const head = `## Context Status\n\nYour context window is at ${tokens / 1000}% usage (${tokens} / 100000 tokens).\n\n`
      expect(text).toBe(head + expected)
    }
  })

  test('without a blank line or an indent, as they stand in some documents', () => {
    const flat = full.replace(/^ +/gm, '').replace(/\n{2,}/g, '\n')
    expect(readSection(flat, 'context-bar').findings).toEqual([])
    const texts = [flat, full].map((text) => shown([text], { data: context(86_000) }).replace(/\n+/g, '\n'))
    expect(texts[0]).toBe(texts[1])
    expect(texts[0]).toContain('🔴')
  })

  test('the green sentence, without the threshold', () => {
    const text = shown([full.replace(/collapse-threshold.*\n/, '')], { data: context(12_345) })
    expect(text).toContain('at 12% usage (12000 / 100000 tokens)')
    expect(text).toContain('🟢 Context usage is healthy')
  })
})

test('what the schema for editors says about section files', () => {
  const check = (text: string) => violations('schema/hud-section.json', frontMatterOf(text))
  const files = ['hud', 'examples/.opencode/hud'].flatMap((folder) =>
    readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  )
  expect(files.length).toBeGreaterThanOrEqual(9)
  for (const text of [early, full, ...files]) expect(check(text)).toEqual([])
  for (const keys of ['colour: red', 'position: left', 'max-length: 0', 'agents: 5', 'value: a b', 'interval: often']) {
    expect([keys, check(front(keys)).length]).toEqual([keys, 1])
  }
})

test('every harness has its answer', () => {
  const silent = registry.all.filter(({ hud }) => hud === undefined).map(({ id }) => id)
  expect(silent).toEqual([])
})

describe('keys', () => {
  test('a name of its own, or that of the file', () => {
    expect(readSection(front('name: a\nsection: b'), 'c').file.name).toBe('a')
    expect(readSection(front('section: b'), 'c').file.name).toBe('b')
    expect(readSection('no front matter', 'c').file.name).toBe('c')
  })

  test.each([
    ['colour: red', 'unknown-key', 'Unknown key `colour`', false],
    ['postion: top', 'unknown-key', 'postion', false],
    ['position: left', 'invalid-value', 'one of header, sidebar, inline, footer', false],
    ['priority: high', 'invalid-value', '`priority` should be a number', false],
    ['interval: often', 'invalid-value', 'seconds', false],
    ['max-length: 0', 'invalid-value', 'whole number', false],
    ['data-sources: [context, cache]', 'invalid-value', 'file:PATH', false],
    ['agents: 5', 'invalid-value', 'so the section is left out', true],
    ['disable: maybe', 'invalid-value', 'so the section is left out', true],
    ['when: a >', 'broken-template', 'a value is missing', true],
  ])('%s is reported', (keys, code, words, broken) => {
    const { file, findings } = readSection(front(keys), 's')
    expect(findings).toHaveLength(1)
    expect([findings[0]?.code, file.broken]).toEqual([code, broken])
    expect(findings[0]?.message).toContain(words)
    expect(shown([front(keys)])).toBe(broken ? '' : 'text')
  })

  test('data that nobody gives is reported where it stands', () => {
    const text = front('when: gut.dirty', 'a {{contxt.percentage}} {{#each tasks.open}}{{whatever}}{{/each}}')
    const { findings } = readSection(text, 's')
    expect(findings.map(({ code, hint, range }) => [code, hint, text.slice(range.start, range.end)])).toEqual([
      ['unknown-data', 'Did you mean context?', '{{contxt.percentage}}'],
      ['unknown-data', 'Did you mean git?', 'gut.dirty'],
    ])
  })

  test.each([
    ['file:reports/test-results.json', { name: 'test-results', kind: 'file', of: 'reports/test-results.json' }],
    ['{ tests: "file:a.yaml" }', { name: 'tests', kind: 'file', of: 'a.yaml' }],
    ['"command: ./status.sh --short"', { name: 'status', kind: 'command', of: './status.sh --short' }],
  ])('data-sources: %s', (source, expected) => {
    const { file, findings } = readSection(front(`data-sources: [${source}]`), 's')
    expect([findings, file.given.sources]).toEqual([[], [expected]])
  })

  test.each(['30', '30s', '5m', '1h'])('interval: %s', (interval) => {
    const seconds = { '30': 30, '30s': 30, '5m': 300, '1h': 3600 }[interval]
    expect(readSection(front(`interval: ${interval}`), 's').file.given.interval).toBe(seconds)
  })
})

describe('layers', () => {
  const names = (files: LayeredFile[]) => mergeLayers(files).map(({ name }) => name)

  test('a file takes the place of the one below, key by key', () => {
    const below = layered(front('name: a\npriority: 1\nwhen: git.dirty', 'below'), 'a', 'user')
    const [section] = mergeLayers([below, layered(front('priority: 7', ''), 'a')])
    expect([section?.priority, section?.when === null, section?.layer]).toEqual([7, false, 'project'])
    expect(section?.template.nodes).toEqual([{ kind: 'text', text: 'below' }])
    const [other] = mergeLayers([below, layered('above', 'a')])
    expect(other?.template.nodes).toEqual([{ kind: 'text', text: 'above' }])
  })

  test('a broken one does not let the one below through', () => {
    const sections = mergeLayers([layered('below', 'a', 'user'), layered('{{above', 'a')])
    expect(renderHud({ sections, data: {}, agent: null, purpose: 'prompt' }).text).toBe('')
  })

  test('position, then priority, then name', () => {
    const files = [
      ['d', 'position: footer\npriority: 1'],
      ['c', 'position: inline'],
      ['b', 'position: sidebar\npriority: 5'],
      ['a', 'position: sidebar\npriority: 5'],
      ['e', 'position: sidebar\npriority: 4'],
      ['f', 'position: top\npriority: 99'],
    ].map(([name, keys]) => layered(front(keys ?? ''), name))
    expect(names(files)).toEqual(['f', 'e', 'a', 'b', 'c', 'd'])
  })
})

describe('what is shown', () => {
  test('one line below the threshold', () => {
    const text = front('collapse-threshold: 50\nalways-show: true', '## Head\n\nFirst.\nSecond.')
    expect(shown([text], { data: context(10_000) })).toBe('Head: First.')
    expect(shown([text], { data: context(50_000) })).toBe('## Head\n\nFirst.\nSecond.')
    expect(shown([text])).toBe('Head: First.')
    const other = front('collapse-threshold: 2\nvalue: git.dirty', 'x')
    expect([1, 2].map((dirty) => shown([other], { data: { git: { dirty } } }))).toEqual(['', 'x'])
  })

  test('max-length cuts at a line and says so', () => {
    expect(shown([front('max-length: 9', 'one\ntwo\nthree')])).toBe('one\ntwo\n…')
    expect(shown([front('max-length: 2', 'one\ntwo')])).toBe('')
  })

  test('agents by name and by glob', () => {
    const text = front('agents: [build, review-*]')
    const seen = ['build', 'review-code', 'builder', null].map((agent) => shown([text], { agent }))
    expect(seen).toEqual(['text', 'text', '', ''])
  })

  test('on demand, once, after an interval', () => {
    const sections = mergeLayers([
      layered(front('refresh: on-demand', 'demand {{git.dirty}}'), 'a'),
      layered(front('refresh: once', 'once {{git.dirty}}'), 'b'),
      layered(front('refresh: periodic\ninterval: 1m', 'periodic {{git.dirty}}'), 'c'),
      layered(front('refresh: on-event', 'event {{git.dirty}}'), 'd'),
    ])
    let kept: NonNullable<HudRequest['kept']> = new Map()
    const at = (now: number, purpose: HudRequest['purpose'] = 'prompt') => {
      const hud = renderHud({ sections, data: { git: { dirty: now } }, agent: null, purpose, now, kept })
      kept = hud.kept
      return hud.text
        .replace(/<\/?hud>/g, '')
        .trim()
        .split('\n\n')
    }
    expect(at(0)).toEqual(['once 0', 'periodic 0', 'event 0'])
    expect(at(59)).toEqual(['once 0', 'periodic 0', 'event 59'])
    expect(at(60)).toEqual(['once 0', 'periodic 60', 'event 60'])
    expect(at(70, 'demand')).toEqual(['demand 70'])
  })

  test('the budget goes by priority, whatever the position', () => {
    const lines = (word: string) => Array.from({ length: 10 }, () => word.repeat(8)).join('\n')
    const texts = [front('position: top\npriority: 9', lines('a')), front('position: footer\npriority: 1', lines('b'))]
    const text = shown(texts, { budget: 40 })
    expect(text).toContain(lines('b'))
    expect(text).toMatch(/^(a{8}\n)+…\n\nb/)
  })
})

describe('figures', () => {
  test('cached tokens stand in the window too', () => {
    expect(usedTokens({ input: 5290, output: 5, cacheRead: 60, cacheWrite: 40 })).toBe(5395)
  })

  test('status by percentage', () => {
    expect([69, 70, 85, 91, 92, 120].map(levelOf)).toEqual(['green', 'yellow', 'red', 'red', 'critical', 'critical'])
    const { context: done } = completeData(context(85_499))
    expect(done).toMatchObject({ percentage: 85, tokens: 85_000, left: 15_000, level: 'red', status: { red: true } })
  })

  test('what changes all the time is rounded', () => {
    const age = (seconds: number) => completeData({ session: { age: seconds, cost: 0.12345 } }).session
    expect([59, 61, 3599, 4300].map(age)).toEqual([0, 60, 3540, 4200].map((one) => ({ age: one, cost: 0.12 })))
    const tokens = (count: number) => completeData(context(count)).context
    expect(tokens(12_345)).toEqual(tokens(12_399))
  })

  test.each([
    [69_999, 69, 'green'],
    [69_500, 69, 'green'],
    [70_000, 70, 'yellow'],
    [84_999, 84, 'yellow'],
    [91_500, 91, 'red'],
    [92_000, 92, 'critical'],
  ])('%i of 100,000 tokens are %i %% and %s', (tokens, percentage, level) => {
    expect(completeData({ context: { tokens, limit: 100_000 } }).context).toMatchObject({ percentage, level })
    expect(completeData({ context: { percentage: tokens / 1000 } }).context).toMatchObject({ percentage, level })
  })

  test('thresholds and conditions see the exact figures', () => {
    const at = front('collapse-threshold: 70', 'full {{context.percentage}}')
    expect([69_500, 69_999, 70_000].map((tokens) => shown([at], { data: context(tokens) }))).toEqual([
      '',
      '',
      'full 70',
    ])
    const above = front('when: context.percentage > 70', 'above')
    expect([70_000, 70_001].map((tokens) => shown([above], { data: context(tokens) }))).toEqual(['', 'above'])
  })

  test('without a limit there is no percentage', () => {
    expect(completeData({ context: { tokens: 500 } }).context).toEqual({ tokens: 500 })
  })
})

test('every section that Troupe brings along is sound and says something', () => {
  const data = {
    context: { tokens: 90_000, limit: 100_000, trend: 'rising' },
    session: { id: 's1', agent: 'build', model: 'm', age: 65, cost: 1.5 },
    git: { branch: 'main', dirty: 1, files: ['a.ts'], ahead: 2, behind: 0, upstream: 'origin/main' },
    tasks: { open: [1], done: 1, total: 2, active: [{ title: 'Do it' }], next: [{ title: 'Test it' }], blocked: [] },
    workplace: { agents: [{ name: 'coder', status: 'running', task: 'parser' }], unread: 2 },
    work: { task: 'T', decisions: ['D'], files: ['F'], notes: ['N'], blockers: ['B'], steps: ['S'] },
  }
  const sections = mergeLayers(builtInFiles())
  const both = (['prompt', 'demand'] as const).map((purpose) => renderHud({ sections, data, agent: null, purpose }))
  const whole = both.flatMap((hud) => hud.sections).filter((one) => one.shown === 'whole')
  expect(whole.map(({ section }) => section.name).sort()).toEqual(sections.map(({ name }) => name).sort())
  expect(both.map(({ text }) => text).join('\n')).not.toContain('unknown')
  expect(both.map(({ text }) => text)).toMatchInlineSnapshot(`
    [
      "<hud>
    ## Context
    90% of the context window is used (90,000 of 100,000 tokens, rising).
    RED: above 85%. Bring the current step to an end and compact soon.

    ## Tasks
    1 of 2 done.
    - in progress: Do it
    Next: Test it

    ## Team
    - coder: running, parser
    Unread messages: 2.

    ## Git
    On main, 2 ahead of origin/main.
    Not committed (1): a.ts
    </hud>",
      "<hud>
    ## Work so far
    Current task: T
    Decisions:
    - D
    Files: F
    Notes:
    - N
    Blocked by:
    - B
    Next steps:
    - S

    ## Session
    Agent build on m, session s1.
    Running for 1 min, cost so far $1.50.
    </hud>",
    ]
  `)
})
