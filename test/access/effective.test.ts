/** What is written beside what the harness makes of it: as a child, and as the main session. */
import { describe, expect, test } from 'vitest'
import { type Action, decide, effectiveAccess, writtenAccess } from '../../src/model/access.ts'
import { markdown, readOne } from '../reading.ts'

interface Case {
  readonly fact: string
  readonly harness: string
  readonly lines: readonly string[]
  readonly call: readonly [tool: string, argument?: string]
  readonly written: Action
  readonly child: Action
  readonly main: Action
}

const cases: Case[] = [
  {
    fact: 'read line by line, a list without indent is lost',
    harness: 'qwen-code',
    lines: ['tools:', '- read_file', 'color: a: b'],
    call: ['shell', 'rm x'],
    written: 'deny',
    child: 'offer',
    main: 'offer',
  },
  {
    fact: 'read line by line, a list in brackets is text, and its ends are no names',
    harness: 'qwen-code',
    lines: ['tools: [read_file, glob, edit]', 'color: a: b'],
    call: ['read'],
    written: 'offer',
    child: 'deny',
    main: 'offer',
  },
  {
    fact: 'a star denies nothing where only exact names do',
    harness: 'qwen-code',
    lines: ['disallowedTools: "*"'],
    call: ['edit'],
    written: 'deny',
    child: 'offer',
    main: 'offer',
  },
  {
    fact: 'a pattern is no name, so it denies nothing',
    harness: 'qwen-code',
    lines: ['disallowedTools: [run_shell_command(rm *), monitor, exec]'],
    call: ['shell', 'rm x'],
    written: 'deny',
    child: 'offer',
    main: 'offer',
  },
  {
    fact: 'a server is no name where each of its tools must be named',
    harness: 'qwen-code',
    lines: ['tools: [mcp__docs, "mcp__docs__*"]'],
    call: ['mcp:docs/find'],
    written: 'offer',
    child: 'deny',
    main: 'offer',
  },
  {
    fact: 'the beginning of a name denies what begins so',
    harness: 'qwen-code',
    lines: ['disallowedTools: ["mcp__docs__f*"]'],
    call: ['mcp:docs/find'],
    written: 'deny',
    child: 'deny',
    main: 'offer',
  },
  {
    fact: 'a star inside a name denies nothing',
    harness: 'qwen-code',
    lines: ['disallowedTools: ["mcp__*__find"]'],
    call: ['mcp:docs/find'],
    written: 'deny',
    child: 'offer',
    main: 'offer',
  },
  {
    fact: 'a list takes servers and tools by name, and no other patterns',
    harness: 'claude-code',
    lines: ['disallowedTools: mcp__docs__f*, mcp__do*, mcp__*__find'],
    call: ['mcp:docs/find'],
    written: 'deny',
    child: 'offer',
    main: 'offer',
  },
  {
    fact: 'all of all servers can be denied',
    harness: 'claude-code',
    lines: ['disallowedTools: mcp__*'],
    call: ['mcp:docs/find'],
    written: 'deny',
    child: 'deny',
    main: 'deny',
  },
  {
    fact: 'all of all servers cannot be granted',
    harness: 'claude-code',
    lines: ['tools: Read, mcp__*'],
    call: ['mcp:docs/find'],
    written: 'offer',
    child: 'deny',
    main: 'deny',
  },
  {
    fact: 'the part in parentheses is not heeded',
    harness: 'claude-code',
    lines: ['tools: Bash(git *)'],
    call: ['shell', 'rm x'],
    written: 'deny',
    child: 'offer',
    main: 'offer',
  },
  {
    fact: 'a denied pattern takes the whole tool',
    harness: 'claude-code',
    lines: ['disallowedTools: Bash(rm *)'],
    call: ['shell', 'ls'],
    written: 'offer',
    child: 'deny',
    main: 'deny',
  },
  {
    fact: 'a main session can still start agents by workflows',
    harness: 'claude-code',
    lines: ['disallowedTools: Agent'],
    call: ['delegate', 'x'],
    written: 'deny',
    child: 'deny',
    main: 'offer',
  },
  {
    fact: 'a tool of older versions gives nothing',
    harness: 'claude-code',
    lines: ['tools: MultiEdit'],
    call: ['edit', 'a'],
    written: 'offer',
    child: 'deny',
    main: 'deny',
  },
  {
    fact: 'names of another dialect vanish',
    harness: 'qwen-code',
    lines: ['tools: [Bash]'],
    call: ['shell', 'ls'],
    written: 'offer',
    child: 'deny',
    main: 'offer',
  },
  {
    fact: 'a subagent keeps no list, the main session does',
    harness: 'opencode',
    lines: ['permission: { bash: deny }'],
    call: ['todo'],
    written: 'deny',
    child: 'deny',
    main: 'allow',
  },
]

describe('a restriction and what comes of it', () => {
  test.each(cases)('$harness: $fact', ({ harness, lines, call: [tool, argument], written, child, main }) => {
    const { access } = readOne(harness, { text: markdown('name: a', 'description: d', ...lines) })
    const call = argument === undefined ? { tool } : { tool, argument }
    expect({
      written: decide(writtenAccess(access, 'child'), call).action,
      child: decide(effectiveAccess(access, 'child'), call).action,
      main: decide(effectiveAccess(access, 'main'), call).action,
    }).toEqual({ written, child, main })
  })
})
