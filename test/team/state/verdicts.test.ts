/** How a run ended: a plain answer completes the work, unless the definition says that it must be handed on. */
import { expect, test } from 'vitest'
import { judgeRun, type RunEnd } from '../../../src/team/state/verdicts.ts'

const quiet: RunEnd = {
  isClaimed: true,
  isStarted: true,
  code: 0,
  ending: null,
  text: '',
  result: null,
  error: null,
  complaint: '',
}
const handoff = { report: null, replies: [], sent: [], nudged: false, words: '' }

test('printed words are the answer of any member, whomever it may hand on to', () => {
  expect(judgeRun(handoff, { ...quiet, text: 'Done: a.ts' }, [])).toEqual({
    kind: 'completed',
    answer: 'Done: a.ts',
    owes: [],
  })
})

test('one that must hand on is nudged once, and then owes', () => {
  const end = { ...quiet, text: 'thinking' }
  expect(judgeRun(handoff, end, ['ben'])).toEqual({ kind: 'nudge', words: 'thinking' })
  const again = judgeRun({ ...handoff, nudged: true, words: 'thinking' }, { ...quiet }, ['ben'])
  expect(again).toEqual({ kind: 'completed', answer: 'thinking', owes: ['ben'] })
})

test('a handoff, a reply, a result or a report is what was owed', () => {
  const report = { status: 'completed', text: 'nothing to review', files: [] } as const
  const ends = [
    judgeRun({ ...handoff, sent: ['ben\nreview'] }, quiet, ['ben']),
    judgeRun({ ...handoff, replies: ['no'] }, quiet, ['ben']),
    judgeRun({ ...handoff, report }, quiet, ['ben']),
    judgeRun(handoff, { ...quiet, result: 'x' }, ['ben']),
  ]
  for (const verdict of ends) expect(verdict).toMatchObject({ kind: 'completed', owes: [] })
})
