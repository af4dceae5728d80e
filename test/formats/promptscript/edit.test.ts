/** Values set in PromptScript, and removed; nothing else changes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getNode, sameData, toData } from '../../../src/formats/data.ts'
import { applyEdits } from '../../../src/formats/edit/edits.ts'
import { removePrsValue, setPrsValue } from '../../../src/formats/promptscript/edit.ts'
import { parsePrs } from '../../../src/formats/promptscript/parse.ts'
import { prsFile } from '../../../src/formats/promptscript/render.ts'
import type { Json } from '../../../src/model/agent.ts'
import type { Edit } from '../../../src/model/range.ts'
import { runs } from '../../chance.ts'

const apply = (text: string, edits: Edit[] | null) => (edits === null ? null : applyEdits(text, edits))
const set = (text: string, path: string[], value: Json) => apply(text, setPrsValue(text, path, value))
const remove = (text: string, path: string[]) => apply(text, removePrsValue(text, path))
const lines = (...all: string[]) => `${all.join('\n')}\n`

const FILE = lines(
  '# head',
  '@meta { id: "x" syntax: "1.1.0" }',
  '@use ./base # of all',
  '',
  '@agents {',
  '    # the planner',
  '    planner: {',
  '        description: "Plans" # why',
  '        tools: [Read, "Grep"]',
  '        content: """',
  '        You plan.',
  '        """',
  '    }',
  '    "9lives": { description: "Cat", model: opus }',
  '    # the end',
  '}',
  '',
  '@restrictions {',
  '  - "Never"',
  '}',
)
const changed = (from: string, to: string) => {
  expect(FILE).toContain(from)
  return FILE.replace(from, () => to)
}

describe('setPrsValue', () => {
  it('makes a file', () => {
    const expected = lines(
      '@meta {',
      '  id: "agents"',
      '  syntax: "1.1.0"',
      '}',
      '',
      '@agents {',
      '  "use": {',
      '    description: "Says \\"hello\\""',
      '    tools: ["Read", "Bash(git *)"]',
      '    hooks: {',
      '      "a b": [{ x: 1, y: { z: null } }]',
      '    }',
      '    content: """',
      'Line one',
      '  - two',
      '"""',
      '  }',
      '}',
    )
    const agent = {
      description: 'Says "hello"',
      tools: ['Read', 'Bash(git *)'],
      hooks: { 'a b': [{ x: 1, y: { z: null } }] },
      content: '\nLine one\n  - two\n',
    }
    expect(set('', ['agents', 'use'], agent)).toBe(expected)
  })

  it('adds an agent, a field and a block', () => {
    const agent = lines('    new: {', '        description: "New"', '    }')
    expect(set(FILE, ['agents', 'new'], { description: 'New' })).toBe(
      changed('    # the end\n', `${agent}    # the end\n`),
    )
    const model = '        """\n        model: "opus"\n'
    expect(set(FILE, ['agents', 'planner', 'model'], 'opus')).toBe(changed('        """\n    }', `${model}    }`))
    const inline = '{ description: "Cat", model: opus, maxTurns: 3 }'
    expect(set(FILE, ['agents', '9lives', 'maxTurns'], 3)).toBe(changed('{ description: "Cat", model: opus }', inline))
    expect(set(FILE, ['skills', 'a'], { x: true })).toBe(`${FILE}\n@skills {\n  a: {\n    x: true\n  }\n}\n`)
  })

  it('replaces only what differs', () => {
    const planner = { description: 'Plans', tools: ['Read', 'Grep'], content: '\nYou plan.\n' }
    expect(set(FILE, ['agents', 'planner'], planner)).toBe(FILE)
    expect(set(FILE, ['agents', 'planner'], { ...planner, tools: ['Read'] })).toBe(
      changed('[Read, "Grep"]', '["Read"]'),
    )
    expect(set(FILE, ['agents', 'planner', 'content'], '\nOther.\nLines.\n')).toBe(
      changed('"""\n        You plan.\n        """', '"""\nOther.\nLines.\n"""'),
    )
  })

  it('writes as the file does where lines end with CR LF', () => {
    const windows = FILE.replaceAll('\n', '\r\n')
    const text = set(windows, ['agents', 'new'], { description: 'New', content: 'a\nb' })!
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
    expect(toData(getNode(parsePrs(text).root, ['agents', 'new'])!)).toEqual({ description: 'New', content: 'a\nb' })
  })

  it('leaves alone what it cannot be sure of', () => {
    expect(set('@agents { a: ] }', ['agents', 'b'], {})).toBeNull()
    expect(set(FILE, ['agents', 'planner', 'description', 'x'], 1)).toBeNull()
    expect(set('@agents { """text""" }', ['agents', 'a'], {})).toBeNull()
    expect(set(FILE, [], {})).toBeNull()
  })
})

describe('removePrsValue', () => {
  it('takes out nothing else', () => {
    expect(remove(FILE, ['agents', '9lives'])).toBe(changed('    "9lives": { description: "Cat", model: opus }\n', ''))
    expect(remove(FILE, ['agents', 'planner', 'tools'])).toBe(changed('        tools: [Read, "Grep"]\n', ''))
    expect(remove(FILE, ['agents', '9lives', 'description'])).toBe(changed('description: "Cat", ', ''))
    expect(remove(FILE, ['agents', 'nobody'])).toBe(FILE)
    expect(remove(FILE, ['agents'])).toBeNull()
  })
})

const word = fc.oneof(
  fc.string({
    unit: fc.constantFrom('"', '\\', 'n', '\n', "'", ' ', 'a', '{', '}', '#', '@', '\r', '\t'),
    maxLength: 12,
  }),
  fc.string({ maxLength: 8 }),
  fc.constantFrom('use', 'true', 'null', 'string', '9', '-', 'a.b', '__proto__', 'constructor', ''),
)
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    word,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(word, tie('json'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))
const agent = fc.dictionary(fc.oneof(word, fc.constant('content')), json, { maxKeys: 4, noNullPrototype: true })
const agents = fc.dictionary(word, agent, { maxKeys: 3, noNullPrototype: true })
const readAgents = (text: string) => toData(getNode(parsePrs(text).root, ['agents'])!)

describe('whatever the data', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(agents, fc.constantFrom('\n' as const, '\r\n' as const), (data, lineEnd) => {
        const text = prsFile('agents', data, { lineEnd, unit: '  ' })
        expect(parsePrs(text).findings).toEqual([])
        expect(sameData(readAgents(text), data)).toBe(true)
      }),
      runs(300),
    )
  })

  it('can be changed into any other, and nothing else changes', () => {
    fc.assert(
      fc.property(agents, word, agent, (data, name, value) => {
        const before = prsFile('agents', { ...data, other: { x: 1 } })
        const text = set(before, ['agents', name], value)
        expect(text).not.toBeNull()
        const wanted = { ...data, other: { x: 1 } }
        Object.defineProperty(wanted, name, { value, enumerable: true, configurable: true, writable: true })
        expect(sameData(readAgents(text!), wanted)).toBe(true)
        const without = remove(text!, ['agents', name])!
        const { [name]: _gone, ...rest } = wanted as Record<string, Json>
        expect(sameData(readAgents(without), rest)).toBe(true)
      }),
      runs(300),
    )
  })

  it('never throws, and gives places inside the text', () => {
    const piece = fc.constantFrom(
      ...['@agents', '@use', '{', '}', '}}', '{{', '[', ']', '(', ')', ':', ',', '=', '"', '"""', "'", '#', '\n', '\\'],
      ...['a', 'true', '1', '-', '.', './x', '$' + '{A}', '\0', '\uFEFF', '§', ' ', '\r\n'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (all) => {
        const text = all.join('')
        const { findings } = parsePrs(text)
        for (const { range } of findings) {
          expect(range.start).toBeGreaterThanOrEqual(0)
          expect(range.end).toBeGreaterThanOrEqual(range.start)
          expect(range.end).toBeLessThanOrEqual(text.length)
        }
        setPrsValue(text, ['agents', 'x'], { y: 1 })
        removePrsValue(text, ['agents', 'a'])
      }),
      runs(1000),
    )
  })
})
