/** Names for several MCP tools at once, where the harness takes them for the names of none. */
import { expect, test } from 'vitest'
import { checkDefinition } from '../../src/check/check.ts'
import type { Carrier } from '../../src/harness/schema/harness.ts'
import { markdown, readAs, registry } from '../reading.ts'

function found(id: string, ...lines: string[]): string[] {
  const harness = registry.byId(id)
  const read = readAs(id, { text: markdown('name: agent', 'description: d', ...lines) })
  const [first] = read.agents
  if (harness === undefined || first === undefined) throw new Error('nothing was read')
  const carrier = harness.carriers[0] as Carrier
  const findings = checkDefinition({ registry, harness, carrier, document: read.document, ...first })
  return findings
    .filter(({ code }) => code === 'unknown-tool' || code === 'no-tools')
    .map(({ code, message, hint = '' }) => `${code}: ${message.split(':')[0]}. ${hint}`)
}

test('Qwen Code grants each tool by its name', () => {
  expect(found('qwen-code', 'tools: [read_file, mcp__docs__find]')).toEqual([])
  expect(found('qwen-code', 'tools: [read_file, "mcp__docs__*"]')).toEqual([
    'unknown-tool: `mcp__docs__*` does not name a tool in `tools`. Name each tool of the server.',
  ])
  expect(found('qwen-code', 'tools: mcp__docs')).toEqual([
    'unknown-tool: `mcp__docs` does not name a tool in `tools`. Name each tool of the server.',
    'no-tools: `tools` names no tool that exists here. ',
  ])
})

test('Qwen Code denies what begins like a name', () => {
  expect(found('qwen-code', 'disallowedTools: [mcp__docs, "mcp__docs__*", "mcp__do*", "mcp__*"]')).toEqual([])
  expect(found('qwen-code', 'disallowedTools: ["mcp__*__find"]')).toEqual([
    'unknown-tool: `mcp__*__find` does not name a tool in `disallowedTools`. `*` works only at the end of a name.',
  ])
})

test('Claude Code knows tools and whole servers', () => {
  expect(found('claude-code', 'tools: Read, mcp__docs, mcp__wiki__*', 'disallowedTools: mcp__*')).toEqual([])
  expect(found('claude-code', 'disallowedTools: mcp__docs__f*')).toEqual([
    'unknown-tool: `mcp__docs__f*` does not name a tool in `disallowedTools`. Name each tool, or the whole server.',
  ])
})

test('no name is suggested that would be none either', () => {
  expect(found('qwen-code', 'tools: [read_file, "mcp_docs_*"]').join()).not.toContain('mcp__docs')
  expect(found('qwen-code', 'tools: [read_file, mcp_docs_find]').join()).toContain('`mcp__docs__find`')
})

test('a name that was right once is not suggested again', () => {
  expect(found('claude-code', 'tools: Read, LS')).toEqual([
    'unknown-tool: `LS` is a tool of older versions only. Remove it.',
  ])
  expect(found('claude-code', 'tools: Read, Grp')).toEqual([
    'unknown-tool: `Grp` is not a tool here. Did you mean `Grep`?',
  ])
  const suggested = ['claude-code', 'gemini-cli', 'qwen-code'].flatMap((id) =>
    Object.keys(registry.byId(id)?.units ?? {}).flatMap((name) =>
      found(id, `tools: [${JSON.stringify(name)}]`).filter((one) => one.includes(`\`${name}\`?`)),
    ),
  )
  expect(suggested).toEqual([])
})
