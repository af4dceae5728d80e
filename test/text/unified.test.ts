/** Unified hunks, as other tools write them. */
import { describe, expect, it } from 'vitest'
import { diffLines } from '../../src/text/line-diff.ts'
import { unifiedHunks } from '../../src/text/unified.ts'

function hunks(before: string, after: string, offsets = { before: 0, after: 0 }): string {
  const one = [...before]
  const other = [...after]
  return unifiedHunks(one, other, diffLines(one, other), offsets).join('|')
}

describe('unified hunks', () => {
  it.each([
    ['abc', 'abc', ''],
    ['abcdefghi', 'abcdXfghi', '@@ -2,7 +2,7 @@| b| c| d|-e|+X| f| g| h'],
    ['', 'a', '@@ -0,0 +1 @@|+a'],
    ['a', '', '@@ -1 +0,0 @@|-a'],
    ['ab', 'aXb', '@@ -1,2 +1,3 @@| a|+X| b'],
    // Six lines between two changes belong to both; seven do not.
    ['1abcdef2', 'XabcdefY', '@@ -1,8 +1,8 @@|-1|+X| a| b| c| d| e| f|-2|+Y'],
    ['1abcdefg2', 'XabcdefgY', '@@ -1,4 +1,4 @@|-1|+X| a| b| c|@@ -6,4 +6,4 @@| e| f| g|-2|+Y'],
  ])('%s to %s', (before, after, expected) => {
    expect(hunks(before, after)).toBe(expected)
  })

  it('counts from the top of the file', () => {
    expect(hunks('ab', 'ax', { before: 5, after: 8 })).toBe('@@ -6,2 +9,2 @@| a|-b|+x')
  })
})
