/** Single values of troupe.yaml are changed, and nothing else in it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { editTroupeFile, type TroupeValue } from '../../src/project/edit-troupe-file.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-yaml-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const harness: TroupeValue = { path: ['work', 'harness'], value: 'codex' }
const noCommand: TroupeValue = { path: ['work', 'command'], value: null }

const cases: readonly [string, before: string | null, after: string, outcome: string][] = [
  ['no file', null, 'work:\n  harness: codex\n', 'made'],
  ['an empty file', '', 'work:\n  harness: codex\n', 'changed'],
  ['only a comment', '# Ours', '# Ours\nwork:\n  harness: codex\n', 'changed'],
  [
    'other keys',
    'source: agents # here\ntargets: [codex]\n',
    'source: agents # here\ntargets: [codex]\nwork:\n  harness: codex\n',
    'changed',
  ],
  ['no line end', 'source: agents', 'source: agents\nwork:\n  harness: codex', 'changed'],
  ['CRLF', 'source: agents\r\n', 'source: agents\r\nwork:\r\n  harness: codex\r\n', 'changed'],
  ['nothing behind the key', 'work:\nsource: agents\n', 'work: { harness: codex }\nsource: agents\n', 'changed'],
  ['braces around nothing', 'work: {}\n', 'work: { harness: codex }\n', 'changed'],
  ['braces', 'work: { attempts: 2 }\n', 'work: { attempts: 2, harness: codex }\n', 'changed'],
  [
    'members below',
    'work:\n    members:\n        a: { command: x }\n',
    'work:\n    members:\n        a: { command: x }\n    harness: codex\n',
    'changed',
  ],
  ['another harness', 'work:\n  harness: "opencode" # best\n', 'work:\n  harness: "codex" # best\n', 'changed'],
  ['the same harness', 'work:\n  harness: codex\n', 'work:\n  harness: codex\n', 'unchanged'],
  ['a command alone', 'work:\n  command: x\n', 'work:\n  harness: codex\n', 'changed'],
  [
    'a command',
    'work:\n  command: [claude, -p] # ours\n  attempts: 2\n',
    'work:\n  attempts: 2\n  harness: codex\n',
    'changed',
  ],
]

test.each(cases)('%s', (_title, before, after, outcome) => {
  const file = join(root, 'troupe.yaml')
  if (before !== null) writeFileSync(file, before)
  expect(editTroupeFile(root, [harness, noCommand])).toBe(outcome)
  expect(readFileSync(file, 'utf8')).toBe(after)
})

test.each([
  ['not YAML', 'work: [\n'],
  ['a list', '- work\n'],
  ['something else at the place', 'work: yes please\n'],
  ['twice the same key', 'work:\n  attempts: 1\nwork:\n  attempts: 2\n'],
])('%s: nothing is written', (_title, before) => {
  const file = join(root, 'troupe.yaml')
  writeFileSync(file, before)
  expect(editTroupeFile(root, [harness, noCommand])).toHaveProperty('problem')
  expect(readFileSync(file, 'utf8')).toBe(before)
})
