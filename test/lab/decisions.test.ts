/** `troupe explain` against reality: the real harness is each agent, makes each call, and must decide as Troupe says. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { decisionHarnesses, explained, openProjects, readTable } from './decisions.ts'
import { labHarnesses, runnable } from './lab.ts'
import { type ObservedDecision, observeDecisions } from './observe-decisions.ts'
import { writeRecord } from './record.ts'

const picked = decisionHarnesses().filter((id) => labHarnesses().includes(id))
describe.each(picked)('%s', (id) => {
  const real = { ...runnable(id), models: ['stub/gpt-5'] }
  const table = readTable(id)
  const { place, prepared, cutting } = openProjects(table)
  // Where a note says that Troupe cannot know better, nothing is claimed.
  const counted = { equal: 0, all: prepared.filter((one) => one.explained === one.expected).length }
  let observed: readonly ObservedDecision[] = []
  let cut: ObservedDecision | undefined

  beforeAll(async () => {
    // What is explained depends on the home folder that the program sees.
    vi.stubEnv('HOME', place.home)
    const trials = [...prepared.map(({ trial }) => trial), cutting]
    observed = await observeDecisions(real, place, trials)
    cut = observed.at(-1)
  }, 300_000)
  afterAll(() => {
    vi.unstubAllEnvs()
    place.remove()
    writeRecord(id, { title: real.harness.title, calls: counted })
  })

  test.each(prepared.map((one, index) => ({ ...one, index })))('$title', async ({ index, ...one }) => {
    const { action, asked, reported: told, trouble } = observed[index] as ObservedDecision
    const { action: predicted, notes } = await explained(one)
    // A tool that the model is not given is as good as denied.
    const decided = action === 'absent' ? 'deny' : action
    if (decided === predicted && predicted === one.expected) counted.equal++
    expect({ decided, predicted, asked, told, trouble }).toEqual({
      decided: one.expected,
      predicted: one.explained,
      asked,
      told,
      trouble: null,
    })
    expect(notes.join('\n')).toContain(one.note ?? '')
  })

  test('sees the commands in every line', () => {
    const asked = cut?.asked.map((one) => JSON.parse(one.replace(/^\w+: /, ''))) ?? []
    const expected = new Set(Object.values(table.lines).flat())
    expect({ commands: asked.flat().sort(), trouble: cut?.trouble }).toEqual({
      commands: [...expected].sort(),
      trouble: null,
    })
  })
})
