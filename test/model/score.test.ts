/** The fidelity score against its formula, worked out by hand: 1.0, 0.7, 0.2 or 0.0 per feature; the mean, in percent. */
import { describe, expect, test } from 'vitest'
import type { Area, Feature, Gap, GapResolution, Outcome } from '../../src/model/conversion.ts'
import { scoreBand, scoreFidelity } from '../../src/model/score.ts'

const feature = (outcome: Outcome, area: Area = 'fields'): Feature => ({
  area,
  feature: outcome,
  outcome,
  from: null,
  to: null,
  line: null,
})

const times = (count: number, outcome: Outcome, area?: Area) =>
  Array.from({ length: count }, () => feature(outcome, area))

const gap = (resolution: GapResolution): Gap => ({
  type: 'tool-missing',
  feature: resolution,
  severity: 'medium',
  reason: '',
  workaround: null,
  resolution,
  decidedBy: 'auto',
  line: null,
})

describe('the score', () => {
  test.each([
    { title: '7 + 2*0.7 + 0.2 of 11', direct: 7, workaround: 2, todo: 1, omitted: 1, score: 78 },
    { title: '1 + 0.7 of 2, a half', direct: 1, workaround: 1, todo: 0, omitted: 0, score: 85 },
    { title: 'all of it', direct: 3, workaround: 0, todo: 0, omitted: 0, score: 100 },
    { title: 'only workarounds', direct: 0, workaround: 9, todo: 0, omitted: 0, score: 70 },
    { title: 'only TODOs', direct: 0, workaround: 0, todo: 4, omitted: 0, score: 20 },
    { title: 'nothing of it', direct: 0, workaround: 0, todo: 0, omitted: 5, score: 0 },
    { title: 'no features', direct: 0, workaround: 0, todo: 0, omitted: 0, score: 0 },
  ])('the sum of the weights over the number of features: $title', ({ direct, workaround, todo, omitted, score }) => {
    const counts = { direct, workaround, todo, omitted }
    const features = Object.entries(counts).flatMap(([outcome, count]) => times(count, outcome as Outcome))
    const report = scoreFidelity(features, [])
    expect(report).toMatchObject({ score, counts, total: direct + workaround + todo + omitted })
  })

  test('whatever the features, the weights are those of the formula', () => {
    for (let direct = 0; direct <= 6; direct++) {
      for (let workaround = 0; workaround <= 6; workaround++) {
        for (let todo = 0; todo <= 6; todo++) {
          const features = [...times(direct, 'direct'), ...times(workaround, 'workaround'), ...times(todo, 'todo')]
          // In hundredths, and rounded as people round: a half goes up.
          const sum = direct * 100 + workaround * 70 + todo * 20
          const rounded = features.length === 0 ? 0 : Math.floor((2 * sum + features.length) / (2 * features.length))
          expect(scoreFidelity(features, []).score).toBe(rounded)
        }
      }
    }
  })
})

test('each area has a score of its own, and none where there is nothing', () => {
  const features = [...times(1, 'direct'), ...times(1, 'omitted', 'tools'), ...times(2, 'workaround', 'body')]
  const { areas } = scoreFidelity(features, [gap('workaround'), gap('omit')])
  expect(areas).toEqual({ fields: 100, tools: 0, body: 70, skills: null, gaps: 35 })
})

test.each([
  [100, 'green', 'High fidelity'],
  [80, 'green', 'High fidelity'],
  [79, 'yellow', 'Moderate fidelity'],
  [50, 'yellow', 'Moderate fidelity'],
  [49, 'red', 'Low fidelity'],
  [0, 'red', 'Low fidelity'],
])('the bands: %d is %s', (score, band, label) => {
  expect(scoreBand(score)).toEqual({ band, label })
})
