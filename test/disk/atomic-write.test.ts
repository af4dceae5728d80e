/** Files are written whole or not at all, never through a link that waits for them, and leave no drafts behind. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  makeFolders,
  removeAbandonedDrafts,
  replaceFile,
  writeAtomically,
  writeDraft,
  writeNewFile,
} from '../../src/disk/atomic-write.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-write-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (name: string) => join(root, name)
const modeOf = (name: string) => statSync(at(name)).mode & 0o777
const plain = { mode: null, durable: false }

describe('writeAtomically', () => {
  test('leaves the file and nothing else', () => {
    writeAtomically(at('a'), 'one')
    writeAtomically(at('a'), 'two', { durable: true })
    expect(readFileSync(at('a'), 'utf8')).toBe('two')
    expect(readdirSync(root)).toEqual(['a'])
  })

  test('the mode is the given one, that of the old file, or the usual one', () => {
    writeFileSync(at('usual'), '')
    writeAtomically(at('secret'), '', { mode: 0o600 })
    writeAtomically(at('fresh'), '', { mode: 'keep' })
    expect([modeOf('secret'), modeOf('fresh')]).toEqual([0o600, modeOf('usual')])
    chmodSync(at('usual'), 0o640)
    writeAtomically(at('usual'), 'new', { mode: 'keep' })
    expect(modeOf('usual')).toBe(0o640)
  })

  test('a link in its place is replaced, and what it leads to is untouched', () => {
    writeFileSync(at('other'), 'other')
    symlinkSync(at('other'), at('link'))
    writeAtomically(at('link'), 'new')
    expect([readFileSync(at('other'), 'utf8'), readFileSync(at('link'), 'utf8')]).toEqual(['other', 'new'])
  })

  test('where it fails, the draft is removed', () => {
    mkdirSync(at('folder/full'), { recursive: true })
    expect(() => writeAtomically(at('folder'), 'text')).toThrow()
    expect(() => writeAtomically(at('folder'), 'text', { draft: at('draft') })).toThrow()
    expect(readdirSync(root)).toEqual(['folder'])
  })

  test('a name as long as a name may be', () => {
    for (const name of ['x'.repeat(255), 'ü'.repeat(127)]) {
      writeAtomically(at(name), 'text')
      expect(readFileSync(at(name), 'utf8')).toBe('text')
    }
  })
})

describe('drafts', () => {
  test('a link with the name of the next draft is not written through', () => {
    const draft = writeDraft(at('a'), 'text', plain)
    const [, start, count] = /^(.*-)(\d+)$/.exec(draft) ?? []
    for (let more = 1; more <= 3; more++) symlinkSync(at('victim'), `${start}${Number(count) + more}`)
    writeAtomically(at('a'), 'text')
    expect(existsSync(at('victim'))).toBe(false)
    expect(() => writeAtomically(at('b'), 'text', { draft: `${start}${Number(count) + 1}` })).toThrow(/EEXIST/)
    expect(readlinkSync(`${start}${Number(count) + 1}`)).toBe(at('victim'))
  })

  test('those of dead processes are removed, and those of others when they are old', () => {
    const mine = writeDraft(at('a'), '', plain)
    const { pid } = spawnSync('true')
    const dead = mine.replace(`-${process.pid}-`, `-${pid}-`)
    const [fresh, old] = [`${root}/.a.troupe-1-elsewhere-1`, `${root}/.a.troupe-2-elsewhere-1`]
    for (const path of [dead, fresh, old, at('a.troupe-1'), at('.troupe-1')]) writeFileSync(path, '')
    utimesSync(old, 1, 1)
    removeAbandonedDrafts(root)
    expect(readdirSync(root)).toEqual([basename(mine), basename(fresh), 'a.troupe-1', '.troupe-1'].sort())
  })
})

test('a new file is never one that is there, and a failed one is not left half written', () => {
  symlinkSync(at('victim'), at('link'))
  expect(() => writeNewFile(at('link'), 'text', plain)).toThrow(/EEXIST|ELOOP/)
  expect(existsSync(at('victim'))).toBe(false)
})

test('replacing follows a link within the project, keeps the mode, and never leaves the project', () => {
  mkdirSync(at('project'))
  writeFileSync(at('project/real'), 'old')
  chmodSync(at('project/real'), 0o600)
  writeFileSync(at('outside'), 'old')
  symlinkSync('real', at('project/inner'))
  symlinkSync('../outside', at('project/outer'))
  expect(replaceFile(at('project/inner'), Buffer.from('new'), at('project'))).toEqual({ written: true })
  expect([readFileSync(at('project/real'), 'utf8'), modeOf('project/real')]).toEqual(['new', 0o600])
  expect(readlinkSync(at('project/inner'))).toBe('real')
  expect(replaceFile(at('project/outer'), Buffer.from('new'), at('project'))).toMatchObject({ written: false })
  expect(readFileSync(at('outside'), 'utf8')).toBe('old')
})

describe('makeFolders', () => {
  test('makes what is missing, and leaves what is there', () => {
    makeFolders(at('a/b/c'))
    makeFolders(at('a/b/c'))
    expect(statSync(at('a/b/c')).isDirectory()).toBe(true)
  })

  test('ends where the system makes no folders', () => {
    expect(() => makeFolders('/proc/troupe/below')).toThrow()
  })

  test.each(['file', 'file/below'])('a file is in the way: %s', (path) => {
    writeFileSync(at('file'), '')
    expect(() => makeFolders(at(path))).toThrow(/EEXIST|ENOTDIR/)
  })
})
