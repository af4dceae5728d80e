/** Some hundreds of odd definitions, every dialect into every other: the independent evaluator finds none that may do more. */
import { expect, test } from 'vitest'
import { createDice } from './dice.ts'
import { drawDefinition, drawWithOddity } from './draw/definition.ts'
import { mutate } from './draw/mutate.ts'
import { odditiesOf } from './draw/one-oddity.ts'
import { type Dialect, dialects } from './read.ts'
import { judge } from './trial.ts'

const pairs = dialects.flatMap((from) => dialects.filter((to) => to !== from).map((to) => [from, to] as const))
const ROUNDS = 3
const WILD = 2

/** Without lists of tools hardly any definition can be kept. */
const listless: readonly Dialect[] = ['codex']

interface Case {
  readonly text: string
  /** Nothing in it is odd, so that it must not be refused. */
  readonly isOrdinary: boolean
}

/** The same cases every time, and others for every pair; `npm run fuzz` draws more of them. */
function* casesFor(pair: number, from: Dialect): Generator<Case> {
  const seed = 20261116 + pair * 1000
  for (const [index, oddity] of odditiesOf(from).entries()) {
    for (let round = 0; round < ROUNDS; round++) {
      const text = drawWithOddity(createDice(seed + index * ROUNDS + round), from, oddity, round % 2 === 1)
      yield { text, isOrdinary: oddity === 'none' }
    }
  }
  for (let round = 0; round < WILD; round++) {
    const dice = createDice(seed + 500 + round)
    const text = drawDefinition(dice, from)
    yield { text: dice.often(15) ? mutate(dice, text) : text, isOrdinary: false }
  }
}

test.each(pairs)('%s to %s: nothing is wider, nothing breaks down, everything loads', (from, to) => {
  const wrong: unknown[] = []
  const pair = pairs.findIndex(([one, other]) => one === from && other === to)
  for (const { text, isOrdinary } of casesFor(pair, from)) {
    const verdict = judge({ from, to, text })
    if (verdict.kind === 'crashed') wrong.push({ text, problem: verdict.problem })
    if (verdict.kind === 'refused' && isOrdinary && !listless.includes(to)) wrong.push({ text, problem: 'refused' })
    if (verdict.kind !== 'written') continue
    const { output, wider, loads, isOff } = verdict
    if (wider.length > 0 || !loads || isOff) wrong.push({ text, output, loads, isOff, wider: wider.slice(0, 3) })
  }
  expect(wrong).toEqual([])
})
