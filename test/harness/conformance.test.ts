/** Whatever a harness file claims is held against the engine, without a line of test code per harness. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { checkDefinition } from '../../src/check/check.ts'
import { prsFile } from '../../src/formats/promptscript/render.ts'
import { tomlString } from '../../src/formats/toml/render.ts'
import { builtInLibrary } from '../../src/harness/library.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import {
  type Carrier,
  consequences,
  type Each,
  type FieldSpec,
  type Harness,
} from '../../src/harness/schema/harness.ts'
import { loadHarness } from '../../src/harness/schema/load.ts'
import { mcpTool, resolveTool } from '../../src/harness/units.ts'
import { decide } from '../../src/model/access/decide.ts'
import { concepts } from '../../src/model/agent.ts'
import { expandBraces, suffixPattern } from '../../src/model/path-glob.ts'
import { neutralTools } from '../../src/model/tools.ts'
import { parseSteps } from '../commands/console.ts'
import { readAs } from '../reading.ts'

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value }

/** The example of CONTRIBUTING.md is held to the same. */
const example = loadHarness(
  parseSteps(readFileSync('CONTRIBUTING.md', 'utf8'), 'console')
    .filter(({ kind, subject }) => kind === 'file' && subject.endsWith('.yaml'))
    .map(({ subject, text }) => ({ name: subject, path: subject, text })),
  builtInLibrary,
)
if ('problems' in example) throw new Error(JSON.stringify(example.problems))
const registry = createRegistry([example.harness])

/** A definition in the format of the harness's first kind of file, with a long enough prompt. */
function definition(harness: Harness, values: Readonly<Record<string, Value>>): string {
  const carrier = harness.carriers[0] as Carrier
  const prompt = 'You are an agent that exists to be read.'
  const all: Record<string, Value> = { ...required(harness), ...values }
  if (carrier.format === 'toml') {
    if (carrier.prompt.key !== undefined) all[carrier.prompt.key] = prompt
    const plain = Object.entries(all).map(([key, value]) => `${key} = ${tomlValue(value)}`)
    return `${plain.join('\n')}\n`
  }
  if (carrier.prompt.in === 'key') all[carrier.prompt.key as string] = prompt
  if (carrier.agents?.as === 'list') return stringify({ [carrier.agents.at]: [nested(all)] })
  if (carrier.format === 'yaml' || carrier.format === 'json') return stringify(nested(all))
  if (carrier.format === 'prs')
    return prsFile('agents', { 'an-agent': { ...(nested(all) as object), content: prompt } })
  return `---\n${stringify(nested(all))}---\n${prompt}\n`
}

/** Dotted keys reach into maps. */
function nested(values: Readonly<Record<string, Value>>): object {
  const result: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(values)) {
    const [outer = '', inner] = key.split('.')
    result[outer] = inner === undefined ? value : { ...(result[outer] as object), [inner]: value }
  }
  return result
}

function tomlValue(value: Value): string {
  if (typeof value === 'string') return tomlString(value)
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`
  if (typeof value !== 'object') return String(value)
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key} = ${tomlValue(one)}`)
    .join(', ')} }`
}

function required(harness: Harness): Record<string, Value> {
  const { name } = harness.carriers[0] as Carrier
  const keys: Record<string, Value> = name.key === undefined ? {} : { [name.key]: 'an-agent' }
  for (const spec of Object.values(harness.fields)) {
    if (spec?.key !== undefined && spec.missing !== undefined && spec.missing !== 'accepted')
      keys[spec.key] = 'Something to say'
  }
  return keys
}

function check(harness: Harness, text: string) {
  const read = readAs(harness.id, { text }, registry)
  const [first] = read.agents
  const carrier = harness.carriers[0] as Carrier
  if (first === undefined) throw new Error('nothing was read')
  const findings = checkDefinition({ registry, harness, carrier, document: read.document, ...first })
  return { ...first, findings: [...read.findings, ...findings] }
}

/** A value that the field's own constraints accept. */
function sample(concept: string, spec: FieldSpec, harness: Harness): Value | null {
  if (concept === 'model') return Object.values(harness.models.tiers)[0] ?? null
  const [value] = spec.values ?? []
  if (value !== undefined) return value
  const [shape = 'string'] = spec.shape ?? []
  if (spec.pattern !== undefined && shape === 'string')
    return concept === 'color' ? (Object.values(harness.colors ?? {})[0] ?? '#123456') : 'Some text'
  return sampleOf(shape, spec)
}

/** A value of a shape, with whatever must stand inside it. */
function sampleOf(shape: string, { each, needs, keys }: Each & Pick<FieldSpec, 'keys'>): Value | null {
  const inner = each === undefined ? 'one' : (sampleOf(each.shape?.[0] ?? 'string', each) ?? 'one')
  const samples: Record<string, Value> = {
    string: 'text',
    number: 0.5,
    integer: 5,
    boolean: true,
    list: [inner],
    map: Object.fromEntries((needs?.[0] ?? keys?.slice(0, 1) ?? ['a']).map((key) => [key, inner])),
  }
  return samples[shape] ?? null
}

describe.each(registry.all)('$id', (harness) => {
  const carrier = harness.carriers[0] as Carrier

  test('speaks of every concept and has a word, or none, for every tool', () => {
    expect(Object.keys(harness.fields).sort()).toEqual(Object.keys(concepts).sort())
    expect(Object.keys(harness.words).sort()).toEqual([...neutralTools].sort())
  })

  test('writes where it reads', () => {
    for (const { project } of harness.carriers) {
      if (project?.write === undefined) continue
      const path = project.write.replace('{name}', 'some-agent')
      expect(project.read.flatMap(expandBraces).some((pattern) => suffixPattern(pattern).test(path))).toBe(true)
    }
  })

  test('a plain definition is read without a problem', () => {
    const { findings, agent } = check(harness, definition(harness, {}))
    expect(findings.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([])
    expect(agent.recovered).toBe(false)
  })

  test('what it needs is missed when it is absent', () => {
    for (const key of Object.keys(required(harness))) {
      const missing = key === carrier.name.key ? carrier.name.missing : undefined
      if (key === carrier.name.key && (missing === undefined || missing === 'accepted')) continue
      const values = required(harness)
      const text = definition(harness, {})
        .split('\n')
        // The first key of an item of a list holds the others.
        .map((line) => (line.trimStart().startsWith(`- ${key}:`) ? line.replace(/\w.*/, 'other: 1') : line))
        .filter((line) => !line.trimStart().startsWith(key))
        .join('\n')
      expect(values[key]).toBeDefined()
      expect(check(harness, text).findings.map(({ code }) => code)).toContain('missing-key')
    }
  })

  test('every field takes a value of its own shape, and comes back as its concept', () => {
    for (const [concept, spec] of Object.entries(harness.fields)) {
      if (spec?.key === undefined) continue
      const value = sample(concept, spec, harness)
      if (value === null) continue
      const { agent, findings } = check(harness, definition(harness, { [spec.key]: value }))
      expect([concept, findings.filter(({ code }) => code === 'invalid-value' || code === 'unknown-key')]).toEqual([
        concept,
        [],
      ])
      expect(Object.keys(agent.fields)).toContain(concept)
    }
  })

  test('every listed value is accepted, and another is not', () => {
    for (const spec of Object.values(harness.fields)) {
      if (spec?.key === undefined || spec.values === undefined) continue
      for (const value of spec.values) {
        const { findings } = check(harness, definition(harness, { [spec.key]: value }))
        expect(findings.filter(({ code }) => code === 'invalid-value')).toEqual([])
      }
      const { findings } = check(harness, definition(harness, { [spec.key]: 'certainly-not-this' }))
      const expected = (spec.invalid ?? harness.invalidValue) === 'accepted' ? [] : ['invalid-value']
      expect(findings.map(({ code }) => code).filter((code) => code === 'invalid-value')).toEqual(expected)
    }
  })

  const lists = harness.access.layers.filter(
    ({ codec, shape }) => codec === 'allow-list' && shape?.includes('list') === true,
  )
  test.each(lists)('every unit in $key grants exactly what the file says', (layer) => {
    for (const [name, unit] of Object.entries(harness.units)) {
      const { agent } = check(harness, definition(harness, { [layer.key]: [name] }))
      expect([name, agent.tools]).toEqual([name, unit.grants.includes('*') ? null : unit.grants])
      for (const tool of neutralTools) {
        const allowed =
          decide(
            agent.access.filter(({ origin }) => origin === layer.key),
            { tool },
          ).action !== 'deny'
        const always = harness.access.always.some(({ tool: one }) =>
          resolveTool(harness, registry.all, one).grants.includes(tool),
        )
        expect([name, tool, allowed]).toEqual([
          name,
          tool,
          unit.grants.includes(tool) || unit.grants.includes('*') || always,
        ])
      }
    }
  })

  test.each(harness.mcp === null ? [] : [harness.mcp])('its MCP spelling $tool is understood', ({ tool, flat }) => {
    const spelled = tool.replace('{server}', 'docs').replace('{tool}', 'find')
    expect(mcpTool(harness, spelled)).toBe(flat ? 'mcp:docs_find' : 'mcp:docs/find')
  })

  test('the models and colours it would write are accepted by itself', () => {
    const key = harness.fields.model?.key
    for (const id of key === undefined ? [] : Object.values(harness.models.tiers)) {
      const { findings } = check(harness, definition(harness, { [key as string]: id }))
      expect([id, findings.filter(({ code }) => code === 'unknown-model')]).toEqual([id, []])
    }
    const color = harness.fields.color?.key
    for (const value of color === undefined ? [] : Object.values(harness.colors ?? {})) {
      const { findings } = check(harness, definition(harness, { [color as string]: value }))
      expect(findings.filter(({ code }) => code === 'invalid-value')).toEqual([])
    }
  })

  test('an unknown key has the consequence that the file names', () => {
    const { findings } = check(harness, definition(harness, { 'surely-unknown': 'x' }))
    const said = findings.filter(({ code }) => code === 'unknown-key').map(({ consequence }) => consequence)
    expect(said).toEqual(harness.unknownKeys === 'accepted' ? [] : [harness.unknownKeys])
    expect(consequences).toContain(harness.unknownKeys)
  })
})
