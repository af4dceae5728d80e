/** The report of `troupe diff`, and the lines themselves. */
import { describe, expect, it } from 'vitest'
import { type AgentMatch, type LineCounts, rateLines, rateUnmatched } from '../../src/model/score.ts'
import { diffText, patchText } from '../../src/report/diff.ts'
import { displayWidth } from '../../src/report/layout.ts'
import { createStyle } from '../../src/report/print-text.ts'

const plain = createStyle(false)

function agent(source: string, counts: Partial<LineCounts>, compiled = `out/${source}`): AgentMatch {
  const none = { changedLines: 0, whitespaceLines: 0, editedLines: 0, totalLines: 60 }
  return { name: source.replace(/\.\w+$/, ''), source, compiled, ...rateLines({ ...none, ...counts }) }
}

const rowsOf = (agents: readonly AgentMatch[], columns = 80) =>
  diffText(agents, 97.6, { style: plain, columns }).slice(2, 2 + agents.length)

describe('the report', () => {
  it('has a line for each agent and one for all', () => {
    const agents = [
      agent('planner.md', {}),
      agent('reviewer.md', { whitespaceLines: 1, totalLines: 50 }),
      agent('architect.md', { changedLines: 3 }),
    ]
    expect(diffText(agents, 97.6, { style: plain, columns: 80 })).toEqual([
      'Agent Fidelity Report',
      '=====================',
      'planner.md   : 100% match (identical)',
      'reviewer.md  :  98% match (whitespace normalization)',
      'architect.md :  95% match (3 lines differ)',
      '----------------------------------------------------',
      'Overall line match : 97.6% (3 agents)',
      'Lines of prompts; the fidelity score of `troupe convert` counts features.',
    ])
  })

  it.each([
    [{ changedLines: 1, totalLines: 5000 }, ' 99% match (1 line differs)'],
    [{ changedLines: 2, editedLines: 2 }, ' 96% match (2 lines differ, as converted)'],
    [{ changedLines: 3, editedLines: 1 }, ' 95% match (3 lines differ, 1 as converted)'],
    [{ changedLines: 3, whitespaceLines: 3 }, ' 90% match (3 lines differ; 3 in whitespace)'],
  ])('says why: %j', (counts, verdict) => {
    expect(rowsOf([agent('a.md', counts)])).toEqual([`a.md : ${verdict}`])
  })

  it('tells agents apart by the shortest that does', () => {
    const labels = (agents: readonly AgentMatch[]) => rowsOf(agents).map((row) => row.split(' : ')[0]?.trim())
    expect(labels([agent('a/x.md', {}), agent('b/y.md', {})])).toEqual(['x.md', 'y.md'])
    expect(labels([agent('a/x.md', {}), agent('b/x.md', {})])).toEqual(['a/x', 'b/x'])
    expect(labels([agent('x.md', {}, 'one/x.md'), agent('x.md', {}, 'two/x.toml')])).toEqual(['one/x.md', 'two/x.toml'])
    const entry = (name: string) => ({ ...agent('x.md', {}, 'all.json'), name })
    expect(labels([entry('one'), entry('two'), { ...entry('two'), source: 'y.md' }])).toEqual([
      'all.json: one',
      'all.json: two',
      'all.json: two',
    ])
  })

  it('keeps within the terminal', () => {
    const long = agent(`${'folder-'.repeat(20)}x.md`, { changedLines: 30, editedLines: 20, whitespaceLines: 2 })
    const missing: AgentMatch = { name: 'm', source: 'm.md', compiled: null, ...rateUnmatched('missing', 3) }
    const extra: AgentMatch = { name: 'e', source: null, compiled: 'e.md', ...rateUnmatched('extra', 3) }
    for (const columns of [48, 80, 120]) {
      const lines = diffText([long, missing, extra], 30, { style: plain, columns })
      expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns)
    }
  })
})

describe('the lines', () => {
  const patched = { ...agent('a.md', { changedLines: 1 }), patch: ['@@ -1 +1 @@', '-a\tb', '+\u001b[2Jc'] }

  it('stand below their files, and cannot draw on the terminal', () => {
    expect(patchText([agent('b.md', {}), patched], plain)).toEqual([
      '',
      '--- a.md',
      '+++ out/a.md',
      '@@ -1 +1 @@',
      '-a\tb',
      '+\ufffd[2Jc',
    ])
  })

  it('are coloured where there are colours', () => {
    const lines = patchText([patched], createStyle(true))
    expect(lines[4]).toBe('\u001b[31m-a\tb\u001b[39m')
    expect(lines[5]).toBe('\u001b[32m+\ufffd[2Jc\u001b[39m')
  })
})
