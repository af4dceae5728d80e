/**
 * The commands of a shell line according to the shell's grammar, for harnesses that compare their rules with each of
 * them. A construct that runs no program by name (an assignment, a test in brackets, a bare redirection) is not a
 * command.
 */
import { createShellCursor, type ShellCursor } from './shell-cursor.ts'

export interface ShellCommand {
  /** As written, with the variables before it. */
  readonly text: string
  /** Its name and arguments as written, without variables and redirections. */
  readonly words: readonly string[]
}

export function shellCommands(line: string): ShellCommand[] {
  if ((line.match(openings) ?? []).length > MAX_OPENINGS) return fragments(line)
  const found: FoundCommand[] = []
  const cursor = createShellCursor(line, {
    list: (closer) => readList(cursor, found, closer),
    nested: (text) => found.push(...shellCommands(text).map((one) => ({ ...one, span: null }))),
  })
  while (!cursor.isOver()) {
    readList(cursor, found, null)
    // A closer without an opener.
    cursor.skip(1)
  }
  return found.map(({ span, words, text }) => ({
    text: span === null ? text : line.slice(span.start, span.end).trim(),
    words,
  }))
}

const openings = /[({`]|\b(?:if|while|until|for|select|case)\b/g

/** No real line is nested deeper; only a hostile one would be. */
const MAX_OPENINGS = 200

/** Everything between two characters that could end or begin a command: perhaps too many commands, never too few. */
function fragments(line: string): ShellCommand[] {
  const texts = line.split(/[;&|(){}`\n]/).map((text) => text.trim())
  return texts.flatMap((text) => (text === '' || text === '$' ? [] : [{ text, words: text.split(/\s+/) }]))
}

interface FoundCommand extends ShellCommand {
  /** Its position; a here-document (`<<`) can move its end. */
  readonly span: { readonly start: number; end: number } | null
}

/** Sets variables, and runs nothing. */
const declarations = new Set(['export', 'declare', 'typeset', 'readonly', 'local', 'unset', 'unsetenv'])
/** Words that open a block, and the words that close it. */
const blocks: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['if', 'fi'],
  ['while', 'done'],
  ['until', 'done'],
  ['for', 'done'],
  ['select', 'done'],
])
/** Words within a block after which another command begins. */
const joints = new Set(['then', 'elif', 'else', 'do'])
const closers = new Set(['}', 'fi', 'done', 'esac'])

/** Commands in sequence, up to the closer of the list. */
function readList(cursor: ShellCursor, found: FoundCommand[], closer: string | null): void {
  for (;;) {
    cursor.skipBetween()
    if (cursor.isOver() || cursor.isAt(')')) return
    if (closer === ';;' && (cursor.isAt(';;') || cursor.word() === 'esac')) return
    if (cursor.word() === closer) return
    const before = cursor.at()
    readChain(cursor, found)
    if (cursor.at() === before) cursor.skip(1)
  }
}

/** Commands joined by `&&`, `||` and `|`. A redirection behind any but the first belongs to all of them. */
function readChain(cursor: ShellCursor, found: FoundCommand[]): void {
  let isFirst = true
  for (;;) {
    cursor.skipBlanks()
    while (cursor.word() === '!') {
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

function readMember(cursor: ShellCursor, found: FoundCommand[], ownsRedirections: boolean): void {
  const word = cursor.word()
  const closer = blocks.get(word)
  if (cursor.isAtArithmetic()) {
    cursor.readArithmetic()
  } else if (cursor.isAt('(')) {
    cursor.skip(1)
    readList(cursor, found, null)
    cursor.skip(1)
  } else if (closer !== undefined) {
    readBlock(cursor, found, closer)
  } else if (word === 'case') {
    readCase(cursor, found)
  } else if (word === '[[' || word === '[') {
    readTest(cursor, word === '[[' ? ']]' : ']')
  } else if (closers.has(word)) {
    cursor.readWord()
  } else if (joints.has(word)) {
    cursor.readWord()
    return
  } else if (word === 'function') {
    cursor.readWord()
    cursor.skipBlanks()
    cursor.readWord()
    return
  } else {
    readSimple(cursor, found, ownsRedirections)
    return
  }
  readRedirections(cursor)
}

/** From the opening word to the closing one. */
function readBlock(cursor: ShellCursor, found: FoundCommand[], closer: string): void {
  const opener = cursor.readWord()
  if (opener === 'for' || opener === 'select') readLoopHead(cursor)
  readList(cursor, found, closer)
  if (cursor.word() === closer) cursor.readWord()
}

/** `for x in words;`: the words can contain substitutions, but are not a command. */
function readLoopHead(cursor: ShellCursor): void {
  for (;;) {
    cursor.skipBlanks()
    if (cursor.isAt('((')) cursor.readArithmetic()
    else if (cursor.isAtOperator() || cursor.readWord() === '') break
  }
  cursor.skipBetween()
}

function readCase(cursor: ShellCursor, found: FoundCommand[]): void {
  cursor.readWord()
  cursor.skipBlanks()
  cursor.readWord()
  cursor.skipBlanks()
  if (cursor.word() === 'in') cursor.readWord()
  for (;;) {
    cursor.skipBetween()
    if (cursor.isOver()) return
    if (cursor.word() === 'esac') break
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

function readTest(cursor: ShellCursor, closer: string): void {
  for (let word = cursor.readWord(); word !== closer && !cursor.isOver(); ) {
    cursor.skipBlanks()
    // Only double brackets have operators of their own.
    if (closer === ']' && cursor.isAtOperator()) return
    word = cursor.isAtOperator() ? '' : cursor.readWord()
    if (word === '') cursor.skip(1)
  }
}

function readRedirections(cursor: ShellCursor): void {
  cursor.skipBlanks()
  while (cursor.isAtRedirection()) {
    cursor.readRedirection(null)
    cursor.skipBlanks()
  }
}

function readSimple(cursor: ShellCursor, found: FoundCommand[], ownsRedirections: boolean): void {
  const span = { start: cursor.at(), end: cursor.at() }
  const words: string[] = []
  let hasVariables = false
  let hasRedirections = false
  // Substitutions in it are found while it is read, but are listed after it.
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
