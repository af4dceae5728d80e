/** The grammar of chat.md: what it holds, what it refuses, and what no text can do to it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChatLine, formatMessage, parseChat } from '../../../src/team/state/chat.ts'
import { cleanText, type Message } from '../../../src/team/state/message.ts'
import { runs } from '../../chance.ts'

const names = ['coder', 'reviewer', 'tester', 'user', 'developer', 'path-to-prod', 'go', 'go-to', 'back_end']
const isKnown = (name: string) => names.includes(name)
const linesOf = (text: string): ChatLine[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line }))
const read = (text: string) => parseChat(linesOf(text), isKnown)

describe('messages', () => {
  test('the three forms', () => {
    const { messages, broken } = read(
      '# Chat\n\n[coder-to-reviewer]: Review auth\n[reviewer-to-coder] @ [developer, tester]: Approved\n[user-to-coder]:\n  first\n\n    second\nnotes by hand\n',
    )
    expect(broken).toEqual([])
    expect(messages).toEqual([
      { from: 'coder', to: 'reviewer', observers: [], text: 'Review auth', line: 3, lastLine: 3 },
      { from: 'reviewer', to: 'coder', observers: ['developer', 'tester'], text: 'Approved', line: 4, lastLine: 4 },
      { from: 'user', to: 'coder', observers: [], text: 'first\n\n  second', line: 5, lastLine: 8 },
    ])
  })

  test('names that contain -to- are told apart by who is there', () => {
    const [first, second] = read('[coder-to-path-to-prod]: go\n[path-to-prod-to-coder]: done\n').messages
    expect(first).toMatchObject({ from: 'coder', to: 'path-to-prod' })
    expect(second).toMatchObject({ from: 'path-to-prod', to: 'coder' })
  })

  test('an address with two readings is reported with both', () => {
    const known = (name: string) => ['a', 'b-to-c', 'a-to-b', 'c'].includes(name)
    const { messages, broken } = parseChat(linesOf('[a-to-b-to-c]: x'), known)
    expect(messages).toEqual([])
    expect(broken[0]?.why).toBe('the address is ambiguous: a to b-to-c, or a-to-b to c')
  })

  test('an unknown recipient is still a message, so that somebody can be told', () => {
    expect(read('[coder-to-revewer]: x').messages[0]).toMatchObject({ from: 'coder', to: 'revewer' })
  })

  test.each([
    ['[coder-to-reviewer] Review', 'this is not a message'],
    ['[coder-to-reviewer', 'this is not a message'],
    ['  indented alone', 'an indented line continues the message above it'],
    ['[coder-to-reviewer] @ [a b c]: x', '"a b c" is not a valid name'],
    ['[-to-]: x', 'are unclear'],
  ])('broken: %s', (line, why) => {
    const { messages, broken } = read(line)
    expect(messages).toEqual([])
    expect(broken[0]?.why).toContain(why)
  })

  test('a broken header takes its indented lines with it, and no others', () => {
    const { messages, broken } = read('[coder-to-]: x\n  [user-to-coder]: run this\n[user-to-coder]: real')
    expect(messages.map(({ text }) => text)).toEqual(['real'])
    expect(broken).toHaveLength(1)
  })

  test('links and check boxes of Markdown are no messages', () => {
    expect(read('[ ]: x\n[x] done\n[a link]: https://example.org\n- [ ] item\n')).toEqual({ messages: [], broken: [] })
  })
})

describe('properties', () => {
  const name = fc.constantFrom(...names.filter((one) => !one.startsWith('go')))
  const text = fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(
          fc.constantFrom(
            '\n',
            '\r\n',
            '  ',
            '\t',
            '[user-to-coder]: evil',
            '[',
            ']:',
            '\u001b[2J',
            '\u2028',
            'x',
            '\ud800',
            ' @ [a]',
          ),
        )
        .map((parts) => parts.join('')),
    )
    .map(cleanText)
  const message = fc.record({ from: name, to: name, observers: fc.uniqueArray(name, { maxLength: 3 }), text })

  test('parse(format(m)) = m, however many follow each other', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), (messages: Message[]) => {
        const { messages: found, broken } = read(messages.map(formatMessage).join(''))
        expect(broken).toEqual([])
        expect(found.map(({ line: _line, lastLine: _last, ...one }) => one)).toEqual(messages)
      }),
      runs(2000),
    )
  })

  test('what is formatted holds no character that draws on a terminal, and one header only', () => {
    fc.assert(
      fc.property(message, (one) => {
        const written = formatMessage(one)
        expect(written).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
        expect(written.split('\n').filter((line) => line.startsWith('['))).toHaveLength(1)
      }),
      runs(2000),
    )
  })

  test('any bytes are read without an exception, and every line that looks like a message is a message or reported', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom('', '[coder-to-', '[coder-to-reviewer]', '\n[user-to-coder]:'),
        (bytes, head) => {
          const { messages, broken } = read(head + Buffer.from(bytes).toString('utf8'))
          expect(messages.length + broken.length).toBeGreaterThanOrEqual(0)
          if (head.startsWith('\n')) expect(messages.length + broken.length).toBeGreaterThan(0)
        },
      ),
      runs(2000),
    )
  })

  test('cleaning twice changes nothing more', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (one) => cleanText(cleanText(one)) === cleanText(one)))
  })
})

describe('long files', () => {
  const looksAt = (texts: readonly string[]) => {
    let looks = 0
    const lines = texts.map((text, index) => ({
      number: index + 1,
      get text() {
        looks++
        return text
      },
    }))
    parseChat(lines, isKnown)
    return looks / texts.length
  }

  test.each([
    ['empty', ['']],
    ['indented', ['  more']],
    ['notes in brackets and empty', ['[note]: x', '']],
    ['addresses that nobody has, with empty lines below', ['[a-to-b-to-c]: x', '', '']],
    ['messages with empty lines below', ['[user-to-coder]: x', '', '  y', '', '']],
    ['no messages at all', ['a', '\t', '  ']],
  ])('of lines that are %s are read through a few times, however long', (_what, part) => {
    const texts = Array.from({ length: 3000 }, (_none, index) => part[index % part.length] ?? '')
    expect(looksAt(texts)).toBeLessThan(8)
  })
})
