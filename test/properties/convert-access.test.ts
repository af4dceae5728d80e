/** What an agent may do never grows on its way into another dialect: asked call by call, whatever the definition says. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Definition, definitionIn, dialects } from './access-definitions.ts'
import { convertDefinition, findWider, harnessOf, roundTrip } from './access-oracle.ts'

const runs = Number(process.env.RUNS ?? 150)

/** What the oracle must find nothing wrong with. */
function neverGrows(from: string, to: string, definition: Definition): void {
  const { source, record, agent } = convertDefinition(from, to, definition)
  const wider = findWider(source, harnessOf(to), agent)
  if (record.access.widened.length === 0) expect(wider).toEqual([])
}

describe('what an agent may do never grows', () => {
  for (const from of dialects) {
    for (const to of dialects.filter((id) => id !== from)) {
      test(`${from} to ${to}`, () => {
        fc.assert(
          fc.property(definitionIn(from), (definition) => neverGrows(from, to, definition)),
          { numRuns: runs },
        )
      })
    }
  }
})

describe('nor on the way there and back', () => {
  for (const from of dialects) {
    for (const over of dialects.filter((id) => id !== from)) {
      test(`${from} over ${over}`, () => {
        fc.assert(
          fc.property(definitionIn(from), (definition) => {
            const { source, agent, widened } = roundTrip(from, over, definition)
            if (!widened) expect(findWider(source, harnessOf(from), agent, harnessOf(over))).toEqual([])
          }),
          { numRuns: Math.ceil(runs / 3) },
        )
      })
    }
  }
})
