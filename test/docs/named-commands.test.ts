/** Every command that a document, a message or a harness file names exists, with the options that are named with it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Command, commonOptions } from '../../src/cli/command.ts'
import { commands } from '../../src/cli/command-table.ts'
import { filesBelow } from './plain-english.ts'

/** The command lines of a text: in backticks, and in lines of code blocks that begin with `troupe`. */
function commandLines(text: string): string[] {
  const plain = text.replace(/\\`/g, '`').replace(/\$\{[^{}]*\}/g, 'X')
  const inline = [...plain.matchAll(/`troupe( [^`\n]*)`/g)]
  const blocks = [...plain.matchAll(/^(?:\$ )?(?:npx )?troupe( [^\n]*)$/gm)]
  return [...inline, ...blocks].flatMap(([, line = '']) => line.split(/ (?:#|\||&&|>) ?/)[0]?.trim() || [])
}

/** Null if it is right; else what it names that is not there. */
async function whatIsWrong(line: string): Promise<string | null> {
  const words = line.replace(/^-C \S+ /, '').match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  const [name = '', ...rest] = words
  if (!/^[a-z-]+$/.test(name) || name === 'help' || name.startsWith('-')) return null
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (entry === undefined) return `no command ${name}`
  let command: Command = await entry.load()
  const sub = rest.find((word) => !word.startsWith('-'))
  if (command.subcommands !== undefined && sub !== undefined && /^[a-z]+$/.test(sub)) {
    const found = command.subcommands[sub]
    if (found === undefined) return `no command ${name} ${sub}`
    command = await found.load()
  }
  const known = { ...commonOptions, ...command.options }
  const short = Object.values(known).flatMap((option) => option.short ?? [])
  const unknown = rest.find((word) => {
    const long = /^--([a-z-]+)/.exec(word)?.[1]
    if (long !== undefined) return !Object.hasOwn(known, long)
    const letter = /^-([a-zA-Z])$/.exec(word)?.[1]
    return letter !== undefined && !short.includes(letter)
  })
  return unknown === undefined ? null : `${command.name} has no ${unknown}`
}

const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'action.yml', 'docs', 'examples']
const messages = [
  'src/model',
  'src/check',
  'src/cli',
  'src/convert',
  'src/disk',
  'src/harness',
  'src/hud',
  'src/project',
]
const others = ['src/report', 'src/sync', 'src/team', 'src/verify', 'src/workbench', 'harnesses', 'schema', 'plugins']

describe('named commands', () => {
  test.each([...documents, ...messages, ...others])('%s', async (path) => {
    const wrong: string[] = []
    for (const file of filesBelow(path).filter((one) => !one.endsWith('requirements.md')))
      for (const line of new Set(commandLines(readFileSync(file, 'utf8')))) {
        const problem = await whatIsWrong(line)
        if (problem !== null) wrong.push(`${file}: troupe ${line}: ${problem}`)
      }
    expect(wrong).toEqual([])
  })
})

test('what is not there is found', async () => {
  const text = 'Run `troupe chek`.\n$ troupe convert --from a --too b | cat\n`troupe work begin`, `troupe list -z`'
  expect(await Promise.all(commandLines(text).map(whatIsWrong))).toEqual([
    'no command chek',
    'no command work begin',
    'list has no -z',
    'convert has no --too',
  ])
})

test('what is there is not', async () => {
  const text =
    '`troupe -C x list -q`, `troupe work start --worktree`\ntroupe convert --to opencode # every agent\n`troupe`'
  expect(await Promise.all(commandLines(text).map(whatIsWrong))).toEqual([null, null, null])
})
