/** Whatever is imported is a valid harness file that the engine can work with, and whatever is not is told, without a throw. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtInLibrary } from '../../../src/harness/library.ts'
import { createRegistry } from '../../../src/harness/registry.ts'
import type { Harness } from '../../../src/harness/schema/harness.ts'
import { loadHarness } from '../../../src/harness/schema/load.ts'
import { concepts } from '../../../src/model/agent.ts'
import { neutralTools } from '../../../src/model/tools.ts'
import { runs } from '../../chance.ts'
import { adapter, agentFields, bring, fields, openCodeV1, tools } from './adapters.ts'
import { convert } from './convert.ts'

const places = {
  file: '',
  command: fields({ plugin_root: '.some', skill_dir: 'commands', agent_dir: 'null', file_extension: '.md' }),
  prompt: fields({ plugin_root: '.some', skill_dir: 'null', agent_dir: 'null', file_extension: '.md' }),
  toml: fields({ plugin_root: '.some', skill_dir: 'x', agent_dir: 'agents', file_extension: '.toml' }),
  json: fields({ plugin_root: '.some', skill_dir: 'x', agent_dir: 'agents', file_extension: '.json' }),
}

const samples: Readonly<Record<string, string>> = {
  'the first OpenCode': openCodeV1,
  'agent files': adapter(),
  commands: adapter({ 'Directory Structure': places.command }),
  prompts: adapter({ 'Directory Structure': places.prompt }),
  TOML: adapter({ 'Directory Structure': places.toml }),
  JSON: adapter({ 'Directory Structure': places.json }),
  'a map of permissions': adapter({ 'Frontmatter Translations': agentFields({ name: 'name', tools: 'permission' }) }),
  'an entry': adapter({
    'Directory Structure': places.prompt,
    'Frontmatter Translations': agentFields({
      name: 'embedded:config-key',
      model: 'agents.{name}.model',
      prompt: 'agents.{name}.prompt',
    }),
    'Config File Format': fields({ config_file: 'some.json', config_format: 'json' }),
  }),
}

function check({ text, harness, diagnostics }: ReturnType<typeof bring>): Harness | null {
  if (text === null || harness === null) {
    expect([text, harness]).toEqual([null, null])
    expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true)
    return null
  }
  expect(loadHarness([{ name: 'harness.yaml', path: 'harness.yaml', text }], builtInLibrary)).toMatchObject({ harness })
  expect(harness.evidence.default).toBe('claimed')
  expect(Object.keys(harness.fields).sort()).toEqual(Object.keys(concepts).sort())
  expect(Object.keys(harness.words).sort()).toEqual([...neutralTools].sort())
  return harness
}

describe.each(Object.entries(samples))('%s', (_title, text) => {
  test('make a valid harness file', () => {
    expect(check(bring(text))).not.toBe(null)
  })

  test('that agents can be converted to', () => {
    const { harness } = bring(text, 'imported')
    if (harness === null) throw new Error('not imported')
    for (const lines of [
      [],
      ['tools: Read'],
      ['tools: Read, Bash, mcp__x__y', 'model: opus'],
      ['disallowedTools: Bash'],
    ]) {
      const { record, output } = convert(harness, ['name: some-agent', 'description: Does things', ...lines])
      expect(record.features.length).toBeGreaterThan(0)
      expect(output.kind === 'file' ? output.text : JSON.stringify(output.settings)).toContain('You are an agent')
    }
  })

  test('with every line changed or gone, it is valid or it is told why not', () => {
    const lines = text.split('\n')
    const change = fc.record({
      at: fc.nat(lines.length - 1),
      by: fc.oneof(
        fc.constant(null),
        fc.constantFrom('| | |', '|', '## ', '| a | b', '---', '```', '| name | {x} |', '| Read | composite: |'),
        fc.string(),
      ),
    })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const copy: (string | null)[] = [...lines]
        for (const { at, by } of changes) copy[at] = by
        check(bring(copy.filter((line) => line !== null).join('\n')))
      }),
      runs(60),
    )
  })
})

test('values of any kind are no way to a broken file', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 }), { minLength: 12, maxLength: 12 }), (values) => {
      const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '', i = '', j = '', k = '', l = ''] = values
      check(
        bring(
          adapter({
            'Platform Metadata': fields({ name: a, slug: b }),
            'Directory Structure': fields({ plugin_root: c, skill_dir: d, agent_dir: e, file_extension: f }),
            'Tool Name Mappings': tools({ Read: g, Bash: `partial:${h}`, Grep: [`composite:${i}+x`, j] }),
            'Frontmatter Translations': agentFields({ name: k, model: l, tools: a, description: b }),
          }),
        ),
      )
    }),
    runs(300),
  )
})

test('names that every object has are names like any other', () => {
  const text = adapter({
    'Tool Name Mappings': tools({ Read: 'constructor', Bash: '__proto__', constructor: 'x' }),
    'Model Tier Mappings': '| Claude Code Model | Target |\n|---|---|\n| constructor | x |\n| opus | __proto__ |',
    'Frontmatter Translations': agentFields({ name: '__proto__', description: 'constructor', toString: 'x' }),
  })
  const harness = check(bring(text))
  expect(harness?.words).toMatchObject({ read: 'constructor', shell: '__proto__' })
})

test('an imported harness takes the place of one with its id', () => {
  const { harness } = bring(openCodeV1)
  const registry = createRegistry(harness === null ? [] : [harness])
  expect(registry.byId('opencode')).toBe(harness)
})
