/** Who plays a member: its own setting, a program for all, the harness it is written for, and the harness for all others. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createRegistry } from '../../../src/harness/registry.ts'
import { readTeam } from '../../../src/team/runtime/read-team.ts'

let root = ''
afterEach(() => rmSync(root, { recursive: true, force: true }))

function players(work: string): Record<string, string | null> {
  root = mkdtempSync(join(tmpdir(), 'troupe-players-'))
  const files = {
    'troupe.yaml': work,
    '.opencode/agents/tidier.md': '---\ndescription: Tidies\n---\nYou tidy.\n',
    '.workplace/agents/ada.md': '---\nname: ada\nrole: Worker\n---\nYou work.\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const { roster } = readTeam(root, createRegistry())
  return Object.fromEntries(['tidier', 'ada'].map((name) => [name, roster.get(name)?.playedIn ?? null]))
}

test.each([
  ['work: { harness: claude-code }', { tidier: 'opencode', ada: 'claude-code' }],
  ['work: { harness: claude-code, members: { tidier: { harness: codex } } }', { tidier: 'codex', ada: 'claude-code' }],
  ['work: { command: cat }', { tidier: null, ada: null }],
  ['work: {}', { tidier: 'opencode', ada: null }],
])('%s', (work, expected) => {
  expect(players(`${work}\n`)).toEqual(expected)
})
