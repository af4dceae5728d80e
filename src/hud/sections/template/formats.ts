/** Formats values as text: in one line, of bounded length, as plain data. */

/** Colour and cursor sequences, as programs print them. */
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** Control characters and invisible ones: direction marks, zero-width spaces, tags. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g
const TAGS = /[\u{e0000}-\u{e007f}]+/gu

/** Half of a surrogate pair: a model's server may refuse the whole request for it. */
const HALVES = /\p{Cs}/gu

/** Line ends and tabs stay. What would close the frame around the sections, or open another, is escaped. */
export function sanitizeText(text: string): string {
  return text
    .replace(SEQUENCES, '')
    .replace(HIDDEN, ' ')
    .replace(TAGS, '')
    .replace(HALVES, '\ufffd')
    .replace(/<(?=\/?\s*hud\b)/gi, '‹')
}

/** The text for a missing value: a model must not treat silence as zero. */
const UNKNOWN = 'unknown'

/** A single value is a number or a title; anything longer is not meant for a prompt. */
const LONGEST = 500
const MOST_ITEMS = 50

type Format = (value: unknown, argument: string | number | null) => string

export const valueFormats: Readonly<Record<string, Format>> = {
  /** 84,500; the argument is the number of decimal places. */
  number: (value, digits) => {
    const number = numberOf(value)
    return number === null ? formatValue(value) : grouped(number, typeof digits === 'number' ? digits : null)
  },
  /** For a value that is already a percentage. */
  percent: (value, digits) => {
    const number = numberOf(value)
    return number === null ? formatValue(value) : `${grouped(number, typeof digits === 'number' ? digits : 0)}%`
  },
  /** Of seconds. */
  duration: (value) => {
    const seconds = numberOf(value)
    return seconds === null ? formatValue(value) : durationText(seconds)
  },
  /** The argument is the number of items shown. */
  list: (value, most) => {
    if (!Array.isArray(value)) return formatValue(value)
    if (value.length === 0) return 'none'
    const shown = value.slice(0, typeof most === 'number' && most >= 1 ? Math.min(most, MOST_ITEMS) : MOST_ITEMS)
    const rest = value.length - shown.length
    return oneLine(`${shown.map(itemText).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`)
  },
}

/** The text of a value without a named format. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return oneLine(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(rounded(value, 2)) : UNKNOWN
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return valueFormats.list?.(value, null) ?? UNKNOWN
  return typeof value === 'object' && value !== null ? itemText(value) : UNKNOWN
}

/** An item of a list: a plain value, or its name. */
function itemText(value: unknown): string {
  if (typeof value !== 'object') return formatValue(value)
  if (value === null || Array.isArray(value)) return UNKNOWN
  for (const key of ['title', 'name', 'level', 'id', 'path']) {
    const own = Object.getOwnPropertyDescriptor(value, key)?.value
    if (typeof own === 'string' || typeof own === 'number') return formatValue(own)
  }
  return UNKNOWN
}

/** Values come from files and programs: they must neither break out of their line nor close what encloses them. */
function oneLine(text: string): string {
  // First of all: cleaning a long text costs more than the few words of it that are shown.
  const short = text.slice(0, LONGEST + 1)
  const clean = sanitizeText(short).replace(/\s+/g, ' ').trim()
  return short.length > LONGEST ? `${clean.slice(0, LONGEST - 1).trimEnd()}…` : clean
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function rounded(value: number, digits: number): number {
  const factor = 10 ** Math.max(0, Math.min(digits, 6))
  return Math.round(value * factor) / factor
}

/** By hand: locales differ between machines, and prompts should not. */
function grouped(value: number, digits: number | null): string {
  if (Math.abs(value) >= 1e15) return String(value)
  const text =
    digits === null ? String(rounded(value, 2)) : rounded(value, digits).toFixed(Math.max(0, Math.min(digits, 6)))
  const [whole = '', fraction] = text.split('.')
  const marked = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? marked : `${marked}.${fraction}`
}

function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const units = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const
  const first = units.findIndex(([count]) => count > 0)
  if (first < 0) return '0 s'
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}
