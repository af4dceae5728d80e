/** `troupe.lock`: sorted lines that merge, and no harm from one that is broken. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { contentHash } from '../../src/disk/hash.ts'
import { readLockFile } from '../../src/project/read-text.ts'
import { openRun } from '../../src/sync/run/run.ts'
import { keptOf, type LockEntry, serializeLockFile } from '../../src/workbench/lock-file.ts'
import { from, get, newRoot, open, put, removeRoot, removeRoots, snapshot, undone, write } from './stage.ts'

let root: string

beforeEach(() => {
  root = newRoot()
})
afterEach(removeRoots)

const entry: LockEntry = { by: 'convert', source: 's.md', from: 'a', to: 'b', sourceHash: null, hash: '0' }

describe('the text', () => {
  test('has one sorted line per file and no times, whatever the order of writing', () => {
    const texts = [
      ['b/x.md', 'a.md', '__proto__', '10.md', '9.md'],
      ['9.md', '__proto__', '10.md', 'a.md', 'b/x.md'],
    ].map((paths) => {
      const here = newRoot()
      const run = open(here)
      for (const path of paths)
        run.write(path, Buffer.from(path), { ...from('source.md'), kept: { odd: ['\n', '\u2028'] } })
      run.commit()
      const text = get(here, 'troupe.lock')
      removeRoot(here)
      return text
    })
    expect(texts[0]).toBe(texts[1])
    const lines = (texts[0] ?? '').split('\n')
    expect(lines[0]).toBe('{"schema":1,"files":{')
    expect(lines.slice(1, -2).map((line) => /^"([^"]*)":\{"by":"convert",/.exec(line)?.[1])).toEqual([
      '10.md',
      '9.md',
      '__proto__',
      'a.md',
      'b/x.md',
    ])
    expect(lines.slice(-2)).toEqual(['}}', ''])
  })

  test('is read back as it was', () => {
    const lock = new Map([
      ['a', entry],
      ['b', { ...entry, kept: { deep: [1, null] } }],
    ])
    const text = serializeLockFile(lock)
    // As it was written, and as somebody else's program would write the same.
    for (const same of [text, JSON.stringify(JSON.parse(text), null, 2), text.replaceAll('\n', '\r\n')]) {
      put(root, 'troupe.lock', same)
      const found = readLockFile(root).lock
      expect(serializeLockFile(found)).toBe(text)
      expect([...found.values()].map(keptOf)).toEqual([undefined, { deep: [1, null] }])
    }
    put(root, 'troupe.lock', text.replace('[1,null]', '[1,nu'))
    expect(keptOf(readLockFile(root).lock.get('b'))).toBeUndefined()
    put(root, 'troupe.lock', serializeLockFile(new Map()).replaceAll('\n', '\r\n'))
    expect(readLockFile(root)).toMatchObject({ lock: new Map() })
    expect(readLockFile(root).problem).toBeUndefined()
  })

  test('of 10,000 files is read whole', () => {
    const kept = { notes: 'x'.repeat(800) }
    const lock = new Map(
      Array.from({ length: 10_000 }, (_, i) => [`.opencode/agents/agent-${i}.md`, { ...entry, kept }]),
    )
    put(root, 'troupe.lock', serializeLockFile(lock))
    const read = readLockFile(root).lock
    expect([...read.keys()].sort()).toEqual([...lock.keys()].sort())
    expect(keptOf(read.get('.opencode/agents/agent-9999.md'))).toEqual(kept)
  })

  test('merges, when two sides changed different files', () => {
    const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' })
    const commit = (name: string) => {
      const run = open(root)
      write(run, name, name)
      run.commit()
      git('add', '-A')
      git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', name)
    }
    git('init', '-q', '-b', 'main')
    for (const name of ['a.md', 'c.md', 'e.md', 'g.md', 'i.md']) commit(name)
    git('checkout', '-qb', 'side')
    commit('b.md')
    git('checkout', '-q', 'main')
    commit('h.md')
    git('-c', 'user.name=t', '-c', 'user.email=t@t', 'merge', '-q', 'side')
    expect([...readLockFile(root).lock.keys()]).toEqual(['a.md', 'b.md', 'c.md', 'e.md', 'g.md', 'h.md', 'i.md'])
  })

  test('hashes ignore how lines end, and nothing else', () => {
    const hash = (text: string) => contentHash(Buffer.from(text))
    expect(hash('a\r\nb\r\n')).toBe(hash('a\nb\n'))
    expect(hash('a\rb')).not.toBe(hash('a\nb'))
    expect(hash('a\n')).not.toBe(hash('a'))
    expect(contentHash(new Uint8Array([0xff, 13, 10]))).toBe(contentHash(new Uint8Array([0xff, 10])))
    expect(hash('')).toMatch(/^[0-9a-f]{32}$/)
  })
})

describe('a lock that somebody else changes while the run goes on', () => {
  test('is left to them, and the next run knows what this one wrote', () => {
    const run = open(root)
    write(run, 'a.md', 'a')
    const theirs = serializeLockFile(new Map([['b.md', entry]]))
    put(root, 'troupe.lock', theirs)
    expect(run.commit().failed.get('troupe.lock')?.message).toBe('Not written: it changed while Troupe was working.')
    expect(get(root, 'troupe.lock')).toBe(theirs)
    open(root).commit()
    expect([...readLockFile(root).lock.keys()]).toEqual(['a.md', 'b.md'])
  })
})

describe('a lock that cannot be used', () => {
  const broken: [string, string][] = [
    ['merge conflict markers', '{"schema":1,"files":{\n<<<<<<< HEAD\n"a":{}\n=======\n"b":{}\n>>>>>>> side\n}}\n'],
    ['not valid JSON', '{"schema":1,'],
    ['not a Troupe lock file', '[]'],
    ['another version', '{"schema":2,"files":{}}'],
    ['lists no files', '{"schema":1}'],
    ['incomplete', '{"schema":1,"files":{"a.md":{"by":"convert"}}}'],
  ]
  test.each(broken)('%s: is said, and neither it nor any file is touched', (what, text) => {
    put(root, 'troupe.lock', text)
    put(root, 'a.md', 'a')
    const before = snapshot(root)
    expect(readLockFile(root)).toMatchObject({ lock: new Map(), problem: { message: expect.stringContaining(what) } })
    const opened = openRun(root, 'convert')
    expect(opened).toMatchObject({ refused: { reason: 'broken-lock', message: expect.stringContaining(what) } })
    expect(snapshot(root)).toEqual(before)
    // Planning goes on: nothing is ours.
    const planned = open(root, { dryRun: true })
    expect(planned.plan('a.md', Buffer.from('b'))).toBe('foreign')
    expect(planned.problem?.message).toContain(what)
    // The turn was given back.
    const forced = open(root, { force: true })
    write(forced, 'b.md', 'b')
    expect(forced.commit().failed.size).toBe(0)
    expect([...readLockFile(root).lock.keys()]).toEqual(['b.md'])
    undone(root)
    expect(snapshot(root)).toEqual(before)
  })

  test('says where the conflict is', () => {
    put(root, 'troupe.lock', broken[0]?.[1] ?? '')
    expect(readLockFile(root).problem).toMatchObject({ path: 'troupe.lock', line: 2, severity: 'error' })
  })

  test('a folder of that name', () => {
    mkdirSync(join(root, 'troupe.lock'))
    expect(readLockFile(root).problem?.message).toContain('it is a folder')
  })
})
