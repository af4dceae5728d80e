/** `troupe undo`: the last run, taken back to the byte, and never more than that. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CommandInput } from '../../src/cli/command.ts'
import { undo as undoCommand } from '../../src/cli/commands/undo.ts'
import { readLockFile } from '../../src/project/read-text.ts'
import { createStyle } from '../../src/report/print-text.ts'
import { get, leftovers, newRoot, open, put, removeRoots, snapshot, undone, write } from './stage.ts'
import { change, endsOfChange, prepare } from './work.ts'

let root: string

beforeEach(() => {
  root = newRoot()
})
afterEach(removeRoots)

describe('undoing', () => {
  test('puts everything back, and then there is nothing more to undo', () => {
    prepare(root)
    const before = snapshot(root)
    change(root)
    expect(snapshot(root)).not.toEqual(before)
    expect(undone(root)).toEqual({
      '.codex/agents/b.toml': 'removed',
      '.opencode/agents/first.md': 'restored',
      '.opencode/agents/gone.md': 'restored',
      '.opencode/agents/second.md': 'restored',
      '.opencode/agents/team/deep/a.md': 'removed',
      'opencode.json': 'restored',
      'troupe.lock': 'restored',
    })
    expect(snapshot(root)).toEqual(before)
    expect(undone(root)).toBeNull()
    expect(snapshot(root)).toEqual(before)
    expect(leftovers(root)).toEqual([])
    expect(existsSync(join(root, '.troupe/undo'))).toBe(false)
  })

  test('reaches only one run back', () => {
    for (const word of ['one', 'two']) {
      const run = open(root)
      write(run, `${word}.md`, word)
      run.commit()
    }
    undone(root)
    expect(Object.keys(snapshot(root))).toEqual(['one.md', 'troupe.lock'])
    expect(undone(root)).toBeNull()
  })

  test('a run that changes nothing leaves the one before it to be undone', () => {
    for (let i = 0; i < 2; i++) {
      const run = open(root)
      write(run, 'one.md', 'one')
      expect(run.commit().changed).toBe(1 - i)
    }
    expect(undone(root)).toEqual({ 'one.md': 'removed', 'troupe.lock': 'removed' })
  })

  test('leaves alone what was changed since, says so, and takes it back when forced', () => {
    const { before } = endsOfChange()
    prepare(root)
    change(root)
    put(root, '.opencode/agents/first.md', 'by hand')
    put(root, '.codex/agents/b.toml', 'new b\n')
    rmSync(join(root, 'opencode.json'))
    put(root, '.opencode/agents/team/mine.md', 'mine')
    const said = { '.opencode/agents/first.md': 'left', '.codex/agents/b.toml': 'left', 'opencode.json': 'left' }
    expect(undone(root, { dryRun: true })).toMatchObject(said)
    expect(undone(root)).toMatchObject(said)
    expect(undone(root)).toEqual(said)
    expect(get(root, '.opencode/agents/first.md')).toBe('by hand')
    expect(get(root, '.opencode/agents/team/mine.md')).toBe('mine')
    expect(undone(root, { force: true })).toEqual({
      '.opencode/agents/first.md': 'restored',
      '.codex/agents/b.toml': 'removed',
      'opencode.json': 'restored',
    })
    rmSync(join(root, '.opencode/agents/team'), { recursive: true })
    expect(snapshot(root)).toEqual(before)
    expect(undone(root)).toBeNull()
  })

  test('only says what it would do', () => {
    prepare(root)
    change(root)
    const after = snapshot(root)
    expect(Object.keys(undone(root, { dryRun: true }) ?? {})).toHaveLength(7)
    expect(snapshot(root)).toEqual(after)
    expect(Object.keys(undone(root) ?? {})).toHaveLength(7)
  })

  test('takes back an aborted run at once', () => {
    prepare(root)
    const before = snapshot(root)
    const run = open(root)
    for (let i = 0; i < 100; i++) write(run, `new/${i}.md`, String(i))
    run.edit('opencode.json', Buffer.from('{}'))
    expect(snapshot(root)).not.toEqual(before)
    run.abort()
    run.abort()
    expect(snapshot(root)).toEqual(before)
    expect(undone(root)).toBeNull()
  })

  test('a journal that says nothing readable is nothing to undo', () => {
    put(root, '.troupe/undo/journal', 'rubbish\n{"path":"../../etc/passwd","hash":null,"before":null}\n')
    expect(undone(root)).toBeNull()
    put(
      root,
      '.troupe/undo/journal',
      '{"schema":1,"command":"x"}\n{"path":"../up.md","hash":"0","before":null}\n[]\n\0\0\n',
    )
    expect(undone(root, { force: true })).toEqual({ '../up.md': 'left' })
  })

  test('old content that is lost is said, and nothing is made up', () => {
    prepare(root)
    change(root)
    put(root, '.troupe/undo/old', '')
    expect(undone(root)).toMatchObject({ 'opencode.json': 'failed', '.codex/agents/b.toml': 'removed' })
    expect(get(root, 'opencode.json')).toContain('agent')
    expect(readLockFile(root).lock.size).toBeGreaterThan(0)
  })
})

describe('the command', () => {
  function run(options: CommandInput['options'] = {}, here = root) {
    const printed: string[] = []
    const told: string[] = []
    const terminal = {
      style: createStyle(false),
      columns: 80,
      print: (text: string) => void printed.push(text),
      info: (text: string) => void told.push(text),
    }
    // Why nothing was begun is said with --quiet too, and so not through the terminal.
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(String(text)) > 0)
    try {
      const code = undoCommand.run({ positionals: [], options, terminal, here })
      return { code, stdout: printed.join(''), stderr: told.join('') }
    } finally {
      stderr.mockRestore()
    }
  }

  test('tells when there is nothing, and leaves no trace', () => {
    expect(run()).toEqual({ code: 0, stdout: 'There is nothing to undo.\n', stderr: '' })
    expect(JSON.parse(run({ json: true }).stdout)).toMatchObject({ schema: 1, command: null, files: [] })
    expect(readdirSync(root)).toEqual([])
  })

  test('counts what it did', () => {
    prepare(root)
    change(root)
    const plan = run({ 'dry-run': true })
    expect(plan.stdout).toContain('opencode.json: would be restored.\n')
    expect(plan.stdout).toContain('Would undo `troupe convert`: 2 files removed, 5 files restored.\n')
    expect(run()).toEqual({
      code: 0,
      stdout: 'Undid `troupe convert`: 2 files removed, 5 files restored.\n',
      stderr: '',
    })
  })

  test('exits 1 when something was left, with paths as they are seen from here', () => {
    prepare(root)
    change(root)
    put(root, 'troupe.yaml', '')
    put(root, 'opencode.json', 'by hand')
    const { code, stdout } = run({ json: true }, join(root, '.codex'))
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'convert',
      finished: true,
      dryRun: false,
      summary: { removed: 2, restored: 4, left: 1, failed: 0 },
      files: expect.arrayContaining([
        { path: '../opencode.json', status: 'left', message: 'Left as it is: it was changed after the run.' },
      ]),
    })
  })

  test('waits for no other run', () => {
    prepare(root)
    change(root)
    const other = open(root)
    expect(run()).toMatchObject({ code: 1, stderr: expect.stringContaining('Another troupe is writing here') })
    other.abort()
    expect(run().code).toBe(0)
  })

  test('looks where --out says', () => {
    put(root, 'troupe.yaml', '')
    const build = open(join(root, 'build'))
    write(build, 'a.md', 'a')
    build.commit()
    expect(run().stdout).toBe('There is nothing to undo.\n')
    expect(run({ out: 'build' }).stdout).toContain('2 files removed')
    expect(() => run({ out: 'nowhere' })).toThrow('No such folder: nowhere.')
  })
})
