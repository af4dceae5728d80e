/** The grammar of chat.md: `[a-to-b]: text`, `[a-to-b] @ [x, y]: text`, further lines indented by two spaces. */
import { cleanText, isName, isPerson, MESSAGE_LIMIT, type Message, resolveAddress } from './message.ts'

/** A complete line of the file, without its end. */
export interface ChatLine {
  readonly number: number
  readonly text: string
}

export interface ChatMessage extends Message {
  /** Its first and its last line. */
  readonly line: number
  readonly lastLine: number
}

/** A malformed line that was meant as a message. It is reported, never skipped. */
interface BrokenLine {
  readonly line: number
  readonly text: string
  readonly why: string
}

interface ChatReading {
  readonly messages: readonly ChatMessage[]
  readonly broken: readonly BrokenLine[]
}

const INDENT = '  '
const header = /^\[([^\]\s]+)\](?:[ \t]*@[ \t]*\[([^\]]*)\])?[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/
/** An attempt at an address: two names in brackets at the beginning of a line. */
const addressStart = /^\[[^\]]*-to-[^\]]*(\]|$)/

/** Whether a line is the first of a message, or was meant to be. */
export function isAddressed(line: string): boolean {
  return addressStart.test(line)
}

/**
 * Whether it may start a member. Messages to people do not, and agents often repeat them: such lines do not identify the
 * file.
 */
export function mayStartMember(line: string): boolean {
  const address = addressStart.test(line) ? line.slice(1).split(']')[0] : undefined
  return address !== undefined && !isPerson(address.split('-to-').at(-1) ?? '')
}

/** Whether it is addressed to a person: it starts no member. */
export function isToPerson(line: string): boolean {
  return addressStart.test(line) && !mayStartMember(line)
}

/** Its text follows in indented lines. */
export function isBareAddress(line: string): boolean {
  return addressStart.test(line) && header.exec(line.trimEnd())?.[3] === undefined && line.trimEnd().endsWith(':')
}

export function formatMessage({ from, to, observers, text }: Message): string {
  const others = observers.length === 0 ? '' : ` @ [${observers.join(', ')}]`
  const [first = '', ...rest] = text.split('\n')
  const lines = [`[${from}-to-${to}]${others}:${first === '' ? '' : ` ${first}`}`]
  for (const line of rest) lines.push(line === '' ? '' : INDENT + line)
  return `${lines.join('\n')}\n`
}

/** The members a message can name; anything else is a broken line. */
export function parseChat(lines: readonly ChatLine[], isKnown: (name: string) => boolean): ChatReading {
  const messages: ChatMessage[] = []
  const broken: BrokenLine[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as ChatLine
    const text = line.text.replace(/\r$/, '')
    const found = header.exec(text)
    if (found === null) {
      if (addressStart.test(text))
        broken.push(brokenLine(line, 'this is not a message; a message is `[sender-to-recipient]: text`'))
      else if (isIndented(text))
        broken.push(
          brokenLine(
            line,
            'an indented line continues the message above it, but there is none, or it was read before this line was written',
          ),
        )
      at++
      continue
    }
    const [, address = '', observers, first = ''] = found
    const read = readHeader(address, observers, isKnown)
    // Notes in brackets are not messages, unless they have the form of an address.
    if ('why' in read && !address.includes('-to-')) {
      at++
      continue
    }
    // Only for messages: else a file of empty lines would be scanned for each of them.
    const end = endOfMessage(lines, at)
    if ('why' in read) {
      broken.push(brokenLine(line, read.why))
      at = end
      continue
    }
    const rest = lines.slice(at + 1, end).map((one) => one.text.replace(/\r$/, '').replace(/^(\t| {1,2})/, ''))
    const whole = cleanText([first, ...rest].join('\n'))
    messages.push({ ...read, text: whole, line: line.number, lastLine: lines[end - 1]?.number ?? line.number })
    at = end
  }
  return { messages, broken }
}

/** The lines without the messages that begin in these. */
export function withoutMessages<Line extends ChatLine>(
  lines: readonly Line[],
  numbers: ReadonlySet<number>,
): readonly Line[] {
  let isWithin = false
  return lines.filter(({ number, text }) => {
    if (numbers.has(number)) isWithin = true
    else if (text.trim() !== '' && !isIndented(text)) isWithin = false
    return !isWithin
  })
}

/** The line after the last indented one; empty lines belong to the message if an indented one follows. */
function endOfMessage(lines: readonly ChatLine[], start: number): number {
  let end = start + 1
  for (let at = start + 1; at < lines.length; at++) {
    const text = lines[at]?.text ?? ''
    if (isIndented(text)) end = at + 1
    else if (text.trim() !== '') break
  }
  return end
}

function isIndented(text: string): boolean {
  return /^[ \t]+\S/.test(text)
}

function readHeader(
  address: string,
  observers: string | undefined,
  isKnown: (name: string) => boolean,
): Omit<Message, 'text'> | { readonly why: string } {
  const resolved = resolveAddress(address, isKnown)
  if ('readings' in resolved) {
    if (resolved.readings.length === 0) return { why: 'the names of sender and recipient are unclear' }
    const ways = resolved.readings.map(({ from, to }) => `${from} to ${to}`).join(', or ')
    return { why: `the address is ambiguous: ${ways}` }
  }
  const names = (observers ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const wrong = names.find((name) => !isName(name))
  if (wrong !== undefined) return { why: `"${wrong.slice(0, 40)}" is not a valid name` }
  return { ...resolved, observers: [...new Set(names)] }
}

function brokenLine({ number, text }: ChatLine, why: string): BrokenLine {
  return { line: number, text: cleanText(text.slice(0, Math.min(200, MESSAGE_LIMIT))), why }
}

/** Null if the text is not a list of ranges. */
export function parseLineRanges(text: string): ((number: number) => boolean) | null {
  const parts = text.split(',').map((part) => /^(\d+)(?:-(\d+))?$/.exec(part.trim()))
  if (parts.some((part) => part === null)) return null
  const ranges = parts.map((part) => ({ from: Number(part?.[1]), to: Number(part?.[2] ?? part?.[1]) }))
  return (number) => ranges.some(({ from, to }) => number >= from && number <= to)
}

export interface LineRange {
  readonly from: number
  readonly to: number
}

/** Consecutive numbers form one range. */
export function rangesOf(numbers: readonly number[]): LineRange[] {
  const ranges: LineRange[] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && number === last.to + 1) ranges.splice(-1, 1, { from: last.from, to: number })
    else ranges.push({ from: number, to: number })
  }
  return ranges
}

/** All of them, in as many texts as needed: each has at most `most`. */
export function formatLineRanges(ranges: readonly LineRange[], most = 20): string[] {
  const words = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  const texts: string[] = []
  for (let at = 0; at < words.length; at += most) texts.push(words.slice(at, at + most).join(','))
  return texts
}
