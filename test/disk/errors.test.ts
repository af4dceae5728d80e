/** What the system says is told in words, by what was being done; what has no words keeps its code. */
import { expect, test } from 'vitest'
import { describeError, writeFailure } from '../../src/disk/errors.ts'

const error = (code: string) => Object.assign(new Error('system'), { code })

test.each([
  ['EACCES', 'permission denied', 'permission denied'],
  ['EISDIR', 'it is a folder', 'a folder is in its place'],
  ['EROFS', 'EROFS', 'the disk is read-only'],
  ['EIO', 'EIO', 'EIO'],
])('%s', (code, reading, writing) => {
  expect([describeError(error(code)), describeError(error(code), 'writing')]).toEqual([reading, writing])
})

test('an error of our own has only its message', () => {
  expect(describeError(new Error('it is a link'))).toBe('it is a link')
  expect(writeFailure('removed', new Error('it is a link'))).toEqual({
    message: 'Not removed: it is a link.',
    code: null,
  })
})
