/** `troupe verify` with harnesses that are not there, are not themselves, or misbehave: a finding, no orphan, nothing touched. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { isAlive } from '../alive.ts'

const troupe = resolve('dist/cli.cjs')
const root = mkdtempSync(join(tmpdir(), 'troupe-verify-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const project = join(root, 'project')
const temporary = join(root, 'tmp')
const agent = '---\nname: a\ndescription: Does it\n---\nThe secret of the prompt.\n'

beforeEach(() => {
  for (const folder of [project, temporary]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(temporary)
  write('.claude/agents/a.md', agent)
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}

/** A program that says it is Claude Code, and then does something else. */
function impostor(lines: string, version = '2.1.325 (Claude Code)'): string {
  const path = join(root, 'claude')
  writeFileSync(path, `#!/bin/sh\nif [ "$1" = --version ]; then echo "${version}"; exit 0; fi\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}

const env = { ...process.env, TMPDIR: temporary, NO_COLOR: '1' }

function verify(bin: string | null, ...words: string[]) {
  const given = bin === null ? [] : ['--bin', bin]
  const all = [troupe, '-C', project, 'verify', '--harness', 'claude-code', ...given, ...words]
  const path = bin === null ? { PATH: '/nowhere' } : {}
  return spawnSync(process.execPath, all, { encoding: 'utf8', env: { ...env, ...path } })
}

/** Everything in the project, by path. */
function everything(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    names.filter((_, at) => files[at]?.isFile()).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

describe('agents of plugins', () => {
  beforeEach(() => {
    write('.claude-plugin/marketplace.json', '{"name":"m","plugins":[{"name":"p","source":"./p"}]}')
    write('p/agents/b.md', agent.replace('name: a', 'name: b'))
  })

  test('are named, and said not to be run', () => {
    const { harnesses } = JSON.parse(verify(null, '--json').stdout)
    const note = '1 agent of plugins was not run (p:b): Claude Code loads it only if the plugin is installed.'
    expect(harnesses[0].notes).toContain(note)
  })

  test('asked for alone they are no success', () => {
    const { status, stdout } = verify(impostor('exit 0'), 'p:b')
    expect(status).toBe(1)
    expect(stdout).toContain('1 agent of plugins was not run (p:b)')
  })
})

test('show --wire says that an installed HUD is left out', () => {
  const wire = () => {
    const path = `${dirname(impostor('exit 0'))}:${process.env.PATH}`
    const words = [troupe, '-C', project, 'show', 'a', '--wire']
    return spawnSync(process.execPath, words, { encoding: 'utf8', env: { ...env, PATH: path } }).stderr
  }
  expect(wire()).not.toContain('HUD')
  const install = [troupe, '-C', project, 'hud', 'install', '--harness', 'claude-code', '--yes']
  expect(spawnSync(process.execPath, install, { encoding: 'utf8', env }).status).toBe(0)
  expect(wire()).toContain('Running without the HUD that is installed here; `troupe hud render` shows what it adds.')
})

describe('a harness that', () => {
  test('is not installed', () => {
    const { status, stdout } = verify(null)
    expect(status).toBe(1)
    expect(stdout).toContain('Claude Code is not installed: there is no `claude` on the PATH.')
  })

  test('is not a program', () => {
    const { status, stderr } = verify(join(root, 'nothing'))
    expect(status).toBe(2)
    expect(stderr).toContain('is not an executable program')
  })

  test('does not say its version', () => {
    const { status, stdout } = verify(impostor('', 'hello'))
    expect(status).toBe(1)
    expect(stdout).toContain('does not report its version')
  })

  test('is newer than the harness file', () => {
    const { status, stdout } = verify(impostor('', '99.0.0'))
    expect(status).toBe(1)
    expect(stdout).toContain('Claude Code 99.0.0 is newer than')
    expect(stdout).toMatch(/differences\s+may be new/)
  })

  test('loads nothing', () => {
    const { status, stdout } = verify(impostor('echo "{}"'), '--json')
    expect(status).toBe(1)
    const [{ agents }] = JSON.parse(stdout).harnesses
    expect(agents[0]).toMatchObject({ name: 'a', loaded: false, unexpected: false })
    expect(agents[0].checks[0]).toMatchObject({
      what: 'loaded',
      predicted: 'loaded',
      observed: 'not loaded',
      ok: false,
    })
    expect(stdout).not.toContain('The secret of the prompt')
  })

  test('loads an agent that is not there', () => {
    const event = '{"type":"system","subtype":"init","agents":["a","stranger"]}'
    const { status, stdout } = verify(impostor(`echo '${event}'`))
    expect(status).toBe(1)
    expect(stdout).toContain('stranger')
    expect(stdout).toContain('unknown to Troupe')
  })

  test('hangs', () => {
    const { status, stdout } = verify(impostor('sleep 60'), '--time-limit', '1')
    expect(status).toBe(1)
    expect(stdout).toContain('did not end within 1 second')
    expect(readdirSync(temporary)).toEqual([])
  })

  test('crashes', () => {
    const { status, stdout } = verify(impostor('kill -SEGV $$'))
    expect(status).toBe(1)
    expect(stdout).toContain('killed by SIGSEGV')
  })

  test('never stops talking', () => {
    const { status, stdout } = verify(impostor('yes'))
    expect(status).toBe(1)
    expect(stdout).toContain('printed more than 64 MB')
    expect(readdirSync(temporary)).toEqual([])
  })

  test('leaves children behind, one of them in a session of its own', () => {
    const note = join(root, 'pids')
    verify(impostor(`sleep 60 & echo $! > ${note}\nsetsid sh -c 'echo $$ >> ${note}; exec sleep 60' &\nsleep 0.3`))
    const pids = readFileSync(note, 'utf8').trim().split('\n').map(Number)
    expect(pids).toHaveLength(2)
    expect(pids.filter(isAlive)).toEqual([])
  })

  test('writes wherever it is', () => {
    const before = everything(project)
    verify(impostor('echo mine > new.txt; echo changed > .claude/agents/a.md; rm -rf .claude'))
    expect(everything(project)).toEqual(before)
  })

  test('is stopped by Ctrl-C', async () => {
    const note = join(root, 'hanging')
    const bin = impostor(`echo $$ > ${note}; sleep 60`)
    const words = [troupe, '-C', project, 'verify', '--harness', 'claude-code', '--bin', bin]
    const child = spawn(process.execPath, words, { env, stdio: 'ignore' })
    const ended = new Promise((done) => child.on('exit', (code) => done(code)))
    const pid = await said(note)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(isAlive(pid)).toBe(false)
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe('what would start programs', () => {
  const dump = join(root, 'dump')
  const lister = () => impostor(`rm -rf ${dump}; cp -r . ${dump}`)

  test('is taken out of the copy', () => {
    const keys =
      'hooks:\n  Stop:\n    - hooks: [{ type: command, command: touch /x }]\nmcpServers: [{ s: { command: x } }]\n'
    write('.claude/agents/b.md', `---\nname: b\ndescription: Does it\n${keys}tools: Read\n---\nYou are b.\n`)
    const { stdout } = verify(lister())
    expect(everything(dump)['.claude/agents/b.md']).toBe(
      '---\nname: b\ndescription: Does it\ntools: Read\n---\nYou are b.\n',
    )
    expect(everything(dump)['.claude/agents/a.md']).toBe(agent)
    expect(stdout).toContain('run without hooks, mcpServers')
  })

  test('keeps a broken file away from the harness', () => {
    write('.claude/agents/b.md', '---\nname: b\ndescription: a: b: [\nhooks:\n  Stop: x\n---\nYou are b.\n')
    const { stdout, status } = verify(lister())
    expect(everything(dump)['.claude/agents/b.md']).toBeUndefined()
    expect(stdout).toContain('Not run')
    expect(status).toBe(1)
  })

  test.each([
    ['twice', 'hooks: {}\nhooks:\n  Stop: x'],
    ['quoted', '"hooks":\n  Stop: x'],
    ['merged', 'x: &x\n  hooks: { Stop: y }\n<<: *x'],
    ['in flow', '? hooks\n: { Stop: x }'],
  ])('is found when it is written %s', (_how, keys) => {
    write('.claude/agents/b.md', `---\nname: b\ndescription: d\n${keys}\n---\nYou are b.\n`)
    verify(lister())
    expect(everything(dump)['.claude/agents/b.md'] ?? '').not.toMatch(/Stop/)
  })

  test('settings, hooks of the project, plugins and servers do not come along', () => {
    write('.claude/settings.json', '{"hooks":{}}')
    write('.mcp.json', '{}')
    write('src/main.ts', 'x')
    verify(lister())
    expect(Object.keys(everything(dump))).toEqual(['.claude/agents/a.md'])
  })
})

async function said(path: string): Promise<number> {
  for (let left = 100; left > 0; left--) {
    await new Promise((done) => setTimeout(done, 100))
    try {
      const text = readFileSync(path, 'utf8')
      if (text.endsWith('\n')) return Number(text)
    } catch {
      // Not yet.
    }
  }
  throw new Error('the program said nothing')
}
