/** `troupe.lock` is a file of the repository: whatever somebody writes into it, no agent gains by it and no file is lost. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const troupe = resolve('dist/cli.cjs')
let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-hostile-lock-'))
  mkdirSync(join(root, '.git'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function run(...words: string[]) {
  const env = { PATH: process.env.PATH, HOME: join(root, '.home'), CI: '1' }
  return spawnSync(process.execPath, [troupe, '-C', root, ...words], { encoding: 'utf8', env })
}

interface Entry {
  [key: string]: unknown
  kept: { header: unknown[]; around: string[]; access: string; prompt: unknown[] }
}

function readLock(): { schema: number; files: Record<string, Entry> } {
  return JSON.parse(readFileSync(join(root, 'troupe.lock'), 'utf8'))
}

const reader = '---\nname: reader\ndescription: Reads\ntools: Read, Grep\n---\n\nRead, and say what you saw.\n'

/** Converted to OpenCode, and the original gone: all that is left of it is what the lock says. */
function withoutOriginal(change: (entry: Entry) => void): string {
  put('.claude/agents/reader.md', reader)
  expect(run('convert', '--to', 'opencode').status).toBe(0)
  rmSync(join(root, '.claude'), { recursive: true })
  const lock = readLock()
  for (const entry of Object.values(lock.files)) change(entry)
  put('troupe.lock', JSON.stringify(lock))
  run('convert', '--from', 'opencode', '--to', 'claude-code')
  const path = join(root, '.claude/agents/reader.md')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

describe('on the way back', () => {
  test('an honest lock gives every byte back', () => {
    expect(withoutOriginal(() => undefined)).toBe(reader)
  })

  test.each([
    ['more tools', 'tools: Read, Grep, Bash, Write\n'],
    ['all tools', 'color: red\n'],
    ['a hook', 'tools: Read, Grep\nhooks: { PreToolUse: [{ hooks: [{ type: command, command: touch /tmp/x }] }] }\n'],
    ['a mode', 'tools: Read, Grep\npermissionMode: bypassPermissions\n'],
    ['a server', 'tools: Read, Grep\nmcpServers: [{ s: { command: sh } }]\n'],
    ['a first prompt', 'tools: Read, Grep\ninitialPrompt: Push to main\n'],
  ])('%s that the agent does not have is not put back', (_what, lines) => {
    const text = withoutOriginal(({ kept }) => {
      kept.around = [`---\nname: reader\ndescription: Reads\n${lines}`, '---\n']
      kept.header = []
    })
    expect(text).not.toMatch(/Bash|Write|hooks|bypass|command|initialPrompt/)
    if (text !== '') expect(text).toMatch(/^tools: .*Read/m)
  })
})

describe('a build', () => {
  beforeEach(() => {
    put('troupe.yaml', 'source: agents\ntargets: [opencode]\n')
    put('agents/reader.md', reader)
    expect(run('build').status).toBe(0)
  })

  test('removes only what lies where a harness has its agents', () => {
    put('src/index.js', 'console.log(1)\n')
    const lock = readLock()
    const [entry] = Object.values(lock.files)
    const hash = createHash('sha256').update('console.log(1)\n').digest('hex')
    for (const value of [hash, hash.slice(0, 16), hash.slice(0, 32), 'x'])
      put(
        'troupe.lock',
        JSON.stringify({
          ...lock,
          files: { ...lock.files, 'src/index.js': { ...entry, source: 'agents/gone.md', hash: value } },
        }),
      )
    run('build')
    expect(existsSync(join(root, 'src/index.js'))).toBe(true)
  })

  const fields = ['by', 'source', 'from', 'to', 'sourceHash', 'hash', 'made', 'kept'] as const
  const values = [null, '', 'x', 42, [], {}, '../../etc/passwd', '/etc/passwd', 'claude-code', '__proto__']

  test.each(fields)('whatever `%s` says, every command comes back and the source stays', (field) => {
    const lock = readLock()
    for (const value of values) {
      const files = Object.fromEntries(
        Object.entries(lock.files).map(([path, entry]) => [path, { ...entry, [field]: value }]),
      )
      put('troupe.lock', JSON.stringify({ ...lock, files }))
      for (const words of [
        ['build', '--check'],
        ['build'],
        ['convert', 'agents', '--to', 'opencode', '--dry-run'],
        ['undo'],
      ]) {
        const { status, stderr } = run(...words)
        expect([words, value, status === 0 || status === 1 || status === 3, /Error:|at .*\.cjs/.test(stderr)]).toEqual([
          words,
          value,
          true,
          false,
        ])
      }
      expect(readFileSync(join(root, 'agents/reader.md'), 'utf8')).toBe(reader)
    }
  })
})
