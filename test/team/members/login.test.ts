/** Whether a harness has a login is told by files and variables that are there, and by nothing that is in them. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtInHarnesses } from '../../../src/harness/registry.ts'
import { findLogin } from '../../../src/team/members/prepare-member.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'troupe-login-'))
  for (const folder of ['home', 'project']) mkdirSync(join(base, folder))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(path: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  writeFileSync(join(base, path), 'not to be read')
  chmodSync(join(base, path), 0)
}

function look(id: string, environment: Record<string, string> = {}, platform = 'linux') {
  const ways = builtInHarnesses.find((one) => one.id === id)?.login
  if (ways === undefined) throw new Error(`${id} says nothing about logins`)
  const { state, where } = findLogin(ways, {
    root: join(base, 'project'),
    environment: { HOME: join(base, 'home'), ...environment },
    platform,
  })
  return `${state}: ${where}`
}

test('every harness that members are played in says how to log in', () => {
  const playable = builtInHarnesses.filter(({ embody }) => embody !== undefined)
  expect(playable.filter(({ login }) => login === undefined).map(({ id }) => id)).toEqual([])
  expect(playable.filter(({ oracle }) => oracle?.program.install === undefined).map(({ id }) => id)).toEqual([])
})

test('nothing is there', () => {
  expect(look('claude-code')).toBe('none: ANTHROPIC_API_KEY, ~/.claude/.credentials.json')
  expect(look('codex')).toBe('none: CODEX_API_KEY, ~/.codex/auth.json')
  expect(look('copilot')).toBe('none: COPILOT_GITHUB_TOKEN')
  expect(look('opencode')).toBe('unknown: some of its models need none')
})

test('a variable counts, an empty one does not, and neither does that of another harness', () => {
  expect(look('claude-code', { ANTHROPIC_API_KEY: 'x' })).toBe('found: ANTHROPIC_API_KEY')
  expect(look('claude-code', { ANTHROPIC_API_KEY: '' })).toContain('none')
  expect(look('codex', { OPENAI_API_KEY: 'x' })).toContain('none')
})

test('a file counts without being read, also where a variable moves it', () => {
  put('home/.codex/auth.json')
  expect(look('codex')).toBe('found: ~/.codex/auth.json')
  expect(look('codex', { CODEX_HOME: join(base, 'other') })).toContain('none')
  put('other/auth.json')
  expect(look('codex', { CODEX_HOME: join(base, 'other') })).toBe(`found: ${join(base, 'other')}/auth.json`)
})

test('what may hold one makes it unknown, in the home, in the project, and in a keychain', () => {
  expect(look('claude-code', {}, 'darwin')).toBe('unknown: it may be in the keychain of macOS')
  put('home/.claude/settings.json')
  expect(look('claude-code')).toBe('unknown: its settings.json may name a key or a helper')
  expect(look('gemini-cli')).toContain('none')
  put('project/.env')
  expect(look('gemini-cli')).toBe('unknown: .env may hold a key')
})
