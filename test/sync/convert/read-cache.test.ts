/** Files that wait for their turn: what was read is what is converted, within bounds. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentHash } from '../../../src/disk/hash.ts'
import { openReadCache } from '../../../src/sync/convert/read-cache.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-shelf-'))
})

afterEach(() => rmSync(root, { recursive: true }))

function put(name: string, text: string): string {
  const path = join(root, name)
  writeFileSync(path, text)
  return path
}

function textOf(read: ReturnType<ReturnType<typeof openReadCache>['read']>): string | null {
  return 'file' in read ? read.file.text : null
}

test('what was read at first is what comes out, once', () => {
  const shelf = openReadCache()
  const path = put('a.md', '---\nname: a\n---\nGrüße\n')
  expect(shelf.head(path)).toBe('---\nname: a\n---\nGrüße\n')
  put('a.md', 'other')
  const first = shelf.read(path, 'a.md')
  expect(textOf(first)).toBe('---\nname: a\n---\nGrüße\n')
  expect(first).toMatchObject({ hash: contentHash(Buffer.from('---\nname: a\n---\nGrüße\n')) })
  expect(textOf(shelf.read(path, 'a.md'))).toBe('other')
})

test('several files do not run into each other', () => {
  const shelf = openReadCache()
  const paths = ['', 'one', 'x'.repeat(700_000), 'y'.repeat(700_000), 'five'].map((text, at) => put(`${at}.md`, text))
  for (const path of paths) shelf.head(path)
  for (const path of paths) writeFileSync(path, '?')
  expect(paths.map((path) => textOf(shelf.read(path, path))?.length)).toEqual([0, 3, 700_000, 700_000, 4])
})

test('where there is no room left, a file is read when its turn comes', () => {
  const shelf = openReadCache(10)
  const [small, large] = [put('small.md', 'small'), put('large.md', 'larger than the room')]
  expect([shelf.head(small), shelf.head(large)]).toEqual(['small', 'larger than the room'])
  for (const path of [small, large]) writeFileSync(path, 'changed')
  expect(textOf(shelf.read(small, small))).toBe('small')
  expect(textOf(shelf.read(large, large))).toBe('changed')
})

test('a file that is not there, or is none, has no head, and says why when it is read', () => {
  const shelf = openReadCache()
  const gone = join(root, 'gone.md')
  expect([shelf.head(gone), shelf.head(root)]).toEqual([null, null])
  expect(shelf.read(gone, 'gone.md')).toMatchObject({ problem: { code: 'unreadable-file', path: 'gone.md' } })
})
