/** Folders are made one by one: what the system refuses is an error, and never an endless wait. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolders } from '../../src/disk/atomic-write.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-folders-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('makes what is missing, and leaves what is there', () => {
  makeFolders(join(root, 'a/b/c'))
  makeFolders(join(root, 'a/b/c'))
  expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true)
})

test('ends where the system makes no folders', () => {
  expect(() => makeFolders('/proc/troupe/below')).toThrow()
})

test.each(['file', 'file/below'])('a file is in the way: %s', (path) => {
  writeFileSync(join(root, 'file'), '')
  expect(() => makeFolders(join(root, path))).toThrow(/EEXIST|ENOTDIR/)
})
