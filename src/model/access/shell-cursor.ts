/** A shell line, read word by word: quotes, substitutions, redirections and here-documents. */

export interface SubstitutionReader {
  /** Reads the commands of a substitution, up to its closing parenthesis. */
  readonly list: (closer: null) => void
  /** Reads the commands of a separate text: the one between backticks. */
  readonly nested: (text: string) => void
}

export interface ShellCursor {
  readonly at: () => number
  readonly isOver: () => boolean
  readonly isAt: (text: string) => boolean
  /** The word from here on, up to any quote or substitution. */
  readonly word: () => string
  /** At the end of a command. */
  readonly isAtOperator: () => boolean
  readonly isAtRedirection: () => boolean
  readonly isAtAssignment: () => boolean
  /** At an arithmetic expression in double parentheses, not at nested subshells. */
  readonly isAtArithmetic: () => boolean
  readonly skip: (count: number) => void
  readonly skipBlanks: () => void
  /** Blanks, ends of commands, and comments. */
  readonly skipBetween: () => void
  readonly readWord: () => string
  readonly readArithmetic: () => void
  /** The span is extended over the redirection's here-document. */
  readonly readRedirection: (span: { end: number } | null) => void
}

const redirection = /(?:\d*(?:<<<|<<-?|<>|<&|<|>>|>&|>\||>)|&>>?)/y
const plainWord = /[^\s;&|()<>]+/y
const assignment = /[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/y

/** An arithmetic expression has operators between its words; commands do not. */
function isSum(text: string): boolean {
  const plain = text.replace(/\$\([^()]*\)/g, '0')
  return !/[\w"'}]\s+[\w"'$-]|[;\n]/.test(plain)
}

interface HereDocument {
  readonly delimiter: string
  readonly isIndented: boolean
  readonly isPlain: boolean
  readonly span: { end: number } | null
}

export function createShellCursor(line: string, inner: SubstitutionReader): ShellCursor {
  let i = 0
  let insertions: HereDocument[] = []

  const at = () => i
  const isOver = () => i >= line.length
  const isAt = (text: string) => line.startsWith(text, i)
  const skip = (count: number) => {
    i = Math.min(line.length, i + count)
  }
  const matchHere = (pattern: RegExp): string | null => {
    pattern.lastIndex = i
    return pattern.exec(line)?.[0] ?? null
  }
  const word = () => matchHere(plainWord) ?? ''
  const isProcess = () => /^[<>]\(/.test(line.slice(i, i + 2))
  const isAtRedirection = () => !isProcess() && matchHere(redirection) !== null
  const isAtAssignment = () => matchHere(assignment) !== null
  const isArithmetic = (from: number) => {
    if (!line.startsWith('((', from)) return false
    let depth = 0
    for (let end = from; end < line.length; end++) {
      if (line[end] === '(') depth++
      if (line[end] === ')') depth--
      if (depth === 1 && line[end] === ')') return line[end + 1] === ')' && isSum(line.slice(from + 2, end))
    }
    return false
  }
  const isAtOperator = () => isOver() || (/[;&|)\n]/.test(line[i] ?? '') && !isAtRedirection()) || isAt('(')

  const skipBlanks = () => {
    for (;;) {
      if (isAt(' ') || isAt('\t')) i++
      else if (isAt('\\\n')) i += 2
      else if (isAt('#') && (i === 0 || /[\s;&|()]/.test(line[i - 1] ?? ''))) {
        const end = line.indexOf('\n', i)
        i = end < 0 ? line.length : end
      } else return
    }
  }

  const skipBetween = () => {
    for (;;) {
      skipBlanks()
      if (isAt('\n')) {
        i++
        readInsertions()
      } else if ((isAt(';') && !isAt(';;')) || (isAt('&') && !isAt('&&') && !isAtRedirection())) i++
      else return
    }
  }

  const readWord = (): string => {
    const start = i
    while (!isOver()) {
      const isBreak = /[\s;&|)<>]/.test(line[i] ?? '')
      if (isBreak && !isProcess()) break
      // In the middle of a word a parenthesis opens an array: `names=(a b)`.
      if (isAt('(') && line[i - 1] !== '=') break
      readPiece()
    }
    return line.slice(start, i)
  }

  /** One character, or the quoted or substituted text from here on. */
  const readPiece = () => {
    const c = line[i]
    if (c === '\\') skip(2)
    else if (isAt("$'")) readQuoted(2, true)
    else if (c === "'") readQuoted(1, false)
    else if (c === '"') readString()
    else if (c === '`') readTicked()
    else if (c === '$' && isArithmetic(i + 1)) {
      i++
      readArithmetic()
    } else if (isAt('$(') || isProcess()) readSubstitution(2)
    else if (isAt('${')) readBraced()
    else if (c === '(') readValues()
    else i++
  }

  const readQuoted = (opening: number, escapes: boolean) => {
    skip(opening)
    while (!isOver() && !isAt("'")) skip(escapes && isAt('\\') ? 2 : 1)
    skip(1)
  }

  const readString = () => {
    skip(1)
    while (!isOver() && !isAt('"')) {
      if (isAt('\\') || isAt('$') || isAt('`')) readInString()
      else i++
    }
    skip(1)
  }

  /** In a string only these are special. */
  const readInString = () => {
    if (isAt("$'")) i++
    else readPiece()
  }

  const readTicked = () => {
    const start = ++i
    while (!isOver() && !isAt('`')) skip(isAt('\\') ? 2 : 1)
    inner.nested(line.slice(start, i))
    skip(1)
  }

  const readSubstitution = (opening: number) => {
    skip(opening)
    inner.list(null)
    skip(1)
  }

  const readBraced = () => {
    skip(2)
    while (!isOver() && !isAt('}')) readPiece()
    skip(1)
  }

  const readValues = () => {
    skip(1)
    while (!isOver() && !isAt(')')) readPiece()
    skip(1)
  }

  const readArithmetic = () => {
    let depth = 0
    do {
      if (isAt('$(') || isAt('`') || isAt('"') || isAt("'")) readPiece()
      else {
        if (isAt('(')) depth++
        if (isAt(')')) depth--
        i++
      }
    } while (!isOver() && depth > 0)
  }

  const readRedirection = (span: { end: number } | null) => {
    const operator = matchHere(redirection) ?? ''
    skip(operator.length)
    skipBlanks()
    const target = readWord()
    const isInsertion = /<<-?$/.test(operator) && !operator.endsWith('<<<')
    if (!isInsertion) return
    const delimiter = target.replace(/["'\\]/g, '')
    insertions.push({ delimiter, isIndented: operator.endsWith('-'), isPlain: delimiter !== target, span })
  }

  /** The here-documents of earlier redirections. */
  const readInsertions = () => {
    const due = insertions
    insertions = []
    for (const { delimiter, isIndented, isPlain, span } of due) {
      while (!isOver()) {
        const end = line.indexOf('\n', i) < 0 ? line.length : line.indexOf('\n', i)
        const text = line.slice(i, end)
        if ((isIndented ? text.replace(/^\t+/, '') : text) === delimiter) {
          i = end
          break
        }
        while (i < end) {
          if (isPlain || !isAt('$(')) i++
          else readPiece()
        }
        skip(1)
      }
      if (span !== null) span.end = i
      if (isAt('\n')) i++
    }
  }

  return {
    at,
    isOver,
    isAt,
    word,
    isAtOperator,
    isAtRedirection,
    isAtAssignment,
    isAtArithmetic: () => isArithmetic(i),
    skip,
    skipBlanks,
    skipBetween,
    readWord,
    readArithmetic,
    readRedirection,
  }
}
