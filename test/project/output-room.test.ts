/** Bytes that wait to be written stand beside each other, and none of them changes before all are written. */
import { expect, test } from 'vitest'
import { openOutputRoom } from '../../src/project/converting/output-room.ts'

const texts = ['', 'plain', 'Zürich', '日本語 → 🦀', 'half \ud83e of a pair', 'x'.repeat(100_000), '→'.repeat(90_000)]

test('the bytes of many texts are those of each', () => {
  const room = openOutputRoom()
  const all = [...texts, ...texts, ...texts].map((text) => ({ text, bytes: room.encode(text, 'utf-8') }))
  for (const { text, bytes } of all) expect(Buffer.from(bytes).equals(Buffer.from(text))).toBe(true)
})

test('after a clearing the same memory is used again', () => {
  const room = openOutputRoom()
  const first = room.encode('one', 'utf-8')
  room.clear()
  const second = room.encode('two', 'utf-8')
  expect(second.buffer).toBe(first.buffer)
  expect(Buffer.from(second).toString()).toBe('two')
})

test('other encodings get bytes of their own', () => {
  expect([...openOutputRoom().encode('hé', 'latin1')]).toEqual([0x68, 0xe9])
})
