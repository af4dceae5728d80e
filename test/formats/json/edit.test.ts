/** Values set in JSON and JSONC, and removed: the comments stay, and so does all else. */
import fc from 'fast-check'
import { getNodeValue, type ParseError, parseTree, visit } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../../src/formats/data.ts'
import { applyEdits } from '../../../src/formats/edit/edits.ts'
import { removeJsonValue, setJsonValue } from '../../../src/formats/json/edit.ts'
import type { Json, JsonObject } from '../../../src/model/agent.ts'
import type { Edit } from '../../../src/model/range.ts'
import { runs } from '../../chance.ts'
import { changeData, expectLineEnds } from '../change-data.ts'

const apply = (text: string, edits: Edit[] | null) => (edits === null ? null : applyEdits(text, edits))
const set = (text: string, path: string[], value: Json) => apply(text, setJsonValue(text, path, value))
const remove = (text: string, path: string[]) => apply(text, removeJsonValue(text, path))
const lines = (...all: string[]) => `${all.join('\n')}\n`

const CONFIG = lines(
  '// head',
  '{',
  '  "$schema": "x", // schema',
  '  /* agents */',
  '  "agent": {',
  '    "a": { "mode": "primary" },',
  '    "b": {',
  '      "tools": ["x", "y"], // keep',
  '      // why',
  '      "rules": {',
  '        "*": "ask", // all',
  '        "git *": "allow"',
  '      }',
  '      // end of b',
  '    } // b',
  '    // end of agents',
  '  }',
  '}',
)
const changed = (from: string, to: string) => {
  expect(CONFIG).toContain(from)
  return CONFIG.replace(from, () => to)
}

describe('setJsonValue', () => {
  it('adds behind the last entry and the comment on its line', () => {
    const added = ['    }, // b', '    "c": {', '      "mode": "x",', '      "tools": [', '        "t"', '      ],']
    expect(set(CONFIG, ['agent', 'c'], { mode: 'x', tools: ['t'], e: {} })).toBe(
      changed('    } // b\n', lines(...added, '      "e": {}', '    }')),
    )
  })

  it('replaces only what differs', () => {
    expect(set(CONFIG, ['agent', 'b', 'tools'], ['x', 'z', 'y'])).toBe(changed('["x", "y"]', '["x", "z", "y"]'))
    expect(set(CONFIG, ['agent', 'b', 'rules', '*'], 'deny')).toBe(changed('"ask"', '"deny"'))
    const rules = { '*': 'deny', 'rm *': 'deny', 'git *': 'allow' }
    expect(set(CONFIG, ['agent', 'b'], { tools: ['y'], rules })).toBe(
      changed('["x", "y"]', '["y"]').replace('"ask", // all\n', '"deny", // all\n        "rm *": "deny",\n'),
    )
  })

  it('says nothing where nothing changes', () => {
    expect(setJsonValue(CONFIG, ['agent', 'a'], { mode: 'primary' })).toEqual([])
    expect(setJsonValue('{"a": 1.0, "b": "\\u0061"}', ['b'], 'a')).toEqual([])
    expect(setJsonValue('{"a": 1.0}', ['a'], 1)).toEqual([])
  })

  it('writes keys in the order given, because the last rule may win', () => {
    expect(set(CONFIG, ['agent', 'b', 'rules'], { 'git *': 'allow', '*': 'ask' })).toBe(
      changed(
        '      "rules": {\n        "*": "ask", // all\n        "git *": "allow"\n',
        '      // all\n      "rules": {\n        "git *": "allow",\n        "*": "ask"\n',
      ),
    )
    expect(set('{"r": {"rm": "deny"}}', ['r'], { '*': 'allow', rm: 'deny' })).toBe(
      '{"r": {"*": "allow", "rm": "deny"}}',
    )
  })

  it('keeps the comments of what is replaced', () => {
    const text = set(CONFIG, ['agent', 'b'], 5)!
    expect(text).toContain('    // keep\n    // why\n    // all\n    // end of b\n    "b": 5 // b\n')
  })

  it.each([
    ['', '{\n  "a": 1\n}\n'],
    ['\uFEFF', '\uFEFF{\n  "a": 1\n}\n'],
    [' \r\n', '{\r\n  "a": 1\r\n}\r\n'],
    ['// c', '// c\n{\n  "a": 1\n}\n'],
    ['/* c */\n\n', '/* c */\n\n{\n  "a": 1\n}\n'],
    ['{}', '{\n  "a": 1\n}'],
    ['{\n}\n', '{\n  "a": 1\n}\n'],
    ['{ // c\n}', '{ // c\n  "a": 1\n}'],
    ['{ /* c */ }', '{ /* c */\n  "a": 1\n}'],
    ['{"b":{}}', '{"b":{},"a":1}'],
    ['{ "b": 2 }', '{ "b": 2, "a": 1 }'],
    ['{"b": 2 /* c */}', '{"b": 2, /* c */ "a": 1}'],
    ['{"b": 2,}', '{"b": 2, "a": 1,}'],
    ['{\n\t"b": 2,\n}', '{\n\t"b": 2,\n\t"a": 1,\n}'],
    ['{\n    "b": 2 // c\n    ,\n}', '{\n    "b": 2 // c\n    ,\n    "a": 1,\n}'],
    ['{\r\n "b": 2 // c\r\n}\r\n', '{\r\n "b": 2, // c\r\n "a": 1\r\n}\r\n'],
    ['{\n  "b": 2}', '{\n  "b": 2,\n  "a": 1}'],
    ['{"b": 2 // c\r}', '{"b": 2, // c\n  "a": 1\r}'],
    ['{"b" : 2}', '{"b" : 2, "a" : 1}'],
    ['{"a": 2, "a": 3}', '{"a": 2, "a": 1}'],
  ])('adds to %j', (text, expected) => {
    expect(set(text, ['a'], 1)).toBe(expected)
    expect(set(expected, ['a'], 1)).toBe(expected)
  })

  it('makes the parents that are missing', () => {
    expect(set('{\r\n\t"x": 1\r\n}', ['a', 'b'], [1])).toBe(
      '{\r\n\t"x": 1,\r\n\t"a": {\r\n\t\t"b": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}',
    )
    expect(set('{"a":{}}', ['a', 'b', 'c'], { d: [1, 2] })).toBe('{"a":{"b":{"c":{"d":[1,2]}}}}')
    expect(set('{ "a": { "x": 1 } }', ['a', 'b', 'c'], 1)).toBe('{ "a": { "x": 1, "b": { "c": 1 } } }')
  })

  it('changes lists item by item', () => {
    const text = '{\n\t"a": [\n\t\t"x", // ex\n\t\t"y", // why\n\t\t{"k": 1},\n\t],\n}'
    expect(set(text, ['a'], ['x', { k: 1 }])).toBe(text.replace('"y", // why', '// why'))
    expect(set(text, ['a'], ['x', 'z', { k: 2 }, 3])).toBe(
      text.replace('"y"', '"z"').replace('{"k": 1},', '{"k": 2},\n\t\t3,'),
    )
    expect(set('{"a": [1, 2]}', ['a'], [0, 1, 2])).toBe('{"a": [0, 1, 2]}')
    expect(set('{"a": [1, 2]}', ['a'], [])).toBe('{"a": []}')
    expect(set('{\r\n\t"a": [1]}', [], { b: 1 })).toBe('{\r\n\t"b": 1\r\n}')
  })

  it.each([
    '{"a": }',
    '{"a": 1',
    '{"a": 1}}',
    '{a: 1}',
    "{'a': 1}",
    '{"a": 01}',
    '/* c',
    '[1]',
    '1',
    '{"a": {"b": 1} "c": 2}',
  ])('leaves %j alone', (text) => {
    expect([setJsonValue(text, ['x'], 1), removeJsonValue(text, ['x'])]).toEqual([null, null])
  })

  it('leaves alone what is nested absurdly deep', () => {
    const text = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    expect([setJsonValue(text, ['x'], 1), removeJsonValue(text, ['a'])]).toEqual([null, null])
  })

  it('does not go through what has no keys', () => {
    for (const text of ['{"a": 1}', '{"a": [{"b": 1}]}', '{"a": null}', '{"a": {}, "a": 1}']) {
      expect([setJsonValue(text, ['a', 'b'], 1), removeJsonValue(text, ['a', 'b'])]).toEqual([null, null])
    }
  })

  it('takes __proto__ for a key', () => {
    expect(set('{"x": {}}', ['x', '__proto__', 'y'], 1)).toBe('{"x": {"__proto__": {"y": 1}}}')
    expect(set('{"__proto__": 1}', ['__proto__'], JSON.parse('{"__proto__": 2}'))).toBe(
      '{"__proto__": {"__proto__": 2}}',
    )
  })
})

describe('removeJsonValue', () => {
  it.each([
    ['{"a": 1}', '{}'],
    ['{\n  "a": 1,\n}\n', '{}\n'],
    ['{"a": 1, "b": 2}', '{"b": 2}'],
    ['{ "b": 2, "a": 1 }', '{ "b": 2 }'],
    ['{"b": 2, "a": 1,}', '{"b": 2,}'],
    ['{\r\n  "a": 1,\r\n  "b": 2\r\n}', '{\r\n  "b": 2\r\n}'],
    ['{\n\t"b": 2, // two\n\t"a": [\n\t\t1\n\t]\n}', '{\n\t"b": 2 // two\n}'],
    ['{\n  "b": 2,\n  "a": 1, // one\n}', '{\n  "b": 2,\n  // one\n}'],
    ['{\n  "b": 2,\n  "a": { // one\n    "c": 1 /* two */\n  }\n}', '{\n  "b": 2\n  // one\n  /* two */\n}'],
    ['{\n  // why\n  "a": 1\n  // end\n}', '{\n  // why\n  // end\n}'],
    ['{"a": 1 /* c */ , "b": 2}', '{/* c */  "b": 2}'],
    ['{"a": 1, "b": 2, "a": 3}', '{"b": 2}'],
    ['{ "b": 1\n, "a": 2\n, "c": 3\n}', '{ "b": 1\n, "c": 3\n}'],
    ['{ "b": 1\n, "a": 2\n}', '{ "b": 1\n}'],
    ['{"b": 1}', '{"b": 1}'],
    ['// only a comment\n', '// only a comment\n'],
    ['\uFEFF{"a": 1}', '\uFEFF{}'],
  ])('takes a out of %j', (text, expected) => {
    expect(remove(text, ['a'])).toBe(expected)
  })

  it('does not mind what is not there', () => {
    expect(removeJsonValue('{"a": {}}', ['a', 'b', 'c'])).toEqual([])
    expect(removeJsonValue('{"a": 1}', [])).toBeNull()
  })
})

const key = fc.constantFrom('a', 'b', 'c', 'git *', '', '1', '__proto__', 'x"y', '// no', '😀')
const { json, table } = fc.letrec<{ json: Json; table: JsonObject }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(0, -1.5, 1e30, true, false, null, '', 'x', '/* no */', 'a\nb', '\ud800', '{"[,'),
    fc.array(tie('json'), { maxLength: 4 }),
    tie('table'),
  ),
  table: fc.dictionary(key, tie('json'), { maxKeys: 4 }).map((one) => ({ ...one })),
}))

/** Writes the data with everything JSONC allows between the tokens; the numbers decide what. */
function scribble(data: JsonObject, numbers: readonly number[], end: string): string {
  let used = 0
  const pick = (count: number) => (numbers[used++ % numbers.length]! + used) % count
  const trivia = (): string => {
    const n = `${used}`
    const comment = [`/* ${n} */`, `// ${n}${end}`, `/* ${n}${end} */`, `${end}  // ${n} "${end}  `][pick(4)]!
    return ['', '', ' ', '', ' ', '\t', end, `${end}  `, `${end}\t\t`, comment][pick(10)]!
  }
  const list = (open: string, items: string[], close: string) => {
    const last = items.length > 0 && pick(3) === 0 ? `,${trivia()}` : ''
    return open + trivia() + items.join(`${trivia()},${trivia()}`) + trivia() + last + close
  }
  const write = (value: Json): string => {
    if (Array.isArray(value)) return list('[', value.map(write), ']')
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const entries = Object.entries(value).map(
      ([name, one]) => `${JSON.stringify(name)}${trivia()}:${trivia()}${write(one)}`,
    )
    const [again] = Object.keys(value)
    if (again !== undefined && pick(6) === 0) entries.unshift(`${JSON.stringify(again)}: [${trivia()}0]`)
    return list('{', entries, '}')
  }
  return (pick(4) === 0 ? '\uFEFF' : '') + trivia() + write(data) + trivia()
}

const scribbled = fc
  .tuple(table, fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }), fc.constantFrom('\n', '\r\n'))
  .map(([data, numbers, end]) => ({ data, text: scribble(data, numbers, end) }))
const place = fc.array(key, { minLength: 1, maxLength: 3 })

function read(text: string): JsonObject {
  const errors: ParseError[] = []
  // Not by `parse`, which takes `__proto__` for the prototype.
  const tree = parseTree(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
  expect(errors).toEqual([])
  return getNodeValue(tree!)
}

function comments(text: string): string[] {
  const found: string[] = []
  visit(text.replace(/^\uFEFF/, ' '), {
    onComment: (offset, length) => found.push(text.slice(offset, offset + length)),
  })
  return found.sort()
}

/** Follows the path as far as it exists, and one step beyond. */
function firstMissing(data: Json | undefined, path: readonly string[]): string[] | null {
  let here = data
  for (const [i, step] of path.entries()) {
    if (!isJsonObject(here) || !Object.hasOwn(here, step)) return path.slice(0, i + 1)
    here = here[step]
  }
  return null
}

describe('any JSONC', () => {
  it('has exactly the path changed after a set, and every comment', () => {
    let set = 0
    fc.assert(
      fc.property(scribbled, place, json, ({ data, text }, path, value) => {
        const edits = setJsonValue(text, path, value)
        const expected = changeData(data, path, value)
        expect(edits === null).toBe(expected === null)
        if (expected === null) return
        set++
        const after = applyEdits(text, edits!)
        expect(JSON.stringify(read(after))).toBe(JSON.stringify(expected))
        expect(comments(after)).toEqual(comments(text))
        expectLineEnds(after, text)
        expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
        expect(setJsonValue(after, path, value)).toEqual([])
      }),
      runs(3000),
    )
    expect(set).toBeGreaterThan(100)
  })

  it('becomes any other object', () => {
    fc.assert(
      fc.property(scribbled, table, ({ text }, value) => {
        const after = applyEdits(text, setJsonValue(text, [], value)!)
        expect(JSON.stringify(read(after))).toBe(JSON.stringify(value))
        expect(comments(after)).toEqual(comments(text))
        expectLineEnds(after, text)
      }),
      runs(2000),
    )
  })

  it('has exactly the path less after a removal, and every comment', () => {
    fc.assert(
      fc.property(scribbled, place, ({ data, text }, path) => {
        const edits = removeJsonValue(text, path)
        const expected = changeData(data, path, undefined)
        expect(edits === null).toBe(expected === null)
        if (expected === null) return
        const after = applyEdits(text, edits!)
        expect(JSON.stringify(read(after))).toBe(JSON.stringify(expected))
        expect(comments(after)).toEqual(comments(text))
      }),
      runs(3000),
    )
  })

  it('has its data back when what was added is removed', () => {
    fc.assert(
      fc.property(scribbled, place, json, ({ data, text }, path, value) => {
        const added = firstMissing(data, path)
        const edits = setJsonValue(text, path, value)
        if (added === null || edits === null) return
        const after = applyEdits(text, edits)
        expect(JSON.stringify(read(applyEdits(after, removeJsonValue(after, added)!)))).toBe(JSON.stringify(data))
      }),
      runs(2000),
    )
  })

  it('can be broken without harm', () => {
    fc.assert(
      fc.property(scribbled, fc.nat(), fc.nat(3), place, ({ text }, from, length, path) => {
        const broken = text.slice(0, from % text.length) + text.slice((from % text.length) + length)
        for (const edits of [setJsonValue(broken, path, 1), removeJsonValue(broken, path)]) {
          if (edits !== null && edits.length > 0) read(applyEdits(broken, edits))
        }
      }),
      runs(2000),
    )
  })
})
