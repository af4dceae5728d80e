/**
 * Regular expressions that people write for file names and commands, as wildcards, and the other way round. They are
 * never run: a stranger may have written them.
 */

/** More alternatives than people write. */
const MOST = 64
const NOTHING = ['']

/**
 * Wildcards that together match what the expression matches; null if there are none. `whole`: it must match all of a
 * text; otherwise it may match anywhere in it. `around`: they may match a little more.
 */
export function wildcardsOf(source: string, whole: boolean, side: 'exact' | 'around' = 'exact'): string[] | null {
  const reader = { source, whole, at: 0 }
  const found = alternatives(reader, 0)
  if (found === null || reader.at < reader.source.length) return null
  const open = found.map((one) => anchored(one, whole))
  const all = [...new Set(open.flatMap((one) => one ?? []))]
  return open.some((one) => one === null || isAmbiguous(one, all, side)) ? null : all
}

/** One expression for several wildcards. `whole`: it is compared with all of a text, and needs no anchors. */
export function regexOf(wildcards: readonly string[], whole = false): string {
  return wildcards.map((one) => (whole ? inner(one) : anywhere(one))).join('|')
}

function anywhere(wildcard: string): string {
  const opens = wildcard.startsWith('*')
  const closes = wildcard.length > 1 && wildcard.endsWith('*') && !wildcard.endsWith(' *')
  const inside = wildcard.slice(opens ? 1 : 0, closes ? -1 : undefined)
  return `${opens ? '' : '^'}${inner(inside)}${closes ? '' : '$'}` || '.*'
}

/** A star behind a space at the end also matches the words before it alone. */
function inner(wildcard: string): string {
  if (wildcard.endsWith(' *')) return `${inner(wildcard.slice(0, -2))}( .*)?`
  return [...wildcard].map(regexSign).join('')
}

function regexSign(sign: string): string {
  if (sign === '*') return '.*'
  return sign === '?' ? '.' : sign.replace(/[\\^$.|+()[\]{}]/, '\\$&')
}

interface Reader {
  readonly source: string
  readonly whole: boolean
  at: number
}

/** `^` and `$` are kept as START and END: where they are missing, anything can be. */
const START = '\u0001'
const END = '\u0002'

function alternatives(reader: Reader, depth: number): string[] | null {
  if (depth > 8) return null
  const all: string[] = []
  for (;;) {
    const one = sequence(reader, depth)
    if (one === null) return null
    all.push(...one)
    if (all.length > MOST) return null
    if (reader.source[reader.at] !== '|') return all
    reader.at++
  }
}

function sequence(reader: Reader, depth: number): string[] | null {
  let all: readonly string[] = NOTHING
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at] ?? '')) {
    const part = repeated(reader, depth)
    if (part === null || all.length * part.length > MOST) return null
    all = all.flatMap((before) => part.map((one) => before + one))
  }
  return [...all]
}

function repeated(reader: Reader, depth: number): string[] | null {
  const part = atom(reader, depth)
  const sign = reader.source[reader.at] ?? ''
  if (part === null || !'*+?{'.includes(sign) || sign === '') return part
  reader.at++
  // A lazy or possessive repetition matches the same texts.
  if ('?+'.includes(reader.source[reader.at] ?? ' ')) reader.at++
  if (sign === '?') return part.some((one) => one === '?') ? null : [...NOTHING, ...part]
  const isAny = part.length === 1 && part[0] === '?'
  if (!isAny || sign === '{') return null
  return sign === '*' ? ['*'] : ['?*']
}

function atom(reader: Reader, depth: number): string[] | null {
  const sign = reader.source[reader.at] ?? ''
  reader.at++
  if (sign === '^') return [START]
  if (sign === '$') return [END]
  if (sign === '.') return ['?']
  if (sign === '(') return group(reader, depth)
  if (sign === '\\') {
    const next = reader.source[reader.at] ?? ''
    reader.at++
    // Programs that compare whole texts know these anchors; to others they are letters.
    if (reader.whole && next === 'A') return [START]
    if (reader.whole && (next === 'z' || next === 'Z')) return [END]
    return /[\w\s]/.test(next) || next === '' ? null : literal(next)
  }
  return '[]{}*+?'.includes(sign) ? null : literal(sign)
}

function group(reader: Reader, depth: number): string[] | null {
  const [opener = ''] = /^\?:/.exec(reader.source.slice(reader.at)) ?? []
  if (opener === '' && reader.source[reader.at] === '?') return null
  reader.at += opener.length
  const inside = alternatives(reader, depth + 1)
  if (inside === null || reader.source[reader.at] !== ')') return null
  reader.at++
  return inside
}

/** Not what a wildcard cannot say literally, what would end it in a list, and controls, START and END among them. */
function literal(sign: string): string[] | null {
  return '*?\\(),~'.includes(sign) || sign < ' ' ? null : [sign]
}

function anchored(pattern: string, whole: boolean): string | null {
  const begins = whole || pattern.startsWith(START)
  const ends = whole || pattern.endsWith(END)
  const inside = pattern.replace(START, '').replace(END, '')
  if (inside.includes(START) || inside.includes(END)) return null
  if (pattern.indexOf(START) > 0 || (pattern.includes(END) && !pattern.endsWith(END))) return null
  return `${begins ? '' : '*'}${inside}${ends ? '' : '*'}`.replace(/\*{2,}/g, '*')
}

/** A star behind a space at the end also matches the words before it alone; and some names are special. */
function isAmbiguous(pattern: string, all: readonly string[], side: 'exact' | 'around'): boolean {
  if (side === 'exact' && pattern.endsWith(' *') && !all.includes(pattern.slice(0, -2))) return true
  return pattern === '' || /^(?:~|\$HOME)/.test(pattern)
}
