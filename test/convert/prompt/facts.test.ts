/** What harness files say about prompts can stand in one. */
import { describe, expect, it } from 'vitest'
import { neutralTools } from '../../../src/model/tools.ts'
import { registry } from '../../reading.ts'

describe.each(registry.all.map((harness) => [harness.id, harness] as const))('%s', (_id, harness) => {
  it('says what helps where something is missing, or why nothing does', () => {
    const missing = neutralTools.filter((tool) => (harness.words[tool] ?? null) === null)
    const always = ['ask', 'task', 'message', 'team', 'skill', 'hooks', 'todo', 'plan']
    for (const subject of [...missing, ...always]) expect(Object.keys(harness.workarounds)).toContain(subject)
  })

  it('says it in words that can stand in a prompt', () => {
    for (const workaround of Object.values(harness.workarounds)) {
      const said = 'say' in workaround ? workaround.say : ''
      // Two dashes end a comment; a capital or a full stop does not fit into a sentence.
      expect(said).not.toMatch(/--|^[A-Z]|\.$/)
      expect('say' in workaround ? workaround.note : workaround.none).toMatch(/^[^-]+(?:-[^-]+)*\.$/)
    }
  })
})
