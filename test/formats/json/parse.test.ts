/** JSON and JSONC with places; what is broken is told. */
import { describe, expect, it } from 'vitest'
import { getNode, toData } from '../../../src/formats/data.ts'
import { applyFixes } from '../../../src/formats/edit/edits.ts'
import { parseJson } from '../../../src/formats/json/parse.ts'

describe('parseJson', () => {
  it('reads JSON with places', () => {
    const text = '\uFEFF{"a": [1, "x", null, true], "b": {"__proto__": 2}}'
    const { root, findings } = parseJson(text)
    expect(findings).toEqual([])
    expect(toData(root)).toEqual(JSON.parse(text.slice(1)))
    const { start, end } = getNode(root, ['a', 1])!.range
    expect(text.slice(start, end)).toBe('"x"')
  })

  it('allows comments and trailing commas only in JSONC', () => {
    const text = '// c\n{"a": 1, /* d */ "b": [2,],}'
    expect(parseJson(text, { comments: true })).toMatchObject({ findings: [] })
    expect(toData(parseJson(text, { comments: true }).root)).toEqual({ a: 1, b: [2] })
    const strict = parseJson(text)
    expect(strict.findings.length).toBeGreaterThan(0)
    expect(toData(strict.root)).toEqual({ a: 1, b: [2] })
  })

  it.each(['{"a": 1, "b"', '{"a": 1 "b": 2}', '{"a": 1, b: 2}', '{"a": 1}}', '{"a": 1, "b": "x'])(
    'recovers %j',
    (text) => {
      const { root, findings } = parseJson(text)
      expect(findings).not.toEqual([])
      expect(findings.every(({ code }) => code === 'invalid-json')).toBe(true)
      expect(toData(root)).toMatchObject({ a: 1 })
    },
  )

  it('lets the last of two keys win', () => {
    const text = '{"a": 1, "a": 2,\n  "b": 3,\n  "b": 4}'
    const { root, findings, recovered } = parseJson(text)
    expect([toData(root), recovered]).toEqual([{ a: 2, b: 4 }, ['a', 'b']])
    expect(findings.map(({ code }) => code)).toEqual(['duplicate-key', 'duplicate-key'])
    expect(JSON.parse(applyFixes(text, findings).text)).toEqual({ a: 2, b: 4 })
  })

  it('survives nothing and too much', () => {
    expect(parseJson('').findings).toMatchObject([{ code: 'invalid-json' }])
    expect(parseJson('['.repeat(100_000)).findings).toMatchObject([{ code: 'invalid-json' }])
    expect(parseJson(`${'['.repeat(2000)}${']'.repeat(2000)}`).root).toBeNull()
  })

  it('says how deep is too deep, in its own words', () => {
    for (const text of [`{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, '{"a":'.repeat(50_000)]) {
      const { findings, isUnread } = parseJson(text)
      expect(findings[0]?.message).toContain('nested more than 500 levels deep')
      expect(isUnread).toBe(true)
    }
    const brackets = JSON.stringify({ a: '['.repeat(2000), b: '\\"['.repeat(2000) })
    expect(parseJson(brackets).findings).toEqual([])
  })
})
