/** Edits by offset: their order, and which of two fixes that collide waits. */
import { describe, expect, it } from 'vitest'
import { applyEdits, applyFixes } from '../../../src/formats/edit/edits.ts'
import type { Finding } from '../../../src/model/findings.ts'

const edit = (start: number, end: number, text: string) => ({ range: { start, end }, text })
const finding = (...fix: ReturnType<typeof edit>[]): Finding => {
  return { code: 'invalid-yaml', message: '', range: { start: 0, end: 0 }, fix }
}

describe('applyEdits', () => {
  it('takes edits in any order', () => {
    expect(applyEdits('abcdef', [edit(4, 5, 'X'), edit(0, 1, ''), edit(2, 2, '-')])).toBe('b-cdXf')
  })

  it('keeps the order of insertions at one place', () => {
    expect(applyEdits('ab', [edit(1, 1, 'x'), edit(1, 1, 'y'), edit(1, 2, 'z')])).toBe('axyz')
  })

  it('refuses edits that overlap or lie outside', () => {
    expect(() => applyEdits('abc', [edit(0, 2, ''), edit(1, 3, '')])).toThrow(RangeError)
    expect(() => applyEdits('abc', [edit(2, 4, '')])).toThrow(RangeError)
  })
})

describe('applyFixes', () => {
  it('lets a fix wait that collides with an earlier one', () => {
    const fixes = [finding(edit(0, 2, 'X'), edit(5, 6, 'Y')), finding(edit(1, 3, '!')), finding(edit(3, 4, 'Z'))]
    expect(applyFixes('abcdef', fixes)).toEqual({ text: 'XcZeY', applied: [fixes[0], fixes[2]] })
  })

  it('prefers the earlier finding wherever it stands', () => {
    expect(applyFixes('abcdef', [finding(edit(2, 4, 'X')), finding(edit(1, 3, '!'))]).text).toBe('abXef')
  })
})
