/** Agents in forms of their own: JSON with references, recipes, modes in a list. What each may do, and what it says. */
import { describe, expect, test } from 'vitest'
import { decide } from '../../../src/model/access/decide.ts'
import { type Action, effectiveAccess } from '../../../src/model/access/rules.ts'
import { convertInto, harnessOf, sourceOf } from '../../convert/converting.ts'
import { type Given, readAs, readOne } from '../../reading.ts'

type Calls = readonly (readonly [tool: string, argument: string | undefined, action: Action])[]

function expectCalls(id: string, given: Given, calls: Calls): void {
  const access = effectiveAccess(readOne(id, given).access, 'child')
  const seen = calls.map(([tool, argument]) => {
    const call = argument === undefined ? { tool } : { tool, argument }
    return [tool, argument, decide(access, call).action]
  })
  expect(seen).toEqual(calls)
}

const json = (data: object): Given => ({ carrier: 'json', path: 'a.json', text: JSON.stringify(data) })

describe('Kiro', () => {
  test('what is approved is done without a question, and everything else asked about', () => {
    const agent = json({ name: 'a', prompt: 'Do it.', tools: ['fs_read', 'execute_bash'], allowedTools: ['fs_read'] })
    expectCalls('kiro', agent, [
      ['read', 'a.ts', 'allow'],
      ['shell', 'ls', 'ask'],
      ['write', 'a.ts', 'deny'],
      ['mcp:docs/find', undefined, 'deny'],
    ])
  })

  test('the settings of a tool limit it, and a pattern that is not understood denies all of it', () => {
    const settings = (deniedCommands: string[]) =>
      json({ name: 'a', prompt: 'x', tools: ['*'], toolsSettings: { execute_bash: { deniedCommands } } })
    expectCalls('kiro', settings(['rm .*', 'git push']), [
      ['shell', 'rm -rf x', 'deny'],
      ['shell', 'git push', 'deny'],
      ['shell', 'ls', 'offer'],
      ['read', 'a.ts', 'offer'],
    ])
    expectCalls('kiro', settings(['[a-z]+']), [['shell', 'ls', 'deny']])
  })

  test('without a list there are no tools; a list of rules denies', () => {
    expectCalls('kiro', json({ name: 'a', prompt: 'x' }), [['read', 'a.ts', 'deny']])
    const rules =
      'permissions:\n  - { capability: shell, effect: deny, match: ["rm *"] }\n  - { capability: web, effect: ask }'
    expectCalls('kiro', { text: `---\ndescription: d\ntools: ["*"]\n${rules}\n---\nDo it.\n` }, [
      ['shell', 'rm x', 'deny'],
      ['shell', 'ls', 'offer'],
      ['fetch', 'https://a.example', 'ask'],
      ['read', 'a.ts', 'offer'],
    ])
  })

  test('a prompt can be in a file, and a reference is never the prompt', () => {
    const agent = json({ name: 'a', prompt: 'file://./prompts/a.md', tools: [] })
    expect(readOne('kiro', { ...agent, files: { './prompts/a.md': 'From a file.\n' } }).prompt.text).toBe(
      'From a file.\n',
    )
    const { agents, findings } = readAs('kiro', agent)
    expect(agents[0]?.agent.prompt.text).toBe('')
    expect(findings.map(({ code }) => code)).toEqual(['missing-reference'])
    expect(convertInto(sourceOf('kiro', agent), harnessOf('claude-code')).refusal).not.toBeNull()
  })
})

describe('Goose', () => {
  const recipe = (text: string): Given => ({ carrier: 'recipe', path: 'a.yaml', text })

  test('an agent has every tool but delegation, whatever its file says', () => {
    expectCalls('goose', { text: '---\nname: a\ndescription: d\n---\nDo it.\n' }, [
      ['shell', 'ls', 'offer'],
      ['write', 'a.ts', 'offer'],
      ['delegate', undefined, 'deny'],
    ])
  })

  test('a recipe has keys that an agent file has not', () => {
    const text = [
      'version: "1.0.0"\ntitle: A\ndescription: d\ninstructions: Do it.\nprompt: Begin.',
      'settings: { goose_model: m, temperature: 0.5, max_turns: 7 }',
      'extensions: [{ type: builtin, name: developer }, { type: stdio, name: docs, cmd: npx, args: [x] }]\n',
    ].join('\n')
    const { fields, prompt, extras } = readOne('goose', recipe(text))
    const values = Object.fromEntries(Object.entries(fields).map(([concept, field]) => [concept, field?.value]))
    expect(values).toEqual({
      displayName: 'A',
      description: 'd',
      model: 'm',
      temperature: 0.5,
      maxTurns: 7,
      initialPrompt: 'Begin.',
      mcpServers: { docs: { type: 'stdio', cmd: 'npx', args: ['x'] } },
    })
    expect([prompt.text, extras]).toEqual(['Do it.', []])
    expect(readOne('goose', { text: `---\nname: a\n${text}---\nDo it.\n` }).fields.temperature).toBeUndefined()
  })

  test('a prompt alone is the prompt, and nothing else', () => {
    const { prompt, fields } = readOne('goose', recipe('title: A\ndescription: d\nprompt: Do it.\n'))
    expect([prompt.text, fields.initialPrompt]).toEqual(['Do it.', undefined])
  })

  test('a named list of servers is the same servers elsewhere', () => {
    const text = 'title: A\ndescription: d\ninstructions: x\nextensions:\n  - { type: stdio, name: docs, cmd: npx }\n'
    const { output } = convertInto(sourceOf('goose', recipe(text)), harnessOf('qwen-code'))
    expect(output).toHaveProperty('text', expect.stringContaining('mcpServers:\n  docs:\n    command: npx\n'))
  })
})

describe('Roo Code', () => {
  const modes = (...lines: string[]): Given => ({
    path: '.roomodes',
    text: `customModes:\n  - slug: a\n    name: A\n${lines.map((line) => `    ${line}\n`).join('')}`,
  })

  test('a group with a limit is limited', () => {
    const limited = (regex: string) =>
      modes('roleDefinition: You write.', `groups: [read, [edit, { fileRegex: '${regex}', description: Texts }]]`)
    expectCalls('roo', limited('\\.(md|mdx)$'), [
      ['read', 'a.ts', 'offer'],
      ['edit', 'docs/a.mdx', 'offer'],
      ['edit', 'a.ts', 'deny'],
      ['shell', 'ls', 'deny'],
      ['mcp:docs/find', undefined, 'deny'],
    ])
    // What the expression covers is not known: nothing counts as granted.
    expectCalls('roo', limited('[a-z]+\\.md$'), [['edit', 'a.md', 'deny']])
  })

  test('the prompt is in two keys', () => {
    const mode = modes('roleDefinition: You are A.', 'customInstructions: Be brief.', 'groups: [read]')
    expect(readOne('roo', mode).prompt.text).toBe('You are A.\n\nBe brief.')
  })

  test('all modes of a file are agents, in JSON too; empty groups grant nothing', () => {
    const text = JSON.stringify({
      customModes: [
        { slug: 'a', name: 'A', roleDefinition: 'x', groups: ['command', 'mcp'] },
        { slug: 'b', name: 'B', roleDefinition: 'y', groups: [] },
      ],
    })
    expect(readAs('roo', { text }).agents.map(({ agent }) => agent.name)).toEqual(['a', 'b'])
    expectCalls('roo', { text }, [
      ['shell', 'ls', 'offer'],
      ['mcp:docs/find', undefined, 'offer'],
      ['read', 'a.ts', 'deny'],
    ])
  })

  test('a limit is written as an expression, and comes back as the same', () => {
    const text = '---\nname: a\ndescription: d\ntools: Read, Edit(*.md), Write(*.md), Task\n---\nYou edit.\n'
    const { output, refusal } = convertInto(sourceOf('claude-code', { text }), harnessOf('roo'))
    expect(refusal).toBeNull()
    expect(output).toHaveProperty('settings.0.value.groups', ['read', ['edit', { fileRegex: '\\.md$' }]])
  })
})

test('a target where no list means no tools gets a list', () => {
  const { output } = convertInto(
    sourceOf('claude-code', { text: '---\nname: a\ndescription: d\n---\nDo it.\n' }),
    harnessOf('kiro'),
  )
  expect(output).toHaveProperty('text', '---\ndescription: d\ntools: ["*"]\n---\nDo it.\n')
})

test('empty and usual values are neither features nor gaps', () => {
  const cursor = '---\nname: a\ndescription: d\nis_background: false\nresources: []\n---\nDo it.\n'
  const { record } = convertInto(sourceOf('cursor', { text: cursor }), harnessOf('codex'))
  expect(record.gaps).toEqual([])
})
