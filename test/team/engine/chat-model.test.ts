/** Random histories of a chat.md against a model that knows which line was written when. */
import { expect, test } from 'vitest'
import { chanceOf } from '../../faults/workplace/chance.ts'
import { playChatHistory } from './chat-model.ts'

test('every line that was added runs once, and what was read never runs again', () => {
  const histories = Math.ceil(500 * Number(process.env.RUNS ?? 1))
  const first = process.env.SEED === undefined ? 1 : Number(process.env.SEED)
  let [lines, held] = [0, 0]
  for (let seed = first; seed < first + histories; seed++) {
    const outcome = playChatHistory(chanceOf(seed).next, 25)
    expect(outcome.problems, `SEED=${seed}: ${outcome.operations.join(', ')}`).toEqual([])
    lines += outcome.lines
    held += outcome.held
  }
  expect(lines).toBeGreaterThan(histories * 5)
  expect(held).toBeGreaterThan(0)
})
