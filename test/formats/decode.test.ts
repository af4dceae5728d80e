/** Bytes of any encoding, and of none, become text and bytes again. */
import { describe, expect, it } from 'vitest'
import { decode, encode } from '../../src/formats/decode.ts'

const bytes = (...values: number[]) => Uint8Array.from(values)
const codes = (input: Uint8Array) => decode(input).findings.map(({ code }) => code)

describe('decode', () => {
  it('keeps a byte order mark in the text', () => {
    const { text, encoding, findings } = decode(bytes(0xef, 0xbb, 0xbf, 0x61))
    expect([text, encoding, findings]).toEqual(['\uFEFFa', 'utf-8', []])
    expect(encode(text, encoding)).toEqual(bytes(0xef, 0xbb, 0xbf, 0x61))
  })

  it('reads invalid UTF-8 byte by byte and says where', () => {
    const input = bytes(0x61, 0xc3, 0xa4, 0xe4, 0x62)
    const { text, encoding, findings } = decode(input)
    expect(encoding).toBe('latin1')
    expect(findings).toMatchObject([{ code: 'invalid-encoding', range: { start: 3, end: 4 } }])
    expect(findings[0]?.message).toContain('E4')
    expect(encode(text, encoding)).toEqual(input)
  })

  it('does not take windows-1252 for Latin-1', () => {
    expect(decode(bytes(0x80, 0x99)).text).toBe('\u0080\u0099')
  })

  it('reads UTF-16 with a byte order mark, lone surrogates and NUL included', () => {
    const little = bytes(0xff, 0xfe, 0x61, 0x00, 0x00, 0xd8, 0x00, 0x00)
    expect(decode(little)).toMatchObject({ text: '\uFEFFa\ud800\0', encoding: 'utf-16le' })
    expect(codes(little)).toEqual(['invalid-encoding'])
    expect(encode('\uFEFFa\ud800\0', 'utf-16le')).toEqual(little)
    expect(decode(bytes(0xfe, 0xff, 0x00, 0x61))).toMatchObject({ text: '\uFEFFa', encoding: 'utf-16be' })
    expect(encode('\uFEFFa', 'utf-16be')).toEqual(bytes(0xfe, 0xff, 0x00, 0x61))
  })

  it('does not believe a UTF-16 mark before an odd number of bytes', () => {
    expect(decode(bytes(0xff, 0xfe, 0x61)).encoding).toBe('latin1')
  })

  it('reports the first NUL', () => {
    expect(decode(bytes(0x61, 0, 0)).findings).toMatchObject([{ code: 'nul-character', range: { start: 1, end: 2 } }])
    expect(codes(bytes(0xff, 0))).toEqual(['invalid-encoding', 'nul-character'])
  })

  it('writes characters that Latin-1 lacks as UTF-8', () => {
    expect(encode('\u00e4\u2014', 'latin1')).toEqual(bytes(0xe4, 0xe2, 0x80, 0x94))
  })

  it('reads nothing from nothing', () => {
    expect(decode(bytes())).toEqual({ text: '', encoding: 'utf-8', findings: [] })
  })
})
