/** Only regular files are read, and of none more than the caller asked for, beside other work or not. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readRegularFile, readRegularFileAsync, SMALL_FILE_LIMIT, smallFileReader } from '../../src/disk/read-file.ts'

let root: string
const at = (name: string) => join(root, name)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-read-'))
  writeFileSync(at('file'), '0123456789')
  writeFileSync(at('empty'), '')
  mkdirSync(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync('nowhere', at('link'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe.each([
  ['readRegularFile', async (...words: Parameters<typeof readRegularFile>) => readRegularFile(...words)],
  ['readRegularFileAsync', readRegularFileAsync],
] as const)('%s', (_name, read) => {
  const text = async (...words: Parameters<typeof readRegularFileAsync>) => (await read(...words)).toString()

  test('reads all, or the part that is wanted of a longer file', async () => {
    expect(await text(at('file'))).toBe('0123456789')
    expect(await text(at('empty'))).toBe('')
    expect(await text(at('file'), { most: 4, part: 'start' })).toBe('0123')
    expect(await text(at('file'), { most: 4, part: 'end' })).toBe('6789')
    expect(await text(at('file'), { most: 10, part: 'end' })).toBe('0123456789')
  })

  test('refuses what is too large, and what is no file', async () => {
    await expect(text(at('file'), { most: 9 })).rejects.toMatchObject({ why: 'large' })
    await expect(text(at('pipe'))).rejects.toMatchObject({ why: 'no-file' })
    await expect(text('/dev/zero', { part: 'start' })).rejects.toMatchObject({ why: 'no-file' })
    await expect(text(at('folder'))).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(text(at('link'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('a reader of small files makes something of each once, and says why it does not', async () => {
  const made: string[] = []
  const read = smallFileReader((bytes) => made.push(bytes.toString()))
  writeFileSync(at('large'), Buffer.alloc(SMALL_FILE_LIMIT + 1))
  const answers = [await read(at('file')), await read(at('file'))]
  expect(answers).toEqual([{ value: 1 }, { value: 1 }])
  writeFileSync(at('file'), 'changed')
  expect(await read(at('file'))).toEqual({ value: 2 })
  expect(made).toEqual(['0123456789', 'changed'])
  const failures = await Promise.all(['link', 'large', 'pipe', 'folder', 'file/below'].map((name) => read(at(name))))
  expect(failures).toEqual(['away', 'large', 'no-file', 'no-file', 'unreadable'].map((closed) => ({ closed })))
})
