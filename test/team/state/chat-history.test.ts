/** Our own lines in the chat, and halves of others' lines that they cut in two. */
import { describe, expect, test } from 'vitest'
import { type OwnText, separateOwnLines } from '../../../src/team/state/chat-history.ts'

const own = (id: string, text: string): OwnText => ({ id, lines: text.split('\n') })
const read = (text: string, texts: readonly OwnText[], half: string | null = null) => {
  const lines = text.split('\n').map((line, index) => ({ number: index + 1, text: line }))
  const separated = separateOwnLines(lines, texts, half)
  return { ...separated, lines: separated.lines.map(({ text }) => text) }
}
const done = own('d', '[ada-to-user]: done')
const long = own('l', '[ada-to-user]: first\n\n  second')

describe('whole lines', () => {
  test('of ours are found and taken out, each text once', () => {
    const { lines, found } = read('[user-to-ada]: a\n[ada-to-user]: done\n[ada-to-user]: done', [done])
    expect(found).toEqual([{ id: 'd', line: 2 }])
    expect(lines).toEqual(['[user-to-ada]: a', '[ada-to-user]: done'])
  })

  test('with all their further lines, and not without them', () => {
    expect(read('[ada-to-user]: first\n\n  second\n  mine', [long])).toMatchObject({
      found: [{ id: 'l', line: 1 }],
      lines: ['  mine'],
    })
    expect(read('[ada-to-user]: first\n\nsecond', [long]).found).toEqual([])
  })

  test('of other line ends', () => {
    expect(read('[ada-to-user]: done\r', [done]).found).toHaveLength(1)
  })
})

describe('a line that ours has cut in two', () => {
  test('is whole again', () => {
    const { lines, found, half } = read('[user-to-ada]: ta[ada-to-user]: done\nsk 5\n[user-to-ada]: b', [done])
    expect(found).toEqual([{ id: 'd', line: 1 }])
    expect(lines).toEqual(['[user-to-ada]: task 5', '[user-to-ada]: b'])
    expect(half).toBeNull()
  })

  test('by several of ours, one of them long', () => {
    const text = '[user-to-ada]: ta[ada-to-user]: done\n[ada-to-user]: first\n\n  second\nsk 5'
    expect(read(text, [long, done]).lines).toEqual(['[user-to-ada]: task 5'])
  })

  test('whose other half comes later', () => {
    const first = read('[user-to-ada]: ta[ada-to-user]: done', [done])
    expect(first).toMatchObject({ lines: [], half: '[user-to-ada]: ta' })
    expect(read('sk 5', [], first.half).lines).toEqual(['[user-to-ada]: task 5'])
    expect(read('[ada-to-user]: done', [done], first.half)).toMatchObject({ lines: [], half: '[user-to-ada]: ta' })
  })

  test('and left at that, is told of', () => {
    const { lines, abandoned } = read('[user-to-ada]: b', [], '[user-to-ada]: ta')
    expect(lines).toEqual(['[user-to-ada]: b'])
    expect(abandoned).toEqual([{ number: 1, text: '[user-to-ada]: ta' }])
  })

  test('at every place', () => {
    const line = '[user-to-ada] @ [developer]: do this and that'
    for (let at = 1; at < line.length; at++) {
      const text = `${line.slice(0, at)}[ada-to-user]: done\n${line.slice(at)}`
      expect(read(text, [done]).lines).toEqual([line])
    }
  })
})
