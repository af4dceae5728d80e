/** Models on their way between the six harnesses: the names people write, and what the other program takes for them. */
import { describe, expect, test } from 'vitest'
import { checkDefinition } from '../../../src/check/check.ts'
import type { Carrier, Harness } from '../../../src/harness/schema/harness.ts'
import { understandModel } from '../../../src/harness/write/model-names.ts'
import { type ModelMap, spellModel } from '../../../src/harness/write/models.ts'
import { readAs, registry } from '../../reading.ts'

const six = ['claude-code', 'opencode', 'codex', 'gemini-cli', 'copilot', 'qwen-code']

function harness(id: string): Harness {
  const found = registry.byId(id)
  if (found === undefined) throw new Error(`no harness ${id}`)
  return found
}

function spell(from: string, to: string, value: string | readonly string[], own?: ModelMap) {
  return spellModel(harness(from), harness(to), value, own)
}

/** What the table says: the value, or null, and how it came about. */
function outcome(from: string, to: string, value: string | readonly string[]): string {
  const spelled = spell(from, to, value)
  return `${spelled.value ?? '-'} (${spelled.how}${spelled.note === undefined ? '' : ', noted'})`
}

describe('a name is understood', () => {
  test.each([
    ['sonnet', 'anthropic sonnet any'],
    ['Claude Sonnet', 'anthropic sonnet any'],
    ['opus[1m]', 'anthropic opus any 1m'],
    ['sonnet4.5', 'anthropic sonnet 4.5'],
    ['claude-4-sonnet', 'anthropic sonnet 4'],
    ['claude-sonnet-4-0', 'anthropic sonnet 4'],
    ['claude-sonnet-4-20250514', 'anthropic sonnet 4'],
    ['claude-3-5-sonnet-v2@20241022', 'anthropic sonnet 3.5'],
    ['claude-3.7-sonnet-latest', 'anthropic sonnet 3.7 latest'],
    ['anthropic.claude-3-haiku-20240307-v1:0', 'anthropic haiku 3'],
    ['claude-4.5-opus-high-thinking', 'anthropic opus 4.5 high thinking'],
    ['claude-mythos-5', 'anthropic mythos 5'],
    ['GPT-5 (copilot)', 'openai gpt 5'],
    ['gpt5', 'openai gpt 5'],
    ['gpt-5-codex', 'openai gpt-codex 5'],
    ['GPT-5.1-Codex-Max', 'openai gpt-codex-max 5.1'],
    ['GPT-5 mini', 'openai gpt-mini 5'],
    ['gpt-4o-2024-08-06', 'openai gpt 4o'],
    ['openai:gpt-4o', 'openai gpt 4o'],
    ['o4-mini', 'openai o-mini 4'],
    ['gemini-2.5-pro', 'google gemini-pro 2.5'],
    ['gemini-2.5-pro-preview-05-06', 'google gemini-pro 2.5 preview'],
    ['Gemini 3 Pro (Preview) (copilot)', 'google gemini-pro 3 preview'],
    ['gemini-pro', 'google gemini-pro any'],
    ['qwen3-coder-plus', 'alibaba qwen-coder-plus 3'],
    ['qwen-max', 'alibaba qwen-max any'],
    ['xai/grok-4.7', 'xai grok 4.7'],
    ['kimi-k2.7-code', 'moonshotai kimi-code 2.7'],
    ['zai-coding-plan/glm-5.2', 'zhipuai glm 5.2'],
  ])('%s', (text, expected) => {
    const name = understandModel(text)
    if (name === null || name === 'inherit') throw new Error(`${text} is ${name}`)
    expect([name.vendor, name.family, name.version ?? 'any', ...name.marks].join(' ')).toBe(expected)
  })

  test.each([
    'claude-opus-4-5',
    'anthropic/claude-opus-4-5',
    'openrouter/anthropic/claude-opus-4.5',
    'claude-opus-4.5',
    'opus-4.5',
    'Claude Opus 4.5',
    'Claude Opus 4.5 (copilot)',
    'claude-opus-4-5-20251101',
    'claude-opus-4-5@20251101',
    'us.anthropic.claude-opus-4-5-20251101-v1:0',
    'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-5-20251101-v1:0',
  ])('Opus 4.5 is %s', (text) => {
    expect(understandModel(text)).toMatchObject({ tier: 'opus', vendor: 'anthropic', family: 'opus', version: '4.5' })
    expect(spell('agents', 'copilot', text).value).toBe('claude-opus-5.5')
    expect(String(spell('agents', 'claude-code', text).value)).toMatch(/^claude-opus-4-5(-20251101)?$/)
  })

  test('or is not one', () => {
    expect(['inherit', 'Inherit', 'default'].map(understandModel)).toEqual(['inherit', 'inherit', 'inherit'])
    expect(['', 'pi/slow', 'my-opus', 'the best'].map(understandModel)).toEqual([null, null, null, null])
    expect(understandModel("pi/slow, 'gpt-5.2' | opus")).toMatchObject({ family: 'gpt', version: '5.2' })
  })
})

describe('a model gets its name in another harness', () => {
  test.each<[from: string, to: string, value: string, expected: string]>([
    // Tiers, in every direction that has some.
    ['claude-code', 'opencode', 'opus', 'anthropic/claude-opus-5-5 (tier)'],
    ['claude-code', 'opencode', 'sonnet', 'anthropic/claude-sonnet-5 (tier)'],
    ['claude-code', 'opencode', 'haiku', 'anthropic/claude-haiku-4-5 (tier)'],
    ['claude-code', 'opencode', 'fable', 'anthropic/claude-fable-5-1 (tier)'],
    ['claude-code', 'codex', 'opus', 'gpt-6.1-sol (tier)'],
    ['claude-code', 'codex', 'sonnet', 'gpt-6.1-terra (tier)'],
    ['claude-code', 'codex', 'haiku', 'gpt-6-luna (tier)'],
    ['claude-code', 'gemini-cli', 'opus', 'pro (tier)'],
    ['claude-code', 'gemini-cli', 'haiku', 'flash-lite (tier)'],
    ['claude-code', 'copilot', 'opus', 'claude-opus-5.5 (tier)'],
    ['claude-code', 'copilot', 'haiku', 'claude-haiku-5.5 (tier)'],
    ['claude-code', 'qwen-code', 'haiku', 'fast (tier)'],
    ['claude-code', 'qwen-code', 'sonnet', '- (omitted, noted)'],
    ['claude-code', 'agents', 'sonnet', 'sonnet (same)'],
    ['claude-code', 'opencode', 'Sonnet', 'anthropic/claude-sonnet-5 (tier)'],
    ['claude-code', 'opencode', 'opus[1m]', 'anthropic/claude-opus-5-5 (tier, noted)'],
    ['claude-code', 'opencode', 'best', 'anthropic/claude-opus-5-5 (tier)'],
    ['claude-code', 'copilot', 'opusplan', 'claude-sonnet-5.5 (tier)'],
    ['copilot', 'codex', 'Claude Sonnet', 'gpt-6.1-terra (tier)'],
    // The same model by its other name.
    ['claude-code', 'opencode', 'claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5 (id)'],
    ['claude-code', 'opencode', 'claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5-20250929 (id)'],
    ['claude-code', 'opencode', 'claude-opus-4-8', 'anthropic/claude-opus-4-8 (id)'],
    ['claude-code', 'copilot', 'claude-opus-4-8', 'claude-opus-4.8 (id)'],
    ['claude-code', 'copilot', 'claude-haiku-4-5-20251001', 'claude-haiku-4.5 (id)'],
    ['claude-code', 'copilot', 'claude-opus-4-8-fast', 'claude-opus-4.8-fast (id)'],
    ['claude-code', 'copilot', 'claude-opus-5', 'claude-opus-5 (same)'],
    ['copilot', 'claude-code', 'Claude Sonnet 4.5 (copilot)', 'claude-sonnet-4-5 (id)'],
    ['copilot', 'claude-code', 'Claude Opus 4.7', 'claude-opus-4-7 (id)'],
    ['copilot', 'claude-code', 'claude-sonnet-4.6', 'claude-sonnet-4-6 (id)'],
    ['copilot', 'opencode', 'Claude Sonnet 4.6 (copilot)', 'anthropic/claude-sonnet-4-6 (id)'],
    ['copilot', 'opencode', 'GPT-5', 'openai/gpt-5 (id)'],
    ['copilot', 'opencode', 'GPT-5 mini', 'openai/gpt-5-mini (id)'],
    ['copilot', 'opencode', 'GPT-4.1 (copilot)', 'openai/gpt-4.1 (id)'],
    ['copilot', 'opencode', 'GPT-5.3-Codex', 'openai/gpt-5.3-codex (id)'],
    ['copilot', 'opencode', 'kimi-k3', 'moonshotai/kimi-k3 (id)'],
    ['copilot', 'gemini-cli', 'Gemini 3 Pro (Preview) (copilot)', 'gemini-3-pro-preview (id)'],
    ['copilot', 'gemini-cli', 'gemini-3.8-flash', 'gemini-3.8-flash (same)'],
    ['codex', 'opencode', 'gpt-5.4', 'openai/gpt-5.4 (id)'],
    ['codex', 'opencode', 'gpt-5.3-codex-spark', 'openai/gpt-5.3-codex-spark (id)'],
    ['codex', 'copilot', 'gpt-6.1-sol', 'gpt-6.1-sol (same)'],
    ['opencode', 'codex', 'openai/gpt-6-astra', 'gpt-6-astra (id)'],
    ['opencode', 'codex', 'github-copilot/gpt-5.5', 'gpt-5.5 (id)'],
    ['opencode', 'copilot', 'opencode/gpt-5.4-mini', 'gpt-5.4-mini (id)'],
    ['opencode', 'gemini-cli', 'google/gemini-2.5-pro', 'gemini-2.5-pro (id)'],
    ['opencode', 'gemini-cli', 'google/gemini-3.1-pro', 'gemini-3.1-pro-preview (id)'],
    ['opencode', 'qwen-code', 'alibaba/qwen3-coder-plus', 'qwen3-coder-plus (id)'],
    ['opencode', 'claude-code', 'anthropic/claude-opus-4-5', 'claude-opus-4-5 (id)'],
    ['opencode', 'claude-code', 'opencode/claude-haiku-4-5', 'claude-haiku-4-5 (id)'],
    ['opencode', 'claude-code', 'amazon-bedrock/us.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6 (id)'],
    ['opencode', 'copilot', 'anthropic/claude-sonnet-5', 'claude-sonnet-5 (id)'],
    ['gemini-cli', 'opencode', 'gemini-3-flash-preview', 'google/gemini-3-flash-preview (id)'],
    ['qwen-code', 'opencode', 'qwen-plus', 'alibaba/qwen-plus (id)'],
    ['qwen-code', 'codex', 'openai:gpt-5.5', 'gpt-5.5 (id)'],
    // What the source writes for a tier is the tier again.
    ['opencode', 'claude-code', 'anthropic/claude-sonnet-5', 'sonnet (tier)'],
    ['opencode', 'claude-code', 'anthropic/claude-opus-5-5', 'opus (tier)'],
    ['opencode', 'agents', 'anthropic/claude-sonnet-5', 'sonnet (tier)'],
    ['copilot', 'claude-code', 'claude-haiku-5.5', 'haiku (tier)'],
    ['qwen-code', 'claude-code', 'fast', 'haiku (tier)'],
    ['qwen-code', 'codex', 'fast', 'gpt-6-luna (tier)'],
    // Another version of the family, which is said.
    ['claude-code', 'opencode', 'claude-sonnet-4-20250514', 'anthropic/claude-sonnet-5 (tier, noted)'],
    ['claude-code', 'copilot', 'claude-sonnet-4-5', 'claude-sonnet-5.5 (tier, noted)'],
    ['copilot', 'claude-code', 'claude-3.5-sonnet', 'sonnet (tier, noted)'],
    ['copilot', 'codex', 'GPT-5.4', 'gpt-5.5 (tier, noted)'],
    ['codex', 'copilot', 'gpt-5-codex', 'gpt-5.3-codex (tier, noted)'],
    ['codex', 'opencode', 'gpt-6.1-terra', 'openai/gpt-5.6-terra (tier, noted)'],
    ['opencode', 'gemini-cli', 'google/gemini-2.0-flash', 'flash (tier, noted)'],
    ['opencode', 'copilot', 'xai/grok-4', 'grok-4.7 (tier, noted)'],
    // The newest of a family is what no version means.
    ['gemini-cli', 'opencode', 'pro', 'google/gemini-3.1-pro-preview (tier)'],
    ['gemini-cli', 'opencode', 'gemini-flash', 'google/gemini-3.8-flash (tier)'],
    ['gemini-cli', 'copilot', 'flash', 'gemini-3.8-flash (tier)'],
    // Another vendor's model is nothing that could be guessed.
    ['codex', 'claude-code', 'gpt-5.4', '- (omitted, noted)'],
    ['codex', 'claude-code', 'gpt-6.1-sol', '- (omitted, noted)'],
    ['codex', 'gemini-cli', 'gpt-5.6-sol', '- (omitted, noted)'],
    ['codex', 'qwen-code', 'gpt-5.4', '- (omitted, noted)'],
    ['claude-code', 'codex', 'claude-sonnet-4-5', 'gpt-6.1-terra (tier, noted)'],
    ['claude-code', 'gemini-cli', 'claude-opus-5-5', 'pro (tier, noted)'],
    ['claude-code', 'qwen-code', 'claude-haiku-4-5', 'fast (tier, noted)'],
    ['opencode', 'codex', 'anthropic/claude-sonnet-5', 'gpt-6.1-terra (tier, noted)'],
    ['gemini-cli', 'codex', 'gemini-2.5-pro', '- (omitted, noted)'],
    ['gemini-cli', 'claude-code', 'pro', '- (omitted, noted)'],
    ['qwen-code', 'claude-code', 'qwen3-coder-plus', '- (omitted, noted)'],
    ['codex', 'claude-code', 'something-else', '- (omitted, noted)'],
    ['claude-code', 'workplace', 'sonnet', '- (omitted, noted)'],
    // The parent's model, and the program's choice.
    ['claude-code', 'opencode', 'inherit', '- (same)'],
    ['claude-code', 'codex', 'Inherit', '- (same)'],
    ['claude-code', 'qwen-code', 'inherit', '- (same)'],
    ['copilot', 'gemini-cli', 'inherit', '- (same)'],
    ['gemini-cli', 'copilot', 'auto', 'auto (same)'],
    ['gemini-cli', 'claude-code', 'auto', '- (omitted, noted)'],
    // A neutral file keeps what it is given, and gives it back.
    ['opencode', 'agents', 'zai-coding-plan/glm-5.2', 'zai-coding-plan/glm-5.2 (same)'],
    ['agents', 'opencode', 'zai-coding-plan/glm-5.2', 'zai-coding-plan/glm-5.2 (same)'],
    ['agents', 'opencode', 'opencode/claude-haiku-4-5', 'opencode/claude-haiku-4-5 (same)'],
    ['agents', 'opencode', 'pi/slow', '- (omitted, noted)'],
    ['agents', 'claude-code', 'opus[1m]', 'opus[1m] (same)'],
    ['codex', 'agents', 'gpt-6.1-terra', 'gpt-6.1-terra (same)'],
  ])('%s to %s: %s', (from, to, value, expected) => {
    expect(outcome(from, to, value)).toBe(expected)
  })

  test('a note says what was asked for and what there is', () => {
    expect(spell('claude-code', 'copilot', 'claude-sonnet-4-5').note).toBe(
      'Troupe does not know of `claude-sonnet-4-5` in GitHub Copilot; `claude-sonnet-5.5` is its current model of that family',
    )
    expect(spell('codex', 'claude-code', 'gpt-5.4').note).toBe(
      '`gpt-5.4`: Troupe knows of no model of that vendor in Claude Code; left out, so the agent uses the model of the session',
    )
  })
})

describe('several models', () => {
  const wishes = ['GPT-4.1', 'Claude Sonnet 4.6 (copilot)', 'nonsense', 'gpt-5', 'Claude Haiku 4.5 (copilot)']

  test('stay a list where the target reads one, each once', () => {
    expect(spell('agents', 'copilot', wishes)).toEqual({
      value: ['gpt-5.5', 'claude-sonnet-4.6', 'claude-haiku-4.5'],
      how: 'tier',
      note: expect.stringContaining('`nonsense` left out'),
    })
    expect(spell('agents', 'copilot', ['claude-opus-5', 'claude-haiku-4-5'])).toEqual({
      value: ['claude-opus-5', 'claude-haiku-4.5'],
      how: 'id',
    })
    expect(spell('agents', 'copilot', ['opus', 'nonsense']).value).toBe('claude-opus-5.5')
  })

  test('become the first that has a name elsewhere', () => {
    expect(outcome('copilot', 'claude-code', wishes)).toBe('claude-sonnet-4-6 (id, noted)')
    expect(outcome('copilot', 'opencode', wishes)).toBe('openai/gpt-4.1 (id, noted)')
    expect(outcome('copilot', 'codex', wishes)).toBe('gpt-5.5 (tier, noted)')
    expect(outcome('copilot', 'gemini-cli', wishes)).toBe('flash (tier, noted)')
    expect(outcome('copilot', 'qwen-code', wishes)).toBe('fast (tier, noted)')
    expect(outcome('copilot', 'claude-code', ['Claude Sonnet 4.6'])).toBe('claude-sonnet-4-6 (id)')
    expect(outcome('copilot', 'claude-code', [])).toBe('- (same)')
  })

  test('may stand in one text', () => {
    expect(outcome('copilot', 'claude-code', "GPT-4.1 | 'gpt-5' | 'Claude Sonnet 4.5'")).toBe(
      'claude-sonnet-4-5 (id, noted)',
    )
    expect(outcome('agents', 'opencode', 'pi/smol, haiku, flash, mini')).toBe(
      'anthropic/claude-haiku-4-5 (tier, noted)',
    )
  })
})

describe("the user's own map", () => {
  const own: ModelMap = {
    'gpt-5.4': 'opus',
    'gpt-5.6-sol': 'claude-opus-4-8',
    sonnet: 'inherit',
    haiku: null,
    'a, b': 'sonnet',
  }

  test('wins', () => {
    expect(spell('codex', 'claude-code', 'gpt-5.4', own)).toEqual({ value: 'opus', how: 'map' })
    expect(spell('codex', 'opencode', 'gpt-5.4', own)).toEqual({ value: 'anthropic/claude-opus-5-5', how: 'map' })
    expect(spell('codex', 'qwen-code', 'gpt-5.4', own)).toEqual({ value: null, how: 'map' })
    expect(spell('codex', 'claude-code', 'gpt-5.6-sol', own)).toEqual({ value: 'claude-opus-4-8', how: 'map' })
    expect(spell('claude-code', 'opencode', 'sonnet', own)).toEqual({ value: null, how: 'map' })
    expect(spell('claude-code', 'claude-code', 'haiku', own)).toEqual({ value: null, how: 'map' })
    expect(spell('claude-code', 'codex', 'a, b', own)).toEqual({ value: 'gpt-6.1-terra', how: 'map' })
    expect(spell('copilot', 'claude-code', ['nonsense', 'gpt-5.6-sol'], own)).toMatchObject({
      value: 'claude-opus-4-8',
    })
  })

  test('is for exactly what it names', () => {
    expect(outcome('codex', 'claude-code', 'GPT-5.4')).toBe('- (omitted, noted)')
    expect(spell('claude-code', 'opencode', 'constructor', own).how).toBe('omitted')
    expect(spell('claude-code', 'opencode', 'opus', own).value).toBe('anthropic/claude-opus-5-5')
  })
})

describe('there and back', () => {
  test.each(['opencode', 'copilot', 'agents'])('a tier survives %s', (by) => {
    for (const tier of ['opus', 'sonnet', 'haiku', 'fable']) {
      const there = spell('claude-code', by, tier).value
      expect([there, spell(by, 'claude-code', there ?? '').value]).toEqual([there, tier])
    }
  })

  test('an exact model survives OpenCode', () => {
    for (const id of harness('claude-code').models.known) {
      const there = spell('claude-code', 'opencode', id)
      if (there.how !== 'id' || Object.values(harness('opencode').models.tiers).includes(String(there.value))) continue
      expect([id, spell('opencode', 'claude-code', there.value ?? '').value]).toEqual([id, id])
    }
  })

  test('nothing happens to a model that stays where it is', () => {
    for (const id of six) {
      for (const value of ['inherit', 'sonnet', 'whatever, this is', ['x', 'y']])
        expect(spell(id, id, value)).toEqual({ value, how: 'same' })
    }
  })
})

/** As they stand in real files. */
const seen = [
  ...['sonnet', 'opus', 'haiku', 'fable', 'inherit', 'auto', 'claude-sonnet-4-20250514', 'claude-sonnet-4-5'],
  ...['claude-opus-5', 'claude-opus-4-8', 'claude-sonnet-4-6', 'claude-haiku-4-5', 'claude-sonnet-4-5-20250929'],
  ...['claude-sonnet-4', 'claude-3.5-sonnet', 'claude-opus-4.7', 'claude-sonnet-4.6', 'Claude Sonnet 4'],
  ...['Claude Sonnet 4.5', 'Claude Sonnet 4.6', 'Claude Opus 4.7', 'Claude Sonnet 4.5 (copilot)'],
  ...['Claude Sonnet 4.6 (copilot)', 'Claude Opus 4.6 (copilot)', 'Claude Haiku 4.5 (copilot)', 'GPT-4.1 (copilot)'],
  ...['gpt-5.4', 'gpt-5.3-codex-spark', 'GPT-4.1', 'GPT-5', 'gpt-4.1', 'gpt-5.6-sol', 'gpt-5', 'gpt-4o', 'gpt-4'],
  ...['GPT-5.3-Codex', 'GPT-5.4', 'gpt-5.4-mini', "GPT-4.1 | 'gpt-5' | 'Claude Sonnet 4.5'"],
  ...['anthropic/claude-opus-4-5', 'anthropic/claude-sonnet-4-5', 'anthropic/claude-haiku-4-5'],
  ...['opencode/claude-haiku-4-5', 'opencode/gpt-5.4-mini', 'gemini-pro', 'gemini-flash', 'qwen-plus', 'qwen-max'],
  ...['qwen-turbo', 'qwen3-coder-plus', 'pi/slow, gpt-5.2-codex, gpt-5.2, codex, gpt', 'pi/smol, haiku, flash, mini'],
]

/** The findings about models that the target's own check has for it. */
function complaints(target: Harness, value: string): string[] {
  const carrier = target.carriers[0] as Carrier
  const text =
    carrier.format === 'toml'
      ? `name = "a"\ndescription = "d"\ndeveloper_instructions = "x"\nmodel = "${value}"\n`
      : `---\nname: a\ndescription: d\nmodel: "${value}"\n---\nYou do one thing.\n`
  const read = readAs(target.id, { text })
  const [first] = read.agents
  if (first === undefined) throw new Error('nothing was read')
  const findings = checkDefinition({ registry, harness: target, carrier, document: read.document, ...first })
  return findings.filter(({ code }) => code === 'unknown-model').map(({ message }) => message)
}

describe('what is written is never what the target fails on', () => {
  test.each(six)('%s', (to) => {
    const target = harness(to)
    const { known, aliases } = target.models
    for (const from of [...six, 'agents']) {
      if (from === to) continue
      for (const text of seen) {
        const { value, how } = spell(from, to, text)
        for (const id of typeof value === 'string' ? [value] : (value ?? [])) {
          const isKept = from === 'agents' && id === text && id.includes('/')
          expect([from, text, id, known.includes(id) || aliases.includes(id) || isKept]).toEqual([from, text, id, true])
          expect(complaints(target, id)).toEqual([])
        }
        if (value === null) expect(['same', 'omitted']).toContain(how)
      }
    }
  })

  test.each(six)('%s accepts what it is known to list, and all of that is understood', (id) => {
    const target = harness(id)
    const { known, aliases, tiers, inherit } = target.models
    for (const model of known) {
      expect([model, complaints(target, model)]).toEqual([model, []])
      expect([model, understandModel(model)]).not.toEqual([model, null])
    }
    expect(known).toEqual([...new Set(known)])
    for (const tier of Object.values(tiers)) expect([...known, ...aliases, inherit]).toContain(tier)
  })
})

test('check takes the words that the program takes, as it was seen to take them', () => {
  const taken: Record<string, readonly string[]> = {
    'claude-code': ['Sonnet', 'SONNET', 'opus[1M]', 'Best', 'opusplan', 'INHERIT', 'claude-sonnet-4-5[1m]'],
    'gemini-cli': ['pro', 'flash-lite', 'auto', 'inherit', 'gemini-2.5-pro'],
    copilot: ['inherit', 'auto', 'kimi-k3', 'mai-code-1.1-flash', 'Claude Sonnet 4.5 (copilot)'],
    'qwen-code': ['inherit', 'fast', 'qwen3-coder-plus', 'glm-5'],
  }
  const refused: Record<string, readonly string[]> = {
    'claude-code': ['sonnet4.5', 'gpt-5', 'Claude Sonnet 4.5'],
    'gemini-cli': ['Pro', 'Inherit', 'sonnet', 'constructor'],
    copilot: ['Inherit', 'sonnet'],
    'qwen-code': ['Inherit', 'sonnet'],
  }
  for (const [id, words] of Object.entries(taken))
    for (const word of words) expect([id, word, complaints(harness(id), word)]).toEqual([id, word, []])
  for (const [id, words] of Object.entries(refused))
    for (const word of words) expect([id, word, complaints(harness(id), word).length]).toEqual([id, word, 1])
})

test('a name is looked up once', () => {
  expect(spell('claude-code', 'opencode', 'claude-opus-4-6')).toBe(spell('claude-code', 'opencode', 'claude-opus-4-6'))
})
