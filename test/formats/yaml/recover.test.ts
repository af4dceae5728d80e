/** Front matter that strict YAML refuses, read as it was meant. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { toData } from '../../../src/formats/data.ts'
import { applyFixes } from '../../../src/formats/edit/edits.ts'
import { splitFrontMatter } from '../../../src/formats/front-matter.ts'
import { parseYaml } from '../../../src/formats/yaml/parse.ts'

const options = {
  knownKeys: new Set(['name', 'description', 'tools', 'model', 'color', 'mode']),
  listKeys: new Set(['tools']),
}

/** Reads, and holds the promise: the fixed file is valid, says the same, and differs in the front matter only. */
function recover(yaml: string, lineEnd = '\n') {
  const text = `---\n${yaml}\n---\nBody: *x\n`.replaceAll('\n', lineEnd)
  const cut = splitFrontMatter(text)
  const { root, findings, recovered } = parseYaml(text, cut.yaml!, cut.indent, options)
  const data = toData(root)
  const fixed = applyFixes(text, findings).text
  const again = splitFrontMatter(fixed)
  expect(parse(fixed.slice(again.yaml!.start, again.yaml!.end))).toEqual(data)
  expect(fixed.slice(again.body.start)).toBe(text.slice(cut.body.start))
  expect(fixed.includes('\r\n')).toBe(lineEnd === '\r\n')
  return { data, recovered, fixed, findings, codes: findings.map(({ code }) => code), text }
}

describe('recovery of prose', () => {
  it('reads an example block on one line; a literal \\n stays two characters', () => {
    const value = 'Use when X. Examples:\\n\\n<example>\\nContext: y\\nuser: "z"'
    const { data, recovered, findings, text } = recover(`name: a\ndescription: ${value}\nmodel: sonnet`)
    expect(data).toEqual({ name: 'a', description: value, model: 'sonnet' })
    expect(recovered).toEqual(['description'])
    expect(findings).toMatchObject([{ code: 'invalid-yaml' }])
    const { start, end } = findings[0]!.range
    expect(text.slice(start, end)).toBe(`description: ${value}`)
  })

  it.each(['\n', '\r\n'])('reads an example block on unindented lines (%j)', (lineEnd) => {
    const value = 'Use when X. Examples:\n<example>\nContext: y\nuser: "z"\n\nassistant: "w"\n</example>'
    const { data, fixed } = recover(`name: a\ndescription: ${value}\ntools: Read\nmodel: sonnet`, lineEnd)
    expect(data).toEqual({ name: 'a', description: value, tools: 'Read', model: 'sonnet' })
    expect(fixed).toContain(`description: |-${lineEnd}  Use when X. Examples:${lineEnd}  <example>${lineEnd}`)
  })

  it('ends with its only line where the next one is a key', () => {
    const { data } = recover('description: Use it: now\ncategory: analysis\nrelated:\n  agents: [a]\nmodel: x')
    expect(data).toEqual({ description: 'Use it: now', category: 'analysis', related: { agents: ['a'] }, model: 'x' })
    expect(recover('description: Use it: now\nuser: hello\nmodel: x').data).toEqual({
      description: 'Use it: now\nuser: hello',
      model: 'x',
    })
  })

  it('reads a plain value with a colon', () => {
    const { data, fixed } = recover('description: Use for defects: trace them\ncolor: red')
    expect(data).toEqual({ description: 'Use for defects: trace them', color: 'red' })
    expect(fixed).toContain('description: "Use for defects: trace them"\ncolor: red')
  })

  it('reads an indented example block with blank lines and list lines', () => {
    const { data } = recover(
      'description: Use when X. Examples:\n\n  <example>\n  - user: "z": w\n  </example>\nname: a',
    )
    expect(data).toEqual({
      description: 'Use when X. Examples:\n\n  <example>\n  - user: "z": w\n  </example>',
      name: 'a',
    })
  })

  it.each([
    ['**SPECIALIST**: does x', '**SPECIALIST**: does x'],
    ['*all of it', '*all of it'],
    ['@mentions people', '@mentions people'],
    ['`code` first', '`code` first'],
    ['%percent', '%percent'],
    ['&and so on: x', '&and so on: x'],
    ['!important x: y', '!important x: y'],
    ['[a] bracket first: x', '[a] bracket first: x'],
    ['{a} brace first', '{a} brace first'],
    ['"Unbalanced', '"Unbalanced'],
    ["'Unbalanced", "'Unbalanced"],
    ['"say "hello" now"', 'say "hello" now'],
    ["'it's here'", "it's here"],
    ['"a" and b', '"a" and b'],
    ['> quoted: text', '> quoted: text'],
    ['| piped: text', '| piped: text'],
    ['- dashed: text', '- dashed: text'],
    ['? asked: text', '? asked: text'],
  ])('reads a value that starts badly: %s', (source, value) => {
    const { data, codes } = recover(`name: a\ndescription: ${source}\nmodel: x`)
    expect(data).toEqual({ name: 'a', description: value, model: 'x' })
    expect(codes).toEqual(['invalid-yaml'])
  })

  it('reads a block whose lines are not indented', () => {
    const { data } = recover('description: |\nFirst line\nContext: y\nmodel: x')
    expect(data).toEqual({ description: 'First line\nContext: y', model: 'x' })
  })

  it('leaves a comment to the next key', () => {
    const { data, fixed } = recover('description: one: two\n# about the model\nmodel: x')
    expect(data).toEqual({ description: 'one: two', model: 'x' })
    expect(fixed).toContain('"one: two"\n# about the model\n')
  })

  it('starts a new entry at an unknown key unless in prose', () => {
    expect(recover('name: a: b\ncustom: c').data).toEqual({ name: 'a: b', custom: 'c' })
    expect(recover('description: a: b\nmore\ncustom: c').data).toEqual({ description: 'a: b\nmore\ncustom: c' })
  })

  it('reads a known key without a space behind its colon', () => {
    expect(recover('name:a\ndescription: b').data).toEqual({ name: 'a', description: 'b' })
  })

  it('reads a known key that has slipped', () => {
    expect(recover('name: a\n description: b\nmodel: c').data).toEqual({ name: 'a', description: 'b', model: 'c' })
    expect(recover(' name: a\ndescription: b: c').data).toEqual({ name: 'a', description: 'b: c' })
  })

  it('makes comments of lines that belong to no key', () => {
    const { data, fixed, codes } = recover('stray words\nname: a\ndescription: b')
    expect(data).toEqual({ name: 'a', description: 'b' })
    expect(codes).toEqual(['invalid-yaml'])
    expect(fixed).toContain('---\n# stray words\nname: a\n')
  })

  it('quotes what a block cannot hold', () => {
    expect(recover('description: a: b\r\u0007c').data).toEqual({ description: 'a: b\r\u0007c' })
  })
})

describe('recovery of lists', () => {
  it.each([
    ['tools: *', '*'],
    ['tools: * # everything', '*'],
    ['tools: [Read, *, Bash(git diff, git log)]', ['Read', '*', 'Bash(git diff, git log)']],
    ['tools: [Read, "Wr, ite", @x', ['Read', 'Wr, ite', '@x']],
    ['tools:\n  - Read\n  - *\n  - "Write" # why', ['Read', '*', 'Write']],
    ['tools:\nRead\nWrite', ['Read', 'Write']],
    ['tools: @all, Read', '@all, Read'],
    ['tools: Read,\nWrite', 'Read, Write'],
  ])('reads %j', (yaml, tools) => {
    const { data, recovered } = recover(`name: a\n${yaml}\nmodel: x`)
    expect(data).toEqual({ name: 'a', tools, model: 'x' })
    expect(recovered).toEqual(['tools'])
  })
})

describe('recovery of duplicates and tabs', () => {
  it('lets the last key win', () => {
    const { data, codes, recovered, fixed } = recover('name: a\n# kept\nname: b\nmodel: x\nname: c')
    expect(data).toEqual({ name: 'c', model: 'x' })
    expect(codes).toEqual(['duplicate-key', 'duplicate-key'])
    expect(recovered).toEqual(['name'])
    expect(fixed).toContain('---\n# kept\nmodel: x\nname: c\n---')
  })

  it('finds duplicates inside', () => {
    expect(recover('a:\n  b: 1\n  b: 2\nc: {d: 1, d: 2}\ne:\n  - f: 1\n    f: 2').data).toEqual({
      a: { b: 2 },
      c: { d: 2 },
      e: [{ f: 2 }],
    })
  })

  it('lets the last key win where the rest is broken too', () => {
    const { data, codes } = recover('name: a\ndescription: x: y\nname: b\nname: c')
    expect(data).toEqual({ name: 'c', description: 'x: y' })
    expect(codes.toSorted()).toEqual(['duplicate-key', 'duplicate-key', 'invalid-yaml'])
  })

  it('reads tabs as spaces', () => {
    const { data, codes, recovered, fixed } = recover('name: a\npermission:\n\tedit: deny\n\tbash:\n\t\tgit: ask')
    expect(data).toEqual({ name: 'a', permission: { edit: 'deny', bash: { git: 'ask' } } })
    expect(new Set(codes)).toEqual(new Set(['tab-indentation']))
    expect(recovered).toEqual(['permission'])
    expect(fixed).toContain('permission:\n  edit: deny\n')
  })

  it('reads tabs in one entry and prose in another', () => {
    const { data } = recover('permission:\n\tedit: deny\ndescription: a: b')
    expect(data).toEqual({ permission: { edit: 'deny' }, description: 'a: b' })
  })
})

describe('recovery in an indented file', () => {
  it('takes two rounds when fixes overlap', () => {
    let text = '\n    ---\n    name: a\n    description: b: c\n    Context: y\n    ---\n    Body\n'
    const seen: unknown[] = []
    for (let round = 0; round < 3; round++) {
      const cut = splitFrontMatter(text)
      const parsed = parseYaml(text, cut.yaml!, cut.indent, options)
      seen.push(toData(parsed.root))
      text = applyFixes(text, [...cut.findings, ...parsed.findings]).text
    }
    expect(seen).toEqual(Array(3).fill({ name: 'a', description: 'b: c\nContext: y' }))
    expect(text).toBe('---\nname: a\ndescription: |-\n  b: c\n  Context: y\n---\n    Body\n')
  })
})

describe('recovery of junk', () => {
  // Were it quadratic, this would not come back before the runner gives up.
  it('comes back with an answer', () => {
    for (const piece of ['description: a: b\n', '- *a\n', '\tx: [\n', '"', 'k: v: w\n', '[{']) {
      const { findings } = parseYaml(`name: a: b\n${piece.repeat(200_000 / piece.length)}`, undefined, '', options)
      expect(findings.length).toBeGreaterThan(0)
    }
  })
})
