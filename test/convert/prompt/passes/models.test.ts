/** Names of models in a prompt. */
import { describe, expect, it } from 'vitest'
import { convert, patternOf } from '../convert-text.ts'

describe('model references', () => {
  it('become ids where the prompt says what it uses', () => {
    const text =
      'This agent uses Sonnet for fast exploration tasks. For complex synthesis, the orchestrator uses Opus.\n'
    expect(convert('opencode', text).text).toBe(
      'This agent uses anthropic/claude-sonnet-5 for fast exploration tasks. For complex synthesis, the orchestrator uses anthropic/claude-opus-5-5.\n',
    )
  })

  it.each([
    ['Set model: sonnet for it.', 'Set model: anthropic/claude-sonnet-5 for it.'],
    ['Spawn it (model="opus").', 'Spawn it (model="anthropic/claude-opus-5-5").'],
    ['Use `model: haiku` there.', 'Use `model: anthropic/claude-haiku-4-5` there.'],
    ['The model is claude-sonnet-4-5 by default.', 'The model is anthropic/claude-sonnet-5 by default.'],
    ['It runs on Claude Opus 4.5.', 'It runs on anthropic/claude-opus-5-5.'],
    [
      '```\nTask(subagent_type="x", model="haiku")\n```',
      '```\ntask(subagent_type="x", model="anthropic/claude-haiku-4-5")\n```',
    ],
  ])('%s', (text, expected) => expect(convert('opencode', text).text).toBe(expected))

  it.each([
    ['Use Opus for hard tasks and Haiku for easy ones.', 'Use gpt-opus for hard tasks and gpt-haiku for easy ones.'],
    ['A sonnet-tier agent is enough.', 'A gpt-sonnet-tier agent is enough.'],
    [
      'Ask for a model like Opus, or models such as Sonnet.',
      'Ask for a model like gpt-opus, or models such as gpt-sonnet.',
    ],
    ['- Model: haiku', '- Model: gpt-haiku'],
    [
      'Use `inherit`, or (sonnet for hard ones, haiku for others).',
      'Use `inherit`, or (sonnet for hard ones, haiku for others).',
    ],
    ['A haiku for friends and an opus-one for me.', 'A haiku for friends and an opus-one for me.'],
  ])('in other forms: %s', (text, expected) => {
    expect(convert('codex', text, { tiers: { opus: 'gpt-opus', sonnet: 'gpt-sonnet', haiku: 'gpt-haiku' } }).text).toBe(
      expected,
    )
  })

  it.each([
    [
      'Use Opus for hard tasks and Haiku for easy ones.',
      'Use the pro model for hard tasks and the flash model for easy ones.',
    ],
    ['Use the Opus model for it.', 'Use the pro model for it.'],
    ['Opus-level work: use Opus.', 'pro-level work: use the pro model.'],
  ])('are models in words where the target has short names: %s', (text, expected) => {
    expect(convert('gemini-cli', text, { tiers: { opus: 'pro', haiku: 'flash' } }).text).toBe(expected)
  })

  it.each([
    '| Opus | slow | Sonnet | fast |',
    'Sonnet is better than Haiku, and whoever uses Opus pays more than others.',
    'A haiku has three lines, and an opus is a work.',
    '## Using Opus for plans',
    'Call claude-sonnet-4-5 with the API.',
    '```python\nclient.create(model="claude-sonnet-4-5")\n```',
    '```yaml\nname: x\nmodel: sonnet\n```',
    'See https://example.com/claude-opus-4-5 and claude-code.',
    'Mind the data model: fast queries first.',
  ])('stay where they are only spoken about: %s', (text) => expect(convert('opencode', text).changes).toEqual([]))

  it('are called the configured model where the target has no names for them', () => {
    const result = convert('workplace', 'This agent uses Sonnet for it. Set model: opus.')
    expect(result.text).toBe('This agent uses the configured model for it. Set model: opus.')
    expect(patternOf(result, 'model: sonnet')?.outcome).toBe('workaround')
    expect(patternOf(result, 'model: opus')?.outcome).toBe('omitted')
    expect(result.gaps).toMatchObject([{ type: 'model-unconfigurable', severity: 'low' }, {}])
    // Inheriting is no name that could stand in a sentence.
    expect(convert('qwen-code', 'It uses Opus for plans, with model: opus.').text).toBe(
      'It uses the configured model for plans, with model: inherit.',
    )
  })

  it('are left for a person where nothing corresponds', () => {
    const result = convert('opencode', 'Set model: claude-unknown-9 here.')
    expect(result.changes).toEqual([])
    expect(patternOf(result, 'model: claude-unknown-9')?.outcome).toBe('todo')
  })
})
