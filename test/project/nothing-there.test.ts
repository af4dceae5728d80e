/** Where there is no agent, no command is content: exit 1 with a sentence, and what there is instead. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { json, troupe } from './agreement.ts'

let root = ''

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-nothing-'))
  mkdirSync(join(root, '.git'))
  put('things/commands/ship.md', '---\ndescription: Ships\n---\nShip $ARGUMENTS\n')
  put('packages/app/.claude/agents/below.md', '---\nname: below\ndescription: Below\n---\nYou are below.\n')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each([
  [['check'], 'There are no agents to check.'],
  [['check', 'things'], 'There are no agents to check.'],
  [['check', '--strict', '--format', 'github'], 'There are no agents to check.'],
  [['convert', '--to', 'opencode'], 'There are no agents to convert.'],
  [['convert', 'things', '--to', 'opencode'], 'There are no agents to convert.'],
  [['import', 'things'], 'There are no agents to import.'],
  [['import', 'things', '-o', 'x.prs'], 'There are no agents to write.'],
  [['verify'], 'No agents here belong to a harness that Troupe can run.'],
])('%j', (words, sentence) => {
  const { status, stdout, stderr } = troupe(root, ...words)
  expect(stdout + stderr).toContain(sentence)
  expect(status).toBe(1)
})

test('a document says so too', () => {
  expect(json(root, 'check').summary).toMatchObject({ agents: 0, error: 0 })
  expect(troupe(root, 'check', '--json').status).toBe(1)
  expect(troupe(root, 'import', 'things', '--json').status).toBe(1)
})

test('list looks, and that is all: what is there instead is told', () => {
  const { status, stdout, stderr } = troupe(root, 'list', 'things')
  expect([status, stdout.slice(0, 15)]).toEqual([0, 'No agents here.'])
  expect(stderr).toBe('Not agents: 1 slash command.\n')
})

test.each([['list'], ['check'], []])('projects further down are hinted at: %s', (...words) => {
  expect(troupe(root, ...words).stderr).toContain('1 more project below: packages/app')
})

test('init says what comes first where there is nothing to build, and new drafts it there', () => {
  const fresh = join(root, 'fresh')
  mkdirSync(join(fresh, '.git'), { recursive: true })
  expect(troupe(fresh, 'init', '--targets', 'opencode').stderr).toContain(
    'There are no agents yet: `troupe new NAME` creates one in agents/.',
  )
  expect(troupe(fresh, 'build').stderr).toContain('troupe.yaml: no such file or folder: agents.')
  expect(troupe(fresh, 'new', 'First').status).toBe(0)
  expect(troupe(fresh, 'build').status).toBe(0)
  const again = troupe(fresh, 'new', 'first')
  expect([again.status, again.stderr]).toEqual([
    2,
    'troupe: agents/First.md already exists.\n        Nothing was changed. Choose another name, or remove that file first.\n',
  ])
})
