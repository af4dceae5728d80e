/** Paths that are there, that are nowhere, and that an agent works on. */
import { describe, expect, it } from 'vitest'
import { convert } from '../convert-text.ts'

describe('a path in the target', () => {
  it('names the counterpart if that is there, or else the file itself', () => {
    const text = 'Read CLAUDE.md and `.claude/commands/a.md`.'
    expect(convert('opencode', text, { there: ['AGENTS.md', '.opencode/commands/a.md'] }).text).toBe(
      'Read AGENTS.md and `.opencode/commands/a.md`.',
    )
    const kept = convert('opencode', text, { there: ['CLAUDE.md', '.claude/commands/a.md'] })
    expect([kept.text, kept.gaps, kept.todos]).toEqual([text, [], []])
  })

  it('that leads nowhere is a gap', () => {
    const result = convert('codex', 'Follow CLAUDE.md, and see `.claude/commands/a.md`.', { there: [] })
    expect(result.gaps).toMatchObject([
      { type: 'path-missing', feature: 'path: CLAUDE.md', severity: 'medium' },
      { type: 'path-missing', feature: 'path: .claude/commands/a.md' },
    ])
    expect(result.todos).toHaveLength(2)
    expect(result.patterns.every(({ outcome }) => outcome === 'todo')).toBe(true)
  })

  it('is none where the prompt says so itself, or where the agent is written in the same run', () => {
    expect(convert('codex', 'Read CLAUDE.md if it exists.', { there: [] }).gaps).toEqual([])
    const other = convert('opencode', 'See `.claude/agents/a.md`.', { there: [], renamed: { a: 'a' } })
    expect([other.text, other.gaps]).toEqual(['See `.opencode/agents/a.md`.', []])
    expect(convert('opencode', 'See `.claude/agents/b.md`.', { there: [] }).gaps).toHaveLength(1)
  })

  it.each([
    'You maintain CLAUDE.md. Read CLAUDE.md first.',
    "Update the project's `CLAUDE.md` with what you learn.",
    'Add rules to CLAUDE.md.',
    'CLAUDE.md is updated last.',
    '```bash\ngit ls-files | grep -v "CLAUDE.md"\n```\nAll but CLAUDE.md count.',
    '```sh\necho x >> CLAUDE.md\n```',
    'Create `.claude/agents/README.md` if it is missing.',
  ])('stays where the agent works on it: %j', (text) => {
    const result = convert('opencode', text, { there: [] })
    expect([result.text, result.gaps]).toEqual([text, []])
  })

  it('is no subject where it is only followed', () => {
    for (const text of [
      'Follow CLAUDE.md when you write.',
      '```sh\ncat CLAUDE.md\n```',
      'Write tests as CLAUDE.md says.',
    ])
      expect(convert('opencode', text).text).toBe(text.replace('CLAUDE.md', 'AGENTS.md'))
  })
})
