/** What others put into their CI: the GitHub action, and the hooks for pre-commit. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { ensurePrograms } from './programs.ts'
import { runAction } from './workflow.ts'

const troupe = resolve('dist/cli.cjs')
let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-ci-'))
  run('git', 'init', '--quiet')
  put('troupe.yaml', 'source: agents\ntargets: [claude-code, opencode]\n')
  put('agents/one.md', '---\nname: one\ndescription: Does it\n---\n\nDo it.\nThen say so.\n')
  run(process.execPath, troupe, 'build')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function run(program: string, ...words: string[]) {
  const env = {
    ...process.env,
    PATH: `${join(root, '..bin')}:${process.env.PATH}`,
    PRE_COMMIT_HOME: join(root, '..home'),
  }
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: root, env, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

describe('the action', () => {
  const outcomes = (given: Readonly<Record<string, string>> = {}, workspace = root) =>
    runAction(workspace, given).map(({ name, outcome }) => `${name}: ${outcome}`)

  test('everything is in order', () => {
    expect(outcomes()).toEqual(['Troupe: success', 'troupe check: success', 'troupe build --check: success'])
  })

  test('the line that was changed in the source is annotated', () => {
    put('agents/one.md', readFileSync(join(root, 'agents/one.md'), 'utf8').replace('Then say so.', 'Then be quiet.'))
    const [, , { outcome, output } = { outcome: '', output: '' }] = runAction(root, {})
    expect(outcome).toBe('failure')
    expect(output).toContain('::error file=agents/one.md,line=7,')
  })

  test('the line that was changed in an output is annotated, in a folder of the repository too', () => {
    put('.opencode/agents/one.md', readFileSync(join(root, '.opencode/agents/one.md'), 'utf8').replace('Do it.', 'No.'))
    const line = readFileSync(join(root, '.opencode/agents/one.md'), 'utf8').split('\n').indexOf('No.') + 1
    const [, , here] = runAction(root, {})
    expect(here?.output).toContain(`::error file=.opencode/agents/one.md,line=${line},`)
    const [, , below] = runAction(dirname(root), { directory: root.slice(dirname(root).length + 1) })
    expect(below?.output).toContain(
      `::error file=${root.slice(dirname(root).length + 1)}/.opencode/agents/one.md,line=${line},`,
    )
  })

  test('a mistake in an agent is annotated, and the other step runs all the same', () => {
    put('.claude/agents/two.md', '---\nname: two\n---\n\nDo it.\n')
    appendFileSync(join(root, 'agents/one.md'), 'One more thing.\n')
    const [, check, build] = runAction(root, { strict: 'true' })
    expect(check).toMatchObject({
      outcome: 'failure',
      output: expect.stringContaining('file=.claude/agents/two.md,line='),
    })
    expect(build?.outcome).toBe('failure')
  })

  test('steps that are not wanted', () => {
    expect(outcomes({ check: 'false', build: 'false' }).slice(1)).toEqual([
      'troupe check: skipped',
      'troupe build --check: skipped',
    ])
    rmSync(join(root, 'troupe.yaml'))
    expect(outcomes()[2]).toBe('troupe build --check: success')
    expect(outcomes({ build: 'true' })[2]).toBe('troupe build --check: failure')
  })

  test('an input is never a command', () => {
    const [, check] = runAction(root, { directory: '$(touch hacked); touch hacked #' })
    expect(check?.outcome).toBe('failure')
    expect(run('ls').text).not.toContain('hacked')
  })
})

describe('pre-commit', () => {
  beforeAll(() => ensurePrograms('pre-commit'), 300_000)

  /** The hooks as they are published, but for how they are installed: troupe is there already. */
  beforeEach(() => {
    mkdirSync(join(root, '..bin'))
    symlinkSync(troupe, join(root, '..bin/troupe'))
    put('.gitignore', '..*\n')
    const hooks = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8'))
    const local = hooks.map((hook: object) => ({ ...hook, language: 'system' }))
    put('.pre-commit-config.yaml', stringify({ repos: [{ repo: 'local', hooks: local }] }))
    run('pre-commit', 'install')
    run('git', 'add', '--all')
  })

  const commit = () => run('git', '-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--message', 'One')

  test('what is in step is committed', () => {
    const { status, text } = commit()
    expect({ status, text }).toMatchObject({ status: 0, text: expect.stringMatching(/troupe build --check\.+Passed/) })
    expect(text).toMatch(/troupe check\.+Passed/)
  })

  test('can install it: what `npm pack` prints is a file name and nothing else', () => {
    const { stdout } = spawnSync('npm', ['config', 'get', 'foreground-scripts'], { encoding: 'utf8' })
    expect(stdout).toBe('false\n')
  })

  test('a source without its outputs is not', () => {
    appendFileSync(join(root, 'agents/one.md'), 'One more thing.\n')
    run('git', 'add', 'agents')
    const { status, text } = commit()
    expect({ status, text }).toMatchObject({
      status: 1,
      text: expect.stringContaining('older than the source, 2 files'),
    })
  })

  test('a source that goes without its outputs is not either', () => {
    commit()
    run('git', 'rm', '--quiet', 'agents/one.md')
    put('agents/README.md', '')
    expect(commit()).toMatchObject({ status: 1, text: expect.stringContaining('no longer needed, 2 files') })
  })
})
