/**
 * The commands of a shell line as a grammar of the shell sees them, for harnesses that compare their rules with each of
 * them. What runs no program by name (a variable that is set, a test in brackets, a redirection alone) is no command.
 */
import { type Cursor, createCursor } from './shell-words.ts'

export interface ShellCommand {
  /** As it is written, with the variables before it. */
  readonly text: string
  /** Its name and its arguments as they are written, without variables and redirections. */
  readonly words: readonly string[]
}

export function shellCommands(line: string): ShellCommand[] {
  const found: Found[] = []
  const cursor = createCursor(line, {
    list: (closer) => readList(cursor, found, closer),
    nested: (text) => found.push(...shellCommands(text).map((one) => ({ ...one, span: null }))),
  })
  while (!cursor.isOver()) {
    readList(cursor, found, null)
    // A closer that nothing opened.
    cursor.skip(1)
  }
  return found.map(({ span, words, text }) => ({
    text: span === null ? text : line.slice(span.start, span.end).trim(),
    words,
  }))
}

interface Found extends ShellCommand {
  /** Where it stands; what is put in for later lines (`<<`) can move its end. */
  readonly span: { readonly start: number; end: number } | null
}

/** Sets variables, and runs nothing. */
const declarations = new Set(['export', 'declare', 'typeset', 'readonly', 'local', 'unset', 'unsetenv'])
/** Words after which another command begins. */
const openers = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do'])
const closers = new Set(['fi', 'done', 'esac', '}'])

/** Commands one after the other, up to whatever closes the list. */
function readList(cursor: Cursor, found: Found[], closer: string | null): void {
  for (;;) {
    cursor.skipBetween()
    if (cursor.isOver() || cursor.isAt(')')) return
    if (closer === ';;' && (cursor.isAt(';;') || cursor.isAtWord('esac'))) return
    if (closer !== null && cursor.isAtWord(closer)) return
    const before = cursor.at()
    readChain(cursor, found)
    if (cursor.at() === before) cursor.skip(1)
  }
}

/** Commands that are joined by `&&`, `||` and `|`. A redirection behind any but the first belongs to all of them. */
function readChain(cursor: Cursor, found: Found[]): void {
  let isFirst = true
  for (;;) {
    cursor.skipBlanks()
    while (cursor.isAtWord('!')) {
      cursor.skip(1)
      cursor.skipBlanks()
      isFirst = false
    }
    readMember(cursor, found, isFirst)
    cursor.skipBlanks()
    const operator = ['&&', '||', '|&', '|'].find((one) => cursor.isAt(one))
    if (operator === undefined) return
    cursor.skip(operator.length)
    cursor.skipBetween()
    isFirst = false
  }
}

function readMember(cursor: Cursor, found: Found[], ownsRedirections: boolean): void {
  if (cursor.isAt('((')) {
    cursor.readArithmetic()
  } else if (cursor.isAt('(')) {
    cursor.skip(1)
    readList(cursor, found, null)
    cursor.skip(1)
  } else if (cursor.isAtWord('{')) {
    readBlock(cursor, found, '}')
  } else if (cursor.isAtWord('if')) {
    readBlock(cursor, found, 'fi')
  } else if (cursor.isAtWord('while') || cursor.isAtWord('until')) {
    readBlock(cursor, found, 'done')
  } else if (cursor.isAtWord('for') || cursor.isAtWord('select')) {
    readLoopHead(cursor)
    readBlock(cursor, found, 'done')
  } else if (cursor.isAtWord('case')) {
    readCase(cursor, found)
  } else if (cursor.isAtWord('[[') || cursor.isAtWord('[')) {
    readTest(cursor)
  } else if (cursor.isAtWord('function')) {
    cursor.readWord()
    cursor.skipBlanks()
    cursor.readWord()
    return
  } else if ([...openers, ...closers].some((one) => cursor.isAtWord(one))) {
    const isOpener = [...openers].some((one) => cursor.isAtWord(one))
    cursor.readWord()
    if (isOpener) return
  } else {
    readSimple(cursor, found, ownsRedirections)
    return
  }
  readRedirections(cursor)
}

/** From the word that opens it to the one that closes it. */
function readBlock(cursor: Cursor, found: Found[], closer: string): void {
  cursor.readWord()
  readList(cursor, found, closer)
  if (cursor.isAtWord(closer)) cursor.readWord()
}

/** `for x in words;`: what is looped over can hold substitutions, but is no command. */
function readLoopHead(cursor: Cursor): void {
  cursor.readWord()
  for (;;) {
    cursor.skipBlanks()
    if (cursor.isAt('((')) cursor.readArithmetic()
    else if (cursor.isAtOperator()) break
    else cursor.readWord()
  }
  cursor.skipBetween()
}

function readCase(cursor: Cursor, found: Found[]): void {
  cursor.readWord()
  cursor.skipBlanks()
  cursor.readWord()
  cursor.skipBlanks()
  if (cursor.isAtWord('in')) cursor.readWord()
  for (;;) {
    cursor.skipBetween()
    if (cursor.isOver()) return
    if (cursor.isAtWord('esac')) break
    while (!cursor.isOver() && !cursor.isAt(')')) {
      const before = cursor.at()
      cursor.skipBlanks()
      if (!cursor.isAtOperator()) cursor.readWord()
      if (cursor.at() === before) cursor.skip(1)
    }
    cursor.skip(1)
    readList(cursor, found, ';;')
    if (cursor.isAt(';;')) cursor.skip(2)
  }
  cursor.readWord()
}

function readTest(cursor: Cursor): void {
  const closer = cursor.isAtWord('[[') ? ']]' : ']'
  for (let word = cursor.readWord(); word !== closer && !cursor.isOver(); ) {
    cursor.skipBlanks()
    if (cursor.isAtOperator()) {
      // Only double brackets hold operators of their own.
      if (closer === ']') return
      cursor.skip(1)
      word = ''
    } else word = cursor.readWord()
  }
}

function readRedirections(cursor: Cursor): void {
  cursor.skipBlanks()
  while (cursor.isAtRedirection()) {
    cursor.readRedirection(null)
    cursor.skipBlanks()
  }
}

function readSimple(cursor: Cursor, found: Found[], ownsRedirections: boolean): void {
  const span = { start: cursor.at(), end: cursor.at() }
  const words: string[] = []
  let hasVariables = false
  let hasRedirections = false
  // What is substituted in it is found while it is read, and still stands behind it.
  const place = found.length
  for (;;) {
    cursor.skipBlanks()
    if (cursor.isAtRedirection()) {
      cursor.readRedirection(ownsRedirections ? span : null)
      hasRedirections = true
      if (ownsRedirections) span.end = Math.max(span.end, cursor.at())
      continue
    }
    if (cursor.isAtOperator()) break
    const isVariable = words.length === 0 && cursor.isAtAssignment()
    const word = cursor.readWord()
    if (word === '') break
    if (isVariable) hasVariables = true
    else words.push(word)
    span.end = cursor.at()
  }
  if (words.length === 1 && cursor.isAt('()')) cursor.skip(2)
  else if (words.length > 0 ? !declarations.has(words[0] ?? '') : hasVariables && hasRedirections) {
    found.splice(place, 0, { span, words, text: '' })
  }
}
