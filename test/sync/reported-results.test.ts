/** What a command says at its end is what happened: refused builds, trusted files, plans and reports. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRun } from '../../src/sync/run/run.ts'

let root: string
let project: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-true-'))
  project = join(root, 'project')
  put('agents/reviewer.md', '---\nname: reviewer\ndescription: Reviews\ntools: [read]\n---\nYou review.\n')
  put('troupe.yaml', 'source: agents\ntargets: [claude-code]\n')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, content: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), content)
}

function troupe(...words: string[]) {
  const env = { PATH: process.env.PATH, HOME: join(root, 'home'), NO_COLOR: '1' }
  return spawnSync(process.execPath, [resolve('dist/cli.cjs'), ...words], { cwd: project, env, encoding: 'utf8' })
}

test('a build that had to wait says that, and nothing of being in step', () => {
  const opened = openRun(project, 'build')
  if (!('run' in opened)) throw new Error('it is not free')
  const { status, stdout, stderr } = troupe('build')
  opened.run.abort()
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^troupe: .*Another troupe is writing here.*\n {8}Wait until it finishes, then try again\.\n$/)
})

test('a harness file that cannot be used is not trusted', () => {
  put('.troupe/harnesses/mine.yaml', 'id: mine\n')
  const { status, stderr } = troupe('harnesses', 'trust', '.troupe/harnesses/mine.yaml')
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /^troupe: \.troupe\/harnesses\/mine\.yaml is not trusted\. It is not a valid harness file: "title" is missing\./,
  )
  expect(existsSync(join(root, 'home/.config/troupe/trusted-harnesses.json'))).toBe(false)
  expect(troupe('harnesses', 'trust', 'nowhere.yaml').stderr).toContain('No such file: nowhere.yaml.')
})

test('a repair is taken back by undo, byte for byte', () => {
  const broken = '\ufeff---\r\nname: a\r\ndescription: Use it: now\r\n---\r\nYou are broken.\r\n'
  put('.claude/agents/a.md', broken)
  const { stdout } = troupe('check', '--fix')
  expect(stdout).toContain('`troupe undo` reverts this')
  const path = join(project, '.claude/agents/a.md')
  expect(readFileSync(path, 'utf8')).toContain('"Use it: now"')
  expect(troupe('undo').stdout).toBe('Undid `troupe check --fix`: 1 file restored.\n')
  expect(readFileSync(path, 'utf8')).toBe(broken)
  expect(troupe('undo').stdout).toBe('There is nothing to undo.\n')
})

test.each([
  ['opencode', '.opencode/agents'],
  ['claude-code', '.claude/agents'],
])('names that other systems cannot tell apart are not written: %s', (id, folder) => {
  rmSync(join(project, 'agents'), { recursive: true })
  for (const name of ['con', 'aux', 'Foo', 'foo', 'bar'])
    put(`agents/${name}.md`, `---\nname: ${name}\ndescription: Does ${name}\ntools: [read]\n---\nYou are ${name}.\n`)
  const { stdout, status } = troupe('convert', 'agents', '--to', id)
  expect(readdirSync(join(project, folder)).sort()).toEqual(['aux-agent.md', 'bar.md', 'con-agent.md'])
  expect(stdout.replace(/\s+/g, ' ')).toContain('which are the same file on a case-insensitive disk')
  expect(status).toBe(1)
})

test('the plan of a conversion says what of it was written', () => {
  const { stdout } = troupe('convert', 'agents', '--to', 'opencode', '--dry-run', '--report', 'docs')
  expect(stdout).toContain('Dry run: no agent was written.')
  expect(existsSync(join(project, 'docs/MIGRATION-GUIDE.md'))).toBe(true)
  expect(existsSync(join(project, '.opencode'))).toBe(false)
  expect(troupe('convert', 'agents', '--to', 'opencode', '--dry-run').stdout).toContain('nothing was written')
})

test('what was written elsewhere says how it is taken back, and is', () => {
  mkdirSync(join(project, '.git'))
  const { stdout } = troupe('convert', 'agents', '--to', 'opencode', '--out', 'else where')
  const [, words] = /`troupe (undo [^`]+)` reverts this run\./.exec(stdout) ?? []
  expect(words).toBe("undo --out 'else where'")
  expect(troupe('undo', '--out', 'else where').stdout).toContain('Undid `troupe convert`')
  expect(existsSync(join(project, 'else where/.opencode'))).toBe(false)
})

test.each([
  ['a key that nobody explains', 'limited', 'readonly: true', '`readonly` seems to limit "limited"'],
  ['a name that another has', 'writer', 'tools: Write', 'agents/other.md and agents/writer.md would both become'],
  ['names that are no tools', 'dead', 'tools: bash', 'knows none of the tools that "dead" lists'],
])('a build says why it does not write: %s', (_what, name, line, sentence) => {
  put('troupe.yaml', 'source: .claude/agents\ntargets: [opencode]\n')
  put('.claude/agents/writer.md', '---\nname: writer\ndescription: Writes\ntools: Read\n---\nYou write.\n')
  put('.claude/agents/other.md', `---\nname: ${name}\ndescription: Other\n${line}\n---\nYou are another.\n`)
  for (const words of [['build'], ['build', '--check']]) {
    const { status, stdout } = troupe(...words)
    expect(status).toBe(1)
    expect(stdout.replace(/\s+/g, ' ').replaceAll('.claude/', '')).toContain(sentence)
    expect(stdout).not.toMatch(/could do more:\n(?! {4})/)
  }
})

test.each([
  ['a description that nobody wrote', 'name: a', 'You help.\n', 'The start of its prompt is used'],
  ['a tool that stands for none', 'name: a\ndescription: A\ntools: []', 'You help.\n', '`tools` gets `Skill`'],
  ['other line ends', 'name: a\ndescription: A', 'You\r\nhelp.\r\n', '1 prompt with CRLF line endings now has LF.'],
])('import says what it changes: %s', (_what, keys, body, sentence) => {
  put('.claude/agents/a.md', `---\n${keys}\n---\n${body}`)
  const { status, stdout, stderr } = troupe('import', '.claude/agents', '-o', 'a.prs')
  expect((stdout + stderr).replace(/\s+/g, ' ')).toContain(sentence)
  expect(status).toBe(0)
})

test('import says nothing where it changes nothing', () => {
  put('.claude/agents/a.md', '---\nname: a\ndescription: A\ntools: Read, Skill\n---\nYou help.\n')
  expect(troupe('import', '.claude/agents', '-o', 'a.prs').stdout).toBe('Wrote a.prs: 1 agent.\n')
})

test('an agent that its harness does not load is said to come alive, once for all targets', () => {
  put('.claude/agents/mute.md', '---\nname: mute\ntools: Read\n---\nYou say nothing.\n')
  put('.claude/agents/fine.md', '---\nname: fine\ndescription: d\ntools: Read\n---\nYou are fine.\n')
  const { status, stdout } = troupe('convert', '.claude/agents', '--to', 'opencode,qwen-code', '--dry-run', '--json')
  const { results, diagnostics } = JSON.parse(stdout)
  expect([status, results.length]).toEqual([0, 4])
  const [told, ...others] = diagnostics.filter(({ code }: { code: string }) => code === 'revived-file')
  expect([told?.path, told?.message, others]).toEqual([
    '.claude/agents/mute.md',
    '"mute" does not run today, but its conversion will. `description` is missing: Claude Code does not load this agent.',
    [],
  ])
})
