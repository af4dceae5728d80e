/** Changes in folders are heard with their names, also in a folder that was put in the place of another. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type FolderWatcher, openFolderWatch } from '../../src/disk/watch-folders.ts'

let root: string
let watcher: FolderWatcher
const heard = new Set<string>()
const [one, other] = ['one', 'other'].map(
  (name) =>
    (path = '') =>
      join(root, name, path),
) as [Place, Place]
type Place = (path?: string) => string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-watch-'))
  mkdirSync(one())
  mkdirSync(other())
  heard.clear()
  watcher = openFolderWatch((folder, file) => heard.add(join(folder, file ?? '?')))
})
afterEach(() => {
  watcher.close()
  rmSync(root, { recursive: true, force: true })
})

const isHeard = (path: string) => vi.waitFor(() => expect(heard).toContain(path), { timeout: 10_000 })

test('which file, in which folder', async () => {
  expect(watcher.listenTo(new Set([one(), other()]))).toBe(true)
  writeFileSync(one('a'), '')
  writeFileSync(other('b'), '')
  await Promise.all([isHeard(one('a')), isHeard(other('b'))])
  expect(watcher.listenTo(new Set([one(), other()]))).toBe(false)
})

test('a folder that was replaced is listened to again, and one that is not there is no failure', async () => {
  watcher.listenTo(new Set([one(), join(root, 'nowhere')]))
  renameSync(one(), join(root, 'old'))
  mkdirSync(one())
  expect(watcher.listenTo(new Set([one()]))).toBe(true)
  expect(watcher.isIncomplete()).toBe(false)
  writeFileSync(one('a'), '')
  await isHeard(one('a'))
})

test('a folder that was removed and made anew, perhaps with the same number, is heard again', async () => {
  watcher.listenTo(new Set([one()]))
  rmSync(one(), { recursive: true })
  mkdirSync(one())
  await vi.waitFor(() => expect(watcher.listenTo(new Set([one()]))).toBe(true), { timeout: 10_000 })
  writeFileSync(one('a'), '')
  await isHeard(one('a'))
})
