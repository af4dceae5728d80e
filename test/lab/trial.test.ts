/** A newcomer's first minutes with real harnesses, by the documented commands alone: no key, no network, nothing left. */
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtInHarnesses } from '../../src/harness/registry.ts'
import { runnable } from './lab.ts'

const troupe = resolve('dist/cli.cjs')
const playable = builtInHarnesses.filter(({ embody }) => embody !== undefined).map(({ id }) => id)

let base: string
let project: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-newcomer-')))
  project = join(base, 'project')
  for (const folder of ['project', 'home', 'tmp']) mkdirSync(join(base, folder))
})
afterEach(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }))

function install(...ids: readonly string[]): void {
  mkdirSync(join(base, 'bin'), { recursive: true })
  for (const id of ids) {
    const { oracle, program } = runnable(id)
    symlinkSync(program, join(base, 'bin', oracle.program.name))
  }
}

function run(...words: readonly string[]) {
  const env = {
    PATH: `${join(base, 'bin')}:/usr/bin:/bin`,
    HOME: join(base, 'home'),
    TMPDIR: join(base, 'tmp'),
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [troupe, ...words], {
    cwd: project,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

/** Everything below a folder, but for what says when. */
function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return Object.fromEntries(
    files.map((one) => join(one.parentPath, one.name)).map((path) => [path, readFileSync(path, 'utf8')]),
  )
}

function leftRunning(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(join(base, 'tmp'))
    } catch {
      return false
    }
  })
}

test('two harnesses, by `work init`, `work check` and `work try`', () => {
  install('claude-code', 'opencode')
  writeFileSync(join(project, 'package.json'), '{ "scripts": { "test": "true" } }\n')
  expect(run('work', 'init').status).toBe(0)
  expect(readFileSync(join(project, 'troupe.yaml'), 'utf8')).toBe('work:\n  harness: claude-code\n')
  writeFileSync(
    join(project, 'troupe.yaml'),
    'work:\n  harness: claude-code\n  members:\n    reviewer: { harness: opencode }\n',
  )
  const checked = run('work', 'check')
  // Nobody has logged in, and that is said before a turn is started.
  expect([checked.status, checked.stdout]).toEqual([
    1,
    expect.stringContaining('coder and tester cannot run: Claude Code has neither a login nor a key'),
  ])
  const before = contents(project)
  const tried = run('work', 'try')
  expect([tried.status, tried.stdout]).toEqual([
    0,
    [
      'member    run by               started  as predicted  answered  handed to',
      'coder     Claude Code 2.1.325  ✓        ✓             ✓         reviewer',
      'reviewer  OpenCode 1.18.33     ✓        ✓             ✓         tester',
      'tester    Claude Code 2.1.325  ✓        ✓             ✓         -',
      '',
      '3 members: 3 work. Everything except the model works. Begin with `troupe work start "what to do"`.',
      '',
    ].join('\n'),
  ])
  expect(contents(project)).toEqual(before)
  expect(readdirSync(join(base, 'tmp'))).toEqual([])
  // Their homes were elsewhere.
  expect(existsSync(join(base, 'home/.claude.json'))).toBe(false)
  expect(leftRunning()).toEqual([])
})

test('an agent without a list of tools works in every harness', () => {
  install(...playable)
  mkdirSync(join(project, '.claude/agents'), { recursive: true })
  const members = playable.map((id, index) => {
    const next = playable[index + 1]
    writeFileSync(
      join(project, `.claude/agents/in-${id}.md`),
      `---\nname: in-${id}\ndescription: One of them\n---\nYou are in ${id}.\n`,
    )
    return `    in-${id}: { harness: ${id}${next === undefined ? '' : `, handoff_to: [in-${next}]`} }`
  })
  writeFileSync(join(project, 'troupe.yaml'), `work:\n  members:\n${members.join('\n')}\n`)
  run('work', 'init')
  const { stdout } = run('work', 'try', '--json')
  const rows = JSON.parse(stdout).members.map((row: Record<string, unknown>) => [
    row.member,
    row.asPredicted,
    row.handedTo,
    row.problem,
  ])
  expect(rows.sort()).toEqual(
    playable.map((id, index) => [
      `in-${id}`,
      true,
      playable.slice(index + 1, index + 2).map((next) => `in-${next}`),
      null,
    ]),
  )
  expect(leftRunning()).toEqual([])
})

test('what settings, hooks, servers and plugins of the project name is not started', () => {
  install(...playable)
  const touch = (name: string) => `touch ${join(base, `started-${name}`)}`
  const server = (name: string) => ({ command: '/bin/sh', args: ['-c', touch(name)] })
  const hook = (name: string, timeout: number) => [{ hooks: [{ type: 'command', command: touch(name), timeout }] }]
  const plugin = (name: string) => `import { writeFileSync } from 'node:fs'
writeFileSync('${join(base, `started-${name}`)}', '')
export const Plugin = async () => ({})
`
  const settings: Record<string, string | object> = {
    '.claude/settings.json': { hooks: { SessionStart: hook('claude', 5), UserPromptSubmit: hook('claude', 5) } },
    '.mcp.json': { mcpServers: { docs: server('mcp') } },
    '.claude/settings.local.json': { enableAllProjectMcpServers: true },
    'opencode.json': {
      agent: { extra: { description: 'One more', prompt: 'You help.', mode: 'subagent' } },
      mcp: { docs: { type: 'local', command: ['/bin/sh', '-c', touch('opencode-mcp')] } },
      plugin: ['./.opencode/other.js'],
    },
    '.opencode/other.js': plugin('opencode-named'),
    '.opencode/plugin/one.js': plugin('opencode-plugin'),
    '.opencode/plugins/a\nb.js': plugin('opencode-newline'),
    'bunfig.toml': 'preload = ["./preload.js"]\n',
    'preload.js': plugin('preload'),
    '.gemini/settings.json': {
      mcpServers: { docs: server('gemini') },
      hooks: { SessionStart: hook('gemini-hook', 5000) },
    },
    '.qwen/settings.json': { mcpServers: { docs: server('qwen') }, hooks: { SessionStart: hook('qwen-hook', 5000) } },
    '.codex/config.toml': `notify = ["/bin/sh", "-c", "${touch('codex')}"]\n[mcp_servers.docs]\ncommand = "/bin/sh"\nargs = ["-c", "${touch('codex-mcp')}"]\n`,
    '.github/hooks/all.json': {
      version: 1,
      hooks: { sessionStart: [{ type: 'command', bash: touch('copilot'), timeoutSec: 5 }] },
    },
  }
  for (const [path, content] of Object.entries(settings)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  mkdirSync(join(project, '.claude/agents'), { recursive: true })
  const members = playable.map((id) => {
    // The first is played in its own harness and keeps its keys; the others get what a conversion carries over.
    const said = JSON.stringify({ SessionStart: hook(`${id}-agent`, 5), UserPromptSubmit: hook(`${id}-agent`, 5) })
    const servers = JSON.stringify([{ own: server(`${id}-own`) }])
    writeFileSync(
      join(project, `.claude/agents/in-${id}.md`),
      `---\nname: in-${id}\ndescription: One of them\nhooks: ${said}\nmcpServers: ${servers}\n---\nYou are in ${id}.\n`,
    )
    return `    in-${id}: { harness: ${id} }`
  })
  writeFileSync(join(project, 'troupe.yaml'), `work:\n  members:\n${members.join('\n')}\n`)
  run('work', 'init')
  const before = contents(project)
  const { stdout } = run('work', 'try', '--json')
  expect(readdirSync(base).filter((name) => name.startsWith('started-'))).toEqual([])
  const tried = JSON.parse(stdout)
  const rows = tried.members.filter(({ member }: { member: string }) => member.startsWith('in-'))
  expect(rows.map((row: { member: string; problem: string | null }) => [row.member, row.problem])).toEqual(
    playable.map((id) => [`in-${id}`, null]),
  )
  expect(tried.leftOut).toEqual(
    Object.keys(settings)
      .filter((path) => !/^(opencode.json|preload.js)$/.test(path))
      .sort(),
  )
  expect(tried.takenOut).toEqual([
    ...playable.map((id) => ({ path: `.claude/agents/in-${id}.md`, keys: ['hooks', 'mcpServers'] })),
    { path: 'opencode.json', keys: ['mcp', 'plugin'] },
  ])
  expect(contents(project)).toEqual(before)
})
