/** Decodes bytes to text and encodes it again without losing a byte, in any encoding. */
import type { Finding } from '../model/findings.ts'

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const
export type Encoding = (typeof encodings)[number]

export interface DecodedText {
  /** A byte order mark stays at offset 0 as U+FEFF, so that writing the text back keeps it. */
  readonly text: string
  readonly encoding: Encoding
  readonly findings: readonly Finding[]
}

// `ignoreBOM` means "do not remove it".
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const toUtf8 = new TextEncoder()

export function decode(bytes: Uint8Array): DecodedText {
  const wide = wideOrder(bytes)
  if (wide !== null) {
    const text = decodeWide(bytes, wide)
    const message = `The file is ${wide === 'utf-16le' ? 'UTF-16 (little endian)' : 'UTF-16 (big endian)'}, but harnesses read UTF-8.`
    return { text, encoding: wide, findings: [{ code: 'invalid-encoding', message, range: { start: 0, end: 1 } }] }
  }
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return decodeBroken(bytes)
  }
  // Searching the bytes is faster.
  return { text, encoding: 'utf-8', findings: bytes.includes(0) ? findNul(text) : [] }
}

export function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return toUtf8.encode(text)
  if (encoding === 'latin1') return encodeLatin1(text)
  const bytes = new Uint8Array(text.length * 2)
  const [low, high] = encoding === 'utf-16le' ? [0, 1] : [1, 0]
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    bytes[2 * i + low] = unit & 0xff
    bytes[2 * i + high] = unit >> 8
  }
  return bytes
}

/** Only a byte order mark makes a file UTF-16, and an odd number of bytes is never UTF-16. */
function wideOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return null
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return null
}

/** By hand, because TextDecoder replaces lone surrogates and the bytes would be lost. */
function decodeWide(bytes: Uint8Array, order: 'utf-16le' | 'utf-16be'): string {
  const [low, high] = order === 'utf-16le' ? [0, 1] : [1, 0]
  const units = new Uint16Array(bytes.length / 2)
  for (let i = 0; i < units.length; i++) units[i] = bytes[2 * i + low]! | (bytes[2 * i + high]! << 8)
  return fromUnits(units)
}

function decodeBroken(bytes: Uint8Array): DecodedText {
  // TextDecoder's "latin1" is windows-1252, which does not map every byte to itself.
  const text = fromUnits(bytes)
  const start = firstInvalidByte(bytes)
  const hex = bytes[start]!.toString(16).toUpperCase().padStart(2, '0')
  const finding: Finding = {
    code: 'invalid-encoding',
    message: `Byte ${hex} is not valid UTF-8 here. The file is read byte by byte.`,
    range: { start, end: start + 1 },
  }
  return { text, encoding: 'latin1', findings: [finding, ...findNul(text)] }
}

function fromUnits(units: Uint8Array | Uint16Array): string {
  let text = ''
  // In chunks, because the number of arguments of a call is limited.
  for (let i = 0; i < units.length; i += 8192) text += String.fromCharCode(...units.subarray(i, i + 8192))
  return text
}

/** Characters outside Latin-1 only come from an edit; such files are mostly UTF-8 with a bad byte, so UTF-8 is used. */
function encodeLatin1(text: string): Uint8Array {
  if (!/[^\u0000-\u00ff]/.test(text)) return Uint8Array.from(text, (character) => character.charCodeAt(0))
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0)!
    if (point <= 0xff) bytes.push(point)
    else bytes.push(...toUtf8.encode(character))
  }
  return Uint8Array.from(bytes)
}

/** The longest prefix that decodes ends where the error starts. */
function firstInvalidByte(bytes: Uint8Array): number {
  let low = 0
  let high = bytes.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (isPrefix(bytes, middle)) low = middle
    else high = middle - 1
  }
  return startOfCharacter(bytes, low)
}

/** The invalid byte may follow valid first bytes of the same character. */
function startOfCharacter(bytes: Uint8Array, broken: number): number {
  for (let back = 1; back <= 3 && back <= broken; back++) {
    const byte = bytes[broken - back]!
    if (byte < 0x80) break
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    if (byte >= 0xc0) return length > back ? broken - back : Math.min(broken, bytes.length - 1)
  }
  return Math.min(broken, bytes.length - 1)
}

function isPrefix(bytes: Uint8Array, length: number): boolean {
  try {
    // `stream` accepts a character that is merely cut off at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true })
    return true
  } catch {
    return false
  }
}

function findNul(text: string): Finding[] {
  const start = text.indexOf('\0')
  if (start < 0) return []
  const message = 'The file contains a NUL character here.'
  return [{ code: 'nul-character', message, range: { start, end: start + 1 } }]
}
