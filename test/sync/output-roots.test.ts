/** Outputs for all projects of a user: they go with their agent, and with their place in troupe.yaml, and nobody else's do. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-wide-')))
  mkdirSync(join(root, 'home'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

function project(name: string, target: string, ...agents: string[]): void {
  mkdirSync(join(root, name, '.git'), { recursive: true })
  put(`${name}/troupe.yaml`, `source: agents\ntargets:\n  - { id: ${target}, out: '~' }\n`)
  for (const agent of agents)
    put(`${name}/agents/${agent}.md`, `---\nname: ${agent}\ndescription: Helps\ntools: [read]\n---\nYou help.\n`)
}

function troupe(name: string, ...words: string[]) {
  const env = { PATH: process.env.PATH, HOME: join(root, 'home'), NO_COLOR: '1' }
  const cwd = join(root, name)
  return spawnSync(process.execPath, [resolve('dist/cli.cjs'), ...words], { cwd, env, encoding: 'utf8' })
}

const isThere = (path: string) => existsSync(join(root, 'home', path))

test.each([
  ['claude-code', '.claude/agents'],
  ['opencode', '.config/opencode/agents'],
  ['qwen-code', '.qwen/agents'],
])('%s: what is no longer wanted goes, and can come back', (target, folder) => {
  project('one', target, 'first', 'second')
  project('two', target, 'third')
  expect(troupe('one', 'build').stdout).toContain('`troupe undo --out ~`')
  troupe('two', 'build')
  rmSync(join(root, 'one/agents/first.md'))
  expect(troupe('one', 'build', '--check').status).toBe(1)
  expect(troupe('one', 'build').status).toBe(0)
  expect(['first', 'second', 'third'].map((name) => isThere(`${folder}/${name}.md`))).toEqual([false, true, true])
  expect(troupe('one', 'undo', '--out', join(root, 'home')).status).toBe(0)
  expect(isThere(`${folder}/first.md`)).toBe(true)
})

test('a place that troupe.yaml no longer names is cleared', () => {
  project('one', 'opencode', 'first')
  project('two', 'opencode', 'third')
  for (const name of ['one', 'two']) troupe(name, 'build')
  put('one/troupe.yaml', 'source: agents\ntargets: [claude-code]\n')
  expect(troupe('one', 'build', '--check').stdout).toContain('~/.config/opencode/agents/first.md')
  expect(troupe('one', 'build').status).toBe(0)
  expect(['first', 'third'].map((name) => isThere(`.config/opencode/agents/${name}.md`))).toEqual([false, true])
  expect(troupe('one', 'build', '--check').status).toBe(0)
})
