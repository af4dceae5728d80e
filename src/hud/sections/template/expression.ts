/** Conditions and values: `context.percentage > 70 and not git.dirty`, `tasks.open | list 5`. */
import { type Comparison, type Expression, type Formatting, MOST_LEVELS, TemplateMistake } from './syntax.ts'

interface Word {
  readonly kind: 'number' | 'string' | 'sign' | 'path'
  readonly text: string
  /** In the parsed text. */
  readonly at: number
}

const WORD =
  /(?<number>-?\d+(?:\.\d+)?)%?(?![\w.])|"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)'|(?<sign>[=!<>]=|&&|\|\||[<>!()|])|(?<path>@?[A-Za-z_][\w-]*(?:\.[\w-]+)*)/y

/** Longer than any sensible condition; work per list item must stay small. */
const MOST_WORDS = 100

const negations: Readonly<Record<string, true>> = { not: true, '!': true }
const joints: Readonly<Record<string, 'and' | 'or'>> = { and: 'and', '&&': 'and', or: 'or', '||': 'or' }
const comparisons: readonly string[] = ['==', '!=', '<', '<=', '>', '>=']
const constants: Readonly<Record<string, true | false | null>> = { true: true, false: false, null: null, unknown: null }

/** `offset`: where the text begins in the file, for positions. Throws a `TemplateMistake`. */
export function parseExpression(text: string, offset = 0): Expression {
  const reader = openReader(text, offset)
  const expression = readOr(reader, 0)
  reader.end()
  return expression
}

/** An expression, and how it is printed. */
export function parseValue(text: string, offset = 0): { readonly of: Expression; readonly as: Formatting[] } {
  const reader = openReader(text, offset)
  const of = readOr(reader, 0)
  const as: Formatting[] = []
  while (reader.takeSign('|')) {
    const name = reader.take('path') ?? reader.fail('the name of a format is missing after "|"')
    const argument = reader.take('number') ?? reader.take('string')
    as.push({ name: name.text, argument: argument === null ? null : argumentOf(argument) })
  }
  reader.end()
  return { of, as }
}

function argumentOf({ kind, text }: Word): string | number {
  return kind === 'number' ? Number(text) : text
}

interface Reader {
  readonly peek: () => Word | undefined
  readonly take: (kind: Word['kind']) => Word | null
  readonly takeSign: (sign: string) => boolean
  readonly skip: () => void
  readonly fail: (why: string) => never
  readonly end: () => void
}

function openReader(text: string, offset: number): Reader {
  const words = wordsIn(text, offset)
  let index = 0
  const reader: Reader = {
    peek: () => words[index],
    skip: () => void index++,
    take: (kind) => {
      const word = words[index]
      if (word?.kind !== kind) return null
      index++
      return word
    },
    takeSign: (sign) => {
      const isThere = words[index]?.kind === 'sign' && words[index]?.text === sign
      if (isThere) index++
      return isThere
    },
    fail: (why) => {
      const start = offset + (words[index]?.at ?? text.length)
      throw new TemplateMistake(why, { start, end: start + (words[index]?.text.length ?? 0) })
    },
    end: () => {
      const word = words[index]
      if (word !== undefined) reader.fail(`"${word.text}" is not expected here`)
    },
  }
  return reader
}

function wordsIn(text: string, offset: number): Word[] {
  const words: Word[] = []
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] ?? '')) {
      at++
      continue
    }
    WORD.lastIndex = at
    const match = WORD.exec(text)
    if (match === null) {
      const place = { start: offset + at, end: offset + at + 1 }
      throw new TemplateMistake(`"${text.slice(at, at + 20).trim()}" is not understood`, place)
    }
    if (words.length >= MOST_WORDS) {
      const place = { start: offset + at, end: offset + at + 1 }
      throw new TemplateMistake(`it has more than ${MOST_WORDS} words`, place)
    }
    words.push({ ...wordOf(match.groups ?? {}), at })
    at = WORD.lastIndex
  }
  return words
}

function wordOf({ number, double, single, sign, path }: Readonly<Record<string, string | undefined>>) {
  if (number !== undefined) return { kind: 'number' as const, text: number }
  const string = double ?? single
  if (string !== undefined) return { kind: 'string' as const, text: string }
  return sign === undefined ? { kind: 'path' as const, text: path ?? '' } : { kind: 'sign' as const, text: sign }
}

function readOr(reader: Reader, level: number): Expression {
  return readJoint(reader, level, 'or', readAnd)
}

function readAnd(reader: Reader, level: number): Expression {
  return readJoint(reader, level, 'and', readNot)
}

function readJoint(
  reader: Reader,
  level: number,
  kind: 'and' | 'or',
  readPart: (reader: Reader, level: number) => Expression,
): Expression {
  let left = readPart(reader, level)
  for (let parts = 0; own(joints, reader.peek()) === kind; parts++) {
    if (parts > MOST_LEVELS) reader.fail('the condition is too long')
    reader.skip()
    left = { kind, left, right: readPart(reader, level) }
  }
  return left
}

function readNot(reader: Reader, level: number): Expression {
  if (level > MOST_LEVELS) reader.fail('the condition is nested too deeply')
  if (own(negations, reader.peek()) !== true) return readComparison(reader, level)
  reader.skip()
  return { kind: 'not', of: readNot(reader, level + 1) }
}

function readComparison(reader: Reader, level: number): Expression {
  const left = readOperand(reader, level)
  const sign = reader.peek()
  if (sign?.kind !== 'sign' || !comparisons.includes(sign.text)) return left
  reader.skip()
  return { kind: 'compare', by: sign.text as Comparison, left, right: readOperand(reader, level) }
}

function readOperand(reader: Reader, level: number): Expression {
  if (reader.takeSign('(')) {
    const inner = readOr(reader, level + 1)
    if (!reader.takeSign(')')) reader.fail('a closing parenthesis is missing')
    return inner
  }
  const literal = reader.take('number') ?? reader.take('string')
  if (literal !== null) return { kind: 'literal', value: argumentOf(literal) }
  const path = reader.take('path')
  if (path === null) return reader.fail('a value is missing')
  if (Object.hasOwn(constants, path.text)) return { kind: 'literal', value: constants[path.text] ?? null }
  return { kind: 'path', path: path.text.split('.') }
}

/** Quoted words are not operators. */
function own<T>(table: Readonly<Record<string, T>>, word: Word | undefined): T | undefined {
  if (word === undefined || word.kind === 'string') return undefined
  return Object.hasOwn(table, word.text) ? table[word.text] : undefined
}

export function pathsIn(expression: Expression): (readonly string[])[] {
  switch (expression.kind) {
    case 'literal':
      return []
    case 'path':
      return [expression.path]
    case 'not':
      return pathsIn(expression.of)
    default:
      return [...pathsIn(expression.left), ...pathsIn(expression.right)]
  }
}
