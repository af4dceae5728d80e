/** `troupe completion` in the real shells: what stands on the line after the tab key was pressed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensurePrograms } from './programs.ts'
import { installTroupe, type Shell, type } from './terminal.ts'

let root = ''

beforeAll(() => {
  ensurePrograms('bash', 'zsh', 'fish')
  root = mkdtempSync(join(tmpdir(), 'troupe-completion-'))
  const definition = (name: string) => `---\nname: ${name}\ndescription: Does it\n---\n\nDo it.\n`
  put('project/.git/HEAD', '')
  put('project/.claude/agents/reviewer.md', definition('reviewer'))
  put('project/.claude/agents/test-writer.md', definition('test-writer'))
  put('project/.claude/agents/odd.md', definition('"zebra; rm -rf ~"'))
  put('project/notes and more.md', '')
  put('elsewhere/.git/HEAD', '')
  put('elsewhere/.opencode/agents/gardener.md', definition('gardener'))
  installTroupe(join(root, 'bin'))
}, 300_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const cases: readonly [what: string, keys: string, words: readonly string[]][] = [
  ['a command', 'expl\t', ['explain']],
  ['a command to get help about', 'help conv\t', ['help', 'convert']],
  ['an option', 'build --che\t', ['build', '--check']],
  ['an option of every command', 'list --js\t', ['list', '--json']],
  ['a value that is one of few', 'build --on-edit ado\t', ['build', '--on-edit', 'adopt']],
  ['a value behind an equals sign', 'build --on-edit=ove\t', ['build', '--on-edit=overwrite']],
  ['a value that may be left out', 'convert --allow-widening=fet\t', ['convert', '--allow-widening=fetch']],
  ['a harness', 'show --as open\t', ['show', '--as', 'opencode']],
  ['the second of several harnesses', 'convert --to codex,open\t', ['convert', '--to', 'codex,opencode']],
  ['a harness that is a word', 'harnesses gem\t', ['harnesses', 'gemini-cli']],
  ['an agent', 'show rev\t', ['show', 'reviewer']],
  [
    'an agent behind an option with a value',
    'show --scope project tes\t',
    ['show', '--scope', 'project', 'test-writer'],
  ],
  ['a second agent', 'verify reviewer tes\t', ['verify', 'reviewer', 'test-writer']],
  ['a tool', 'explain reviewer she\t', ['explain', 'reviewer', 'shell']],
  ['a file with spaces in its name', 'check not\t', ['check', 'notes and more.md']],
]

describe.each<Shell>(['bash', 'zsh', 'fish'])('%s', (shell) => {
  const typed = async (keys: string) => type(shell, keys, join(root, 'project'), join(root, 'bin'))

  test.each(cases)('%s', async (_what, keys, words) => {
    expect(await typed(keys)).toEqual(words)
  })

  test('an agent of another folder', async () => {
    const folder = join(root, 'elsewhere')
    expect(await typed(`-C ${folder} show gar\t`)).toEqual(['-C', folder, 'show', 'gardener'])
  })

  test('no agent whose name means something to a shell', async () => {
    expect(await typed('show zeb\t')).toEqual(['show', 'zeb'])
  })
})
