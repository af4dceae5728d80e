/** What stands where a file is to be written, and that nothing is written where it must not be. */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openRun } from '../../src/sync/run/run.ts'
import { get, leftovers, newRoot, open, put, removeRoots, snapshot, undone, write } from './stage.ts'

let root: string
let outside: string

beforeEach(() => {
  root = newRoot()
  outside = newRoot()
})
afterEach(() => {
  vi.useRealTimers()
  removeRoots()
})

const bytes = Buffer.from

describe('what stands there', () => {
  test('is told apart', () => {
    const first = open(root)
    for (const name of ['ours', 'crlf', 'edited', 'missing']) write(first, `${name}.md`, `${name}\nfirst\n`)
    first.commit()
    put(root, 'crlf.md', 'crlf\r\nfirst\r\n')
    put(root, 'edited.md', 'edited\nby hand\n')
    put(root, 'foreign.md', 'somebody wrote this')
    rmSync(join(root, 'missing.md'))
    const run = open(root)
    const standing = (name: string, text = 'second') => run.plan(`${name}.md`, bytes(text))
    expect({
      nothing: standing('nothing'),
      missing: standing('missing'),
      ours: standing('ours'),
      same: standing('ours', 'ours\nfirst\n'),
      crlf: standing('crlf'),
      edited: standing('edited'),
      foreign: standing('foreign'),
      foreignOfSameSize: standing('foreign', 'somebody wrote that'),
      foreignSame: standing('foreign', 'somebody wrote this'),
    }).toEqual({
      nothing: 'new',
      missing: 'new',
      ours: 'ours',
      same: 'same',
      crlf: 'ours',
      edited: 'hand-edited',
      foreign: 'foreign',
      foreignOfSameSize: 'foreign',
      foreignSame: 'same',
    })
    run.abort()
  })

  test('what is not ours is not overwritten and not removed, unless it is forced', () => {
    put(root, 'foreign.md', 'mine')
    const run = open(root)
    write(run, 'foreign.md', 'theirs')
    run.remove('foreign.md')
    expect(Object.fromEntries(run.commit().failed)).toEqual({
      'foreign.md': { message: 'Not removed: the existing file was not written by Troupe.', code: null },
    })
    expect(get(root, 'foreign.md')).toBe('mine')
    const forced = open(root)
    write(forced, 'foreign.md', 'theirs', true)
    expect(forced.commit().failed.size).toBe(0)
    expect(get(root, 'foreign.md')).toBe('theirs')
    expect(undone(root)).toEqual({ 'foreign.md': 'restored', 'troupe.lock': 'removed' })
    expect(snapshot(root)).toEqual({ 'foreign.md': '644 mine' })
  })

  test('a file that waits to be written is seen', () => {
    const run = open(root)
    write(run, 'a.md', 'one')
    expect(run.plan('a.md', bytes('one'))).toBe('same')
    expect(run.plan('a.md', bytes('two'))).toBe('ours')
    write(run, 'a.md', 'two')
    run.commit()
    expect(get(root, 'a.md')).toBe('two')
    undone(root)
    expect(snapshot(root)).toEqual({})
  })

  test('what changes while the run goes on is not lost', () => {
    put(root, 'config.json', '{}')
    const first = open(root)
    write(first, 'ours.md', 'one')
    first.commit()
    const run = open(root)
    write(run, 'ours.md', 'two')
    writeFileSync(join(root, 'ours.md'), 'by hand, meanwhile')
    const { failed } = run.commit()
    expect(failed.get('ours.md')?.message).toBe('Not written: it changed while Troupe was working.')
    expect(get(root, 'ours.md')).toBe('by hand, meanwhile')
  })

  test('what comes between the plan and the writing is not overwritten', () => {
    const passTime = () => vi.setSystemTime(Date.now() + 2000)
    vi.useFakeTimers({ toFake: ['Date'] })
    const run = open(root)
    expect(run.plan('a.md', bytes('a'))).toBe('new')
    const late = bytes('b')
    expect(run.plan('b.md', late)).toBe('new')
    passTime()
    put(root, 'b.md', 'somebody was faster')
    run.write('b.md', late, { source: null, from: null, to: null, sourceHash: null })
    write(run, 'c.md', 'c')
    passTime()
    put(root, 'c.md', 'somebody was faster')
    expect([...run.commit().failed.keys()]).toEqual(['b.md', 'c.md'])
    expect(snapshot(root)).toMatchObject({ 'b.md': '644 somebody was faster', 'c.md': '644 somebody was faster' })
  })

  test('a plan alone writes nothing, not even a folder', () => {
    const run = open(join(root, 'not/yet'), { dryRun: true })
    expect(run.plan('a.md', bytes('a'))).toBe('new')
    write(run, 'a.md', 'a')
    run.edit('b.json', bytes('{}'))
    expect(run.commit()).toEqual({ changed: 0, failed: new Map() })
    expect(snapshot(root)).toEqual({})
    expect(existsSync(join(root, '.troupe'))).toBe(false)
  })
})

describe('paths', () => {
  test.each([
    '../a.md',
    '/a.md',
    'a/../../b.md',
    'a/./b.md',
    'a//b.md',
    '',
    '.',
    'a/',
    'a\0b',
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.troupe/undo/journal',
    'troupe.lock',
    '.GIT/config',
  ])('%j is refused, even with force', (path) => {
    const run = open(root, { force: true })
    expect(run.plan(path, bytes('x'))).toBe('outside')
    write(run, path, 'x')
    run.edit(path, bytes('x'))
    run.remove(path)
    expect(run.commit().changed).toBe(0)
    expect(snapshot(root)).toEqual({})
  })

  test('names that only look like that are fine', () => {
    const run = open(root)
    for (const path of ['..a.md', 'a..md', '.github/agents/a.md', '.gitignore', '.troupe.md', 'ä ö\n.md']) {
      write(run, path, path)
    }
    expect(run.commit()).toMatchObject({ changed: 6, failed: new Map() })
  })
})

describe('links', () => {
  test('inside the root: the target is written, and the link stays', () => {
    put(root, 'shared/real.md', 'old', 0o755)
    mkdirSync(join(root, '.opencode'))
    symlinkSync('../shared', join(root, '.opencode/agents'))
    symlinkSync('shared/real.md', join(root, 'link.md'))
    const before = snapshot(root)
    const run = open(root, { force: true })
    write(run, 'link.md', 'new')
    write(run, '.opencode/agents/other.md', 'other')
    expect(run.commit().failed.size).toBe(0)
    expect(snapshot(root)).toMatchObject({
      'link.md': 'link shared/real.md',
      'shared/real.md': '755 new',
      'shared/other.md': '644 other',
    })
    const again = open(root)
    expect(again.plan('link.md', bytes('newer'))).toBe('ours')
    expect(again.plan('.opencode/agents/other.md', bytes('newer'))).toBe('ours')
    again.remove('link.md')
    expect(again.commit().failed.get('link.md')?.message).toBe('Not removed: it is a link.')
    undone(root)
    expect(snapshot(root)).toEqual(before)
  })

  test('outside the root: nothing is written through them', () => {
    put(outside, 'victim.md', 'victim')
    symlinkSync(join(outside, 'victim.md'), join(root, 'file.md'))
    symlinkSync(outside, join(root, 'folder'))
    symlinkSync('nowhere', join(root, 'dangling.md'))
    symlinkSync(join(outside, 'new'), join(root, 'danglingFolder'))
    symlinkSync('loop', join(root, 'loop'))
    const before = snapshot(root)
    const run = open(root, { force: true })
    for (const path of [
      'file.md',
      'folder/new.md',
      'folder/sub/new.md',
      'dangling.md',
      'danglingFolder/a.md',
      'loop',
    ]) {
      expect(run.plan(path, bytes('x'))).toBe('outside')
      write(run, path, 'x')
      run.edit(path, bytes('x'))
    }
    const { changed, failed } = run.commit()
    expect({ changed, failed: failed.size }).toEqual({ changed: 0, failed: 6 })
    expect(snapshot(root)).toEqual(before)
    expect(snapshot(outside)).toEqual({ 'victim.md': '644 victim' })
  })

  test.each(['.troupe', '.troupe/undo', '.troupe/temporary'])('%s that leads elsewhere is not used', (path) => {
    if (path !== '.troupe') mkdirSync(join(root, '.troupe'))
    symlinkSync(outside, join(root, path))
    const opened = openRun(root, 'convert')
    if ('run' in opened) {
      write(opened.run, 'a.md', 'a')
      opened.run.commit()
    } else expect(opened.refused.message).toContain('is a link')
    expect(snapshot(outside)).toEqual({})
  })

  test('a lock that is a link out of the root is not written', () => {
    put(outside, 'troupe.lock', '{"schema":1,"files":{}}\n')
    symlinkSync(join(outside, 'troupe.lock'), join(root, 'troupe.lock'))
    const run = open(root)
    write(run, 'a.md', 'a')
    expect(run.commit().failed.get('troupe.lock')?.message).toContain('outside the folder')
    expect(get(outside, 'troupe.lock')).toBe('{"schema":1,"files":{}}\n')
    undone(root)
    expect(existsSync(join(root, 'a.md'))).toBe(false)
  })

  test('undo does not follow a folder that was replaced by a link', () => {
    const run = open(root)
    write(run, 'agents/a.md', 'a')
    run.commit()
    rmSync(join(root, 'agents'), { recursive: true })
    put(outside, 'a.md', 'a')
    symlinkSync(outside, join(root, 'agents'))
    expect(undone(root, { force: true })).toMatchObject({ 'agents/a.md': 'left' })
    expect(get(outside, 'a.md')).toBe('a')
    expect(lstatSync(join(root, 'agents')).isSymbolicLink()).toBe(true)
  })
})

describe("Troupe's own folder", () => {
  test('is not seen by git, but for harness files; nothing else stays in it', () => {
    execFileSync('git', ['init', '-q'], { cwd: root })
    put(root, '.troupe/harnesses/mine.yaml', 'id: mine')
    const run = open(root)
    write(run, 'a.md', 'a')
    run.commit()
    const status = execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: root, encoding: 'utf8' })
    expect(status.trim().split('\n').sort()).toEqual(['?? .troupe/harnesses/mine.yaml', '?? a.md', '?? troupe.lock'])
    expect(leftovers(root)).toEqual(['harnesses'])
  })

  test('what a killed run left there is cleared', () => {
    put(root, '.troupe/temporary/4711', 'half a fi')
    put(root, '.opencode/agents/.troupe-4711', 'half a fi')
    put(root, '.troupe/temporary/beside-4711', join(root, '.opencode/agents/.troupe-4711'))
    put(root, '.troupe/.gitignore', '')
    open(root).commit()
    expect(leftovers(root)).toEqual([])
    expect(snapshot(root)).toEqual({ '.opencode': 'folder', '.opencode/agents': 'folder' })
    expect(statSync(join(root, '.troupe/.gitignore')).size).toBeGreaterThan(0)
  })

  test('files keep their mode, new ones have the usual one', () => {
    put(root, 'secret.json', '{}', 0o600)
    const run = open(root)
    run.edit('secret.json', bytes('{"a":1}'))
    write(run, 'new.md', 'new')
    run.commit()
    const usual = join(root, 'usual')
    writeFileSync(usual, '')
    expect(statSync(join(root, 'secret.json')).mode & 0o777).toBe(0o600)
    expect(statSync(join(root, 'new.md')).mode).toBe(statSync(usual).mode)
    expect(readFileSync(join(root, 'secret.json'), 'utf8')).toBe('{"a":1}')
  })
})
