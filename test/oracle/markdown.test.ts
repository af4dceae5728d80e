/** The judge of converted prompts sees what it is there for, and nothing else. */
import { describe, expect, test } from 'vitest'
import { countOf, newPaths, treeDifference } from './markdown.ts'

describe('two prompts', () => {
  test.each([
    ['Use **Read** now.', 'Use **text search** now.'],
    ['Use `Read` now.', 'Use your final answer now.'],
    ['- Use WebFetch.', '- <!-- TODO: No equivalent for WebFetch. -->'],
    ['**Write / Edit** it', '**apply_patch** it'],
    ['| Read | x |', '| cat | x |'],
  ])('are the same but for words: %s', (before, after) => expect(treeDifference(before, after)).toBeNull())

  test.each([
    ['**one single Read** to', '**one single the `read` tool to'],
    ['# Read', 'Read'],
    ['- a\n- b', '- a b'],
    ['```\na\n```', 'a'],
    ['[Read](x.md)', '[NO_EQUIVALENT: Read]'],
    ['| Read | x |', '| a | b | x |'],
    ['*one [Read](x) two*', 'one [Read](x) two'],
  ])('are not: %s', (before, after) => expect(treeDifference(before, after)).not.toBeNull())

  test('have paths of their own', () => {
    expect(newPaths('See CLAUDE.md.', 'See AGENTS.md and .codex/agents/x.toml.')).toEqual([
      'AGENTS.md',
      '.codex/agents/x.toml',
    ])
    expect(newPaths('See CLAUDE.md.', 'See CLAUDE.md. <!-- TODO: or AGENTS.md -->')).toEqual([])
    expect(countOf('web_fetch, not my_web_fetch', 'web_fetch')).toBe(1)
  })
})
