/** Files that come close: what a strict harness does about them, as it was seen in the laboratory. */
import { describe, expect, test } from 'vitest'
import { checkDefinition } from '../../src/check/check.ts'
import type { Carrier } from '../../src/harness/schema/harness.ts'
import { readAs, registry } from '../reading.ts'

function consequences(id: string, text: string): string[] {
  const harness = registry.byId(id)
  const read = readAs(id, { text })
  const [first] = read.agents
  if (harness === undefined || first === undefined) throw new Error('nothing was read')
  const carrier = harness.carriers[0] as Carrier
  const findings = checkDefinition({ registry, harness, carrier, document: read.document, ...first })
  return [...new Set(findings.flatMap(({ consequence }) => consequence ?? []))].filter((one) => one !== 'ignored')
}

describe('Gemini CLI', () => {
  const agent = (front: string, open = '---', close = '---') =>
    consequences('gemini-cli', `${open}\nname: a\ndescription: d\n${front}${close}\nYou do one thing.\n`)

  test('takes only three dashes for a fence', () => {
    expect(agent('')).toEqual([])
    expect(agent('', '--- ')).toEqual(['not-loaded'])
    expect(agent('', '\uFEFF---')).toEqual(['not-loaded'])
    expect(agent('', '---', '--- ')).toEqual(['fails-when-used'])
    expect(agent('', '---', '----')).toEqual(['fails-when-used'])
    expect(agent('', '---', '...')).toEqual(['not-loaded'])
  })

  test('needs a prompt, but says so late', () => {
    expect(consequences('gemini-cli', '---\nname: a\ndescription: d\n---\n')).toEqual(['fails-when-used'])
  })

  test('takes a name and a tool as they are written', () => {
    expect(consequences('gemini-cli', '---\nname: 5\ndescription: d\n---\nx\n')).toEqual(['not-loaded'])
    expect(consequences('gemini-cli', '---\nname: " a "\ndescription: d\n---\nx\n')).toEqual(['not-loaded'])
    for (const tools of ['"glob, read_file"', '" glob "', '"run_shell_command(git *)"', '1', '""'])
      expect([tools, agent(`tools: [${tools}]\n`)]).toEqual([tools, ['not-loaded']])
  })

  test('knows the form of MCP tools and of discovered tools', () => {
    for (const tool of ['mcp_docs_find', 'mcp_docs_*', 'mcp_docs.example_find:one', 'discovered_tool_lint'])
      expect([tool, agent(`tools: ["${tool}"]\n`)]).toEqual([tool, []])
    for (const tool of ['mcp_docs', 'mcp_docs_get*', 'mcp_docs___', 'mcp_docs_find/all', 'mcp__docs__find'])
      expect([tool, agent(`tools: ["${tool}"]\n`)]).toEqual([tool, ['not-loaded']])
  })
})

describe('Codex', () => {
  const role = (more: string) =>
    consequences('codex', `name = "a"\ndescription = "d"\ndeveloper_instructions = "You do one thing."\n${more}\n`)

  test('rejects a file for a word that is no case of a switch', () => {
    expect(role('sandbox_mode = "nonsense"')).toEqual(['not-loaded'])
    expect(role('web_search = "sometimes"')).toEqual(['not-loaded'])
  })

  test('tells an effort that nobody knows from a value that is none', () => {
    expect(role('model_reasoning_effort = "extreme"')).toEqual(['fails-when-used'])
    expect(role('model_reasoning_effort = ""')).toEqual(['not-loaded'])
    expect(role('model_reasoning_effort = 3')).toEqual(['not-loaded'])
  })

  test('looks inside lists and tables', () => {
    expect(role('nickname_candidates = ["Ada", "Bob"]')).toEqual([])
    for (const list of ['[]', '["Ada", "Ada"]', '["Ada!"]', '[" "]', '"Ada"'])
      expect([list, role(`nickname_candidates = ${list}`)]).toEqual([list, ['not-loaded']])
    expect(role('[mcp_servers.docs]')).toEqual(['not-loaded'])
    expect(role('[mcp_servers.docs]\ncommand = "docs"')).toEqual([])
  })

  test('rejects a prompt that is no text, and a key that stands there twice', () => {
    expect(consequences('codex', 'name = "a"\ndescription = "d"\ndeveloper_instructions = ["x"]\n')).toEqual([
      'not-loaded',
    ])
    expect(role('model = "gpt-5.5"\nmodel = "gpt-5.5"')).toEqual(['not-loaded'])
  })
})

describe('OpenCode', () => {
  test.each([
    ['42', ['fails-for-all']],
    ['true', ['fails-for-all']],
    ['"42"', []],
    ['forty-two', []],
  ])('name: %s', (name, expected) => {
    expect(consequences('opencode', `---\nname: ${name}\ndescription: d\n---\nYou help.\n`)).toEqual(expected)
  })
})
