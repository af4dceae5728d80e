/** The line match: of one agent, and the mean over all. */
import { describe, expect, it } from 'vitest'
import { type AgentMatch, overallMatch, rateLines, rateUnmatched } from '../../src/model/score.ts'

const counts = (changedLines: number, whitespaceLines: number, totalLines: number) => ({
  changedLines,
  whitespaceLines,
  editedLines: 0,
  totalLines,
})

const agent = (judged: ReturnType<typeof rateLines>): AgentMatch => ({
  name: 'a',
  source: 'a',
  compiled: 'a',
  ...judged,
})

describe('the line match', () => {
  it.each([
    ['identical', counts(0, 0, 60), 100],
    ['whitespace', counts(0, 1, 50), 98],
    ['changed', counts(3, 0, 60), 95],
    ['changed', counts(3, 3, 60), 90],
    ['changed', counts(2, 0, 2), 0],
    // Two empty prompts.
    ['identical', counts(0, 0, 0), 100],
    // Only all is 100.
    ['changed', counts(1, 0, 5000), 99.9],
    ['changed', counts(1, 0, 3), 66.6],
  ])('%s %j', (kind, given, match) => {
    expect(rateLines(given)).toMatchObject({ kind, match })
  })

  it('is the mean over agents, of what they really have', () => {
    const rows = [counts(0, 0, 10), counts(0, 1, 50), counts(3, 0, 60)].map((one) => agent(rateLines(one)))
    expect(overallMatch(rows)).toBe(97.6)
  })

  it('counts a missing agent as nothing, even one without a prompt, and an extra one not at all', () => {
    const same = agent(rateLines(counts(0, 0, 10)))
    expect(overallMatch([same, agent(rateUnmatched('missing', 0))])).toBe(50)
    expect(overallMatch([same, agent(rateUnmatched('extra', 7))])).toBe(100)
  })

  it('does not lose a decimal to arithmetic', () => {
    const rows = Array.from({ length: 10 }, () => agent(rateLines(counts(1, 0, 10))))
    expect(overallMatch(rows)).toBe(90)
    for (let total = 1; total <= 200; total++) {
      expect(rateLines(counts(total, 0, 1000)).match).toBe((1000 - total) / 10)
    }
  })
})
