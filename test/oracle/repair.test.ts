/** Some hundreds of odd definitions, repaired: no agent can do more than before, but for what people are told of. */
import { expect, test } from 'vitest'
import { createDice } from './dice.ts'
import { drawDefinition, drawWithOddity } from './draw/definition.ts'
import { mutate } from './draw/mutate.ts'
import { odditiesOf } from './draw/one-oddity.ts'
import { dialects } from './read.ts'
import { judgeRepair } from './repair.ts'

const ROUNDS = 80

test.each(dialects)('%s: no repair gives more without a word', (dialect) => {
  const wrong: unknown[] = []
  let repaired = 0
  for (let round = 0; round < ROUNDS; round++) {
    const dice = createDice(20261119 + round)
    const oddities = odditiesOf(dialect)
    const oddity = oddities[round % (2 * oddities.length)]
    const drawn = oddity === undefined ? drawDefinition(dice, dialect) : drawWithOddity(dice, dialect, oddity, false)
    const text = dice.often(60) ? mutate(dice, drawn) : drawn
    const judged = judgeRepair(dialect, text)
    if (judged !== null) repaired++
    if (judged !== null && judged.wider.length > 0)
      wrong.push({ text, repaired: judged.text, wider: judged.wider.slice(0, 3) })
  }
  expect(wrong).toEqual([])
  expect(repaired).toBeGreaterThan(0)
})
