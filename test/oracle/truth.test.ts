/** The evaluator against the real programs: what it says they give is what they were seen to give, without exception. */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Role } from './call.ts'
import { readClaudeCode } from './claude-code.ts'
import { disagreements, readObservations } from './observations.ts'
import { readOpenCode } from './opencode.ts'
import { ordinary, type Place, rulesOf } from './permission.ts'
import { dialects } from './read.ts'
import { linesCommands } from './shell-line.ts'

describe('what the programs offered', () => {
  test.each(dialects)('by %s', (dialect) => {
    let calls = 0
    const wrong: string[] = []
    for (const observation of readObservations(dialect)) {
      const seen = disagreements(dialect, observation)
      calls += seen.calls
      wrong.push(...seen.wrong)
    }
    expect(wrong).toEqual([])
    expect(calls).toBeGreaterThan(300)
  })
})

interface Table {
  readonly groups: readonly {
    readonly says: string
    readonly in?: string
    readonly cases: readonly {
      does: Record<string, string>
      as?: Role
      is: string
      explained?: string
      shows: string
    }[]
  }[]
  readonly lines: Readonly<Record<string, readonly string[]>>
}

const table: Table = parse(readFileSync('test/lab/decisions/opencode.yaml', 'utf8'))
const folders = { project: '/project', outside: '/outside', sibling: '/sibling', home: '/home/u' }
const fill = (text: string) =>
  text.replace(/\{(project|outside|sibling|home)\}/g, (_, name: keyof typeof folders) => folders[name])
const neutral: Readonly<Record<string, string>> = {
  ...{ bash: 'shell', read: 'read', write: 'write', edit: 'edit', apply_patch: 'edit', glob: 'glob', grep: 'grep' },
  ...{
    webfetch: 'fetch',
    websearch: 'search',
    task: 'delegate',
    skill: 'skill',
    todowrite: 'todo',
    demo_hello: 'mcp:demo/hello',
  },
}

/** Without a repository paths begin at the root of the disk; below one, at its root. */
function placeOf(where = 'repo'): Place {
  if (where === 'plain') return { ...ordinary, root: '/' }
  return {
    ...ordinary,
    folder: posix.join(ordinary.project, where.slice(where.indexOf('/') < 0 ? where.length : where.indexOf('/'))),
  }
}

/** Which agents a main session of Claude Code was seen to start; test/lab/delegation.test.ts sees the first of them again. */
const started: readonly (readonly [tools: string, agents: readonly string[]])[] = [
  ['Agent(helper)', ['helper']],
  ['Agent(helper), Agent', ['helper']],
  ['Agent(helper) Task(tester)', ['helper', 'tester']],
  ['Agent(help*)', []],
  ['Agent(Helper)', []],
  ['Agent( )', []],
  ['Agent()', ['helper', 'tester', 'Explore']],
  ['Agent(*)', ['helper', 'tester', 'Explore']],
  ["'*, Agent(helper)'", ['helper', 'tester', 'Explore']],
]
test.each(started)('Claude Code with tools: %s starts %j', (tools, agents) => {
  const reading = readClaudeCode(`---\nname: a\ndescription: Works\ntools: ${tools}\n---\nYou work.\n`)
  const all = ['helper', 'tester', 'Explore']
  const isGiven = (role: Role) => (agent: string) =>
    reading.given({ tool: 'delegate', argument: agent }, role) !== 'deny'
  expect(all.filter(isGiven('main'))).toEqual(agents)
  expect(all.filter(isGiven('child'))).toEqual(all)
})

describe('what OpenCode decided, call by call', () => {
  for (const { says, in: where, cases } of table.groups) {
    const text = `---\ndescription: Does one thing\n${fill(says)}\n---\nYou do it.\n`
    const shared = where === 'shared' ? rulesOf({ bash: { '*': 'deny', 'git *': 'allow' }, webfetch: 'ask' }) : []
    const reading = readOpenCode(text, { rules: shared ?? [], place: placeOf(where) })
    for (const { does, as = 'main', is, explained = is, shows } of cases) {
      const [[tool, argument] = ['', '']] = Object.entries(does)
      test(`${shows}: ${tool} ${argument}, ${says}`, () => {
        expect(reading.given({ tool: neutral[tool] ?? tool, argument: fill(argument) }, as)).toBe(explained)
      })
    }
  }

  test('what it sees in a line', () => {
    for (const [line, commands] of Object.entries(table.lines)) {
      const seen = linesCommands(line).filter((command) => !/^cd\b/.test(command))
      expect(seen, line).toEqual(commands)
    }
  })
})
