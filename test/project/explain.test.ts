/** `troupe explain` says what the real harnesses were seen deciding (test/lab/decisions.test.ts sees it again). */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { decisionHarnesses, explained, openProjects, readTable } from '../lab/decisions.ts'

describe.each(decisionHarnesses())('%s', (id) => {
  const { place, prepared } = openProjects(readTable(id))
  beforeAll(() => void vi.stubEnv('HOME', place.home))
  afterAll(() => {
    vi.unstubAllEnvs()
    place.remove()
  })

  test.each(prepared)('$title', async (one) => {
    const { action, notes } = await explained(one)
    expect(action).toBe(one.explained)
    expect(notes.join('\n')).toContain(one.note ?? '')
  })
})
