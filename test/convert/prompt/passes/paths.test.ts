/** Paths in a prompt, which follow the files of the target. */
import { describe, expect, it } from 'vitest'
import { convert, patternOf } from '../convert-text.ts'

const LOAD = 'Read the skill definition:\nRead: ${CLAUDE_PLUGIN_ROOT}/skills/deep-analysis/SKILL.md\n'

describe('paths', () => {
  it.each([
    ['See .claude/agents/reviewer.md.', 'See .opencode/agents/reviewer.md.'],
    ['All of `.claude/agents/` and ~/.claude/agents.', 'All of `.opencode/agents/` and ~/.config/opencode/agents.'],
    [
      'Files `.claude/agents/*.md` and .claude/commands/x.md',
      'Files `.opencode/agents/*.md` and .opencode/commands/x.md',
    ],
    ['Follow `CLAUDE.md` and ./CLAUDE.md.', 'Follow `AGENTS.md` and ./AGENTS.md.'],
  ])('become those of the target: %s', (text, expected) => expect(convert('opencode', text).text).toBe(expected))

  it('follow the names and endings of the target', () => {
    const text = 'See .claude/agents/old.md.'
    expect(convert('codex', text, { renamed: { old: 'new' } }).text).toBe('See .codex/agents/new.toml.')
    expect(convert('copilot', text).text).toBe('See .github/agents/old.agent.md.')
    expect(convert('gemini-cli', 'Read CLAUDE.md').text).toBe('Read GEMINI.md')
  })

  it('stay where the target reads the same', () => {
    const result = convert('opencode', 'See .claude/skills/x/SKILL.md.')
    expect(result.changes).toEqual([])
    expect(patternOf(result, 'path: .claude/skills')?.outcome).toBe('direct')
    expect(convert('gemini-cli', 'See .claude/skills/x/SKILL.md.').text).toBe('See .gemini/skills/x/SKILL.md.')
  })

  it.each([
    'Claude Code reads .claude/agents and CLAUDE.md.',
    'https://example.com/.claude/agents/x.md',
    '# About CLAUDE.md',
    'Either CLAUDE.md or AGENTS.md.',
    'Notes are in .claude/docs/team.md and docs/CLAUDE.md.',
  ])('stay where they mean something else: %s', (text) => expect(convert('opencode', text).changes).toEqual([]))

  it('lead to the skills of the target', () => {
    const result = convert('opencode', LOAD)
    expect(result.text).toBe('Read the skill definition:\nread: .opencode/skill/deep-analysis/SKILL.md\n')
    expect(patternOf(result, 'path: ${CLAUDE_PLUGIN_ROOT}/skills')?.outcome).toBe('workaround')
  })

  it('keep their variable where the target has one', () => {
    expect(convert('workplace', LOAD).text).toContain('read: {workplace_path}/skills/deep-analysis/SKILL.md')
  })

  it('become a comment where nothing leads there', () => {
    const result = convert('opencode', 'First:\nRead: ${CLAUDE_PLUGIN_ROOT}/references/guide.md\n')
    expect(result.text).toBe(
      'First:\n<!-- TODO: Cross-file reference not supported on OpenCode. The content from references/guide.md must be inlined or placed in AGENTS.md -->\n',
    )
    expect(result.gaps).toMatchObject([{ type: 'composition-unavailable', severity: 'high' }])
    expect(result.todos).toEqual([])
  })

  it('are told about within a sentence, copied, or left out', () => {
    const text = 'Run ${CLAUDE_PLUGIN_ROOT}/../other/run.sh and ${CLAUDE_PLUGIN_ROOT}/bin/x.sh now.\n'
    const result = convert('opencode', text)
    expect(result.text).toBe(text)
    expect(result.todos).toHaveLength(2)
    expect(convert('opencode', text, { on: 'workaround' }).text).toBe(
      'Run ${CLAUDE_PLUGIN_ROOT}/../other/run.sh and bin/x.sh now.\n',
    )
    expect(convert('opencode', 'a\nRead: ${CLAUDE_PLUGIN_ROOT}/b.md\nc\n', { on: 'omit' }).text).toBe('a\n\nc\n')
  })
})
