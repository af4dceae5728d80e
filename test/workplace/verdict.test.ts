/** How a run ended: a plain answer completes the work, unless the definition says that it must be handed on. */
import { expect, test } from 'vitest'
import { judge, type RunEnd } from '../../src/workplace/verdict.ts'

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
  expect(judge(handoff, { ...quiet, text: 'Done: a.ts' }, [])).toEqual({
    kind: 'completed',
    answer: 'Done: a.ts',
    owes: [],
  })
})

test('one that must hand on is nudged once, and then owes', () => {
  const end = { ...quiet, text: 'thinking' }
  expect(judge(handoff, end, ['ben'])).toEqual({ kind: 'nudge', words: 'thinking' })
  const again = judge({ ...handoff, nudged: true, words: 'thinking' }, { ...quiet }, ['ben'])
  expect(again).toEqual({ kind: 'completed', answer: 'thinking', owes: ['ben'] })
})

test('a handoff, a reply, a result or a report is what was owed', () => {
  const report = { status: 'completed', text: 'nothing to review', files: [] } as const
  const ends = [
    judge({ ...handoff, sent: ['ben\nreview'] }, quiet, ['ben']),
    judge({ ...handoff, replies: ['no'] }, quiet, ['ben']),
    judge({ ...handoff, report }, quiet, ['ben']),
    judge(handoff, { ...quiet, result: 'x' }, ['ben']),
  ]
  for (const verdict of ends) expect(verdict).toMatchObject({ kind: 'completed', owes: [] })
})
