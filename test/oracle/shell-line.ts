/** The commands in a shell line, as a reader of shell syntax sees them; what only changes the folder or a variable is none. */

/** Stands where a program stands that is compared with rules. */
export function commandsOf(line: string): readonly string[] {
  return linesCommands(line).filter((command) => !/^(?:cd|chdir|pushd|popd)(?:\s|$)/.test(command))
}

/** Every command of the line with the text that rules are compared with, in the order in which they stand. */
export function linesCommands(line: string): readonly string[] {
  const known = cache.get(line)
  if (known !== undefined) return known
  const found = new Reader(line).all()
  if (cache.size > 20_000) cache.clear()
  cache.set(line, found)
  return found
}

const cache = new Map<string, readonly string[]>()

const keywords = new Set(['if', 'then', 'else', 'elif', 'fi', 'do', 'done', 'while', 'until', '{', '}', '!'])
const declarations = /^(?:export|declare|typeset|readonly|local|unset)$/
const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/

/** One line, read from left to right. */
class Reader {
  private at = 0
  private readonly text: string
  constructor(text: string) {
    this.text = text
  }

  all(): string[] {
    return this.list(() => false)
  }

  /** Commands until the end or until what closes them. */
  private list(closes: () => boolean): string[] {
    const out: string[] = []
    let group: { text: string; nested: string[] }[] = []
    let joined = false
    const flush = () => {
      for (const { text, nested } of group) out.push(...(text === '' ? [] : [text]), ...nested)
      group = []
      joined = false
    }
    const pending: { tag: string; raw: boolean; dashed: boolean }[] = []
    while (this.at < this.text.length) {
      if (closes()) break
      const sign = this.text[this.at] ?? ''
      const two = this.text.slice(this.at, this.at + 2)
      if (sign === '\n') {
        this.at++
        for (const one of pending.splice(0)) this.skipHeredoc(one)
        if (!/(?:&&|\|\||\|)\s*$/.test(this.text.slice(0, this.at - 1))) flush()
      } else if (sign === ' ' || sign === '\t' || two === '\\\n') this.at += two === '\\\n' ? 2 : 1
      else if (sign === '#') while (this.at < this.text.length && this.text[this.at] !== '\n') this.at++
      else if (two === '&&' || two === '||' || two === '|&') {
        this.at += 2
        joined = true
      } else if (two === ';;') {
        this.at += 2
        flush()
        this.casePattern()
      } else if (sign === '|') {
        this.at++
        joined = true
      } else if (sign === ';' || (sign === '&' && two !== '&>')) {
        this.at++
        flush()
      } else if (two === '((') this.skipUntil('))')
      else if (/^\[\[\s/.test(this.text.slice(this.at, this.at + 3))) {
        const from = this.at
        this.skipUntil(']]')
        group.push({ text: '', nested: substitutions(this.text.slice(from, this.at)) })
      } else if (sign === '(') {
        this.at++
        const inner = this.list(() => this.text[this.at] === ')')
        this.at++
        group.push({ text: '', nested: inner })
        this.skipRedirects()
      } else if (sign === ')') this.at++
      else {
        const opens = /^[{!](?=\s)/.exec(this.text.slice(this.at))?.[0]
        const piece = this.simple(pending)
        // A redirection behind several commands belongs to all of them, so it is cut off what follows the first.
        if (piece !== null) group.push({ text: joined ? piece.cut : piece.text, nested: piece.nested })
        if (opens !== undefined) joined = opens === '!'
      }
    }
    flush()
    return out
  }

  private skipRedirects(): void {
    const match = /^\s*(?:\d*[<>]&?\|?\s*[^\s;&|)]+\s*)+/.exec(this.text.slice(this.at))
    if (match !== null) this.at += match[0].length
  }

  private skipUntil(end: string): void {
    const found = this.text.indexOf(end, this.at + 2)
    this.at = found < 0 ? this.text.length : found + end.length
  }

  private skipHeredoc({ tag, dashed }: { tag: string; dashed: boolean }): void {
    while (this.at < this.text.length) {
      const end = this.text.indexOf('\n', this.at)
      const line = this.text.slice(this.at, end < 0 ? this.text.length : end)
      this.at = end < 0 ? this.text.length : end + 1
      if ((dashed ? line.replace(/^\t+/, '') : line) === tag) return
    }
  }

  private casePattern(): void {
    const match = /^\s*(?!esac)\(?[^)\n]*\)/.exec(this.text.slice(this.at))
    if (match !== null) this.at += match[0].length
  }

  /** One simple command, up to an operator. */
  private simple(pending: { tag: string; raw: boolean; dashed: boolean }[]) {
    const from = this.at
    const nested: string[] = []
    const words: string[] = []
    let to = from
    let cut = -1
    let redirected = false
    while (this.at < this.text.length) {
      const sign = this.text[this.at] ?? ''
      const rest = this.text.slice(this.at)
      if (sign === '\n' || sign === ';' || sign === ')' || sign === '|') break
      if (sign === '&' && !rest.startsWith('&>')) break
      if (sign === ' ' || sign === '\t') {
        this.at++
        continue
      }
      if (rest.startsWith('\\\n')) {
        this.at += 2
        continue
      }
      if (sign === '#') break
      const heredoc = /^\d*<<(-?)\s*(?:'([^']*)'|"([^"]*)"|([^\s;|&()<>]+))/.exec(rest)
      if (heredoc !== null && !rest.startsWith('<<<')) {
        this.at += heredoc[0].length
        to = this.at
        const tag = heredoc[2] ?? heredoc[3] ?? heredoc[4] ?? ''
        const raw = heredoc[4] === undefined
        const body = this.heredocBody(tag, heredoc[1] === '-')
        if (body !== null) {
          // Backticks are not looked for in lines that are put in.
          if (!raw) nested.push(...substitutions(body.text.replaceAll('`', ' ')))
          heredocEnd = body
        }
        pending.push({ tag, raw, dashed: heredoc[1] === '-' })
        continue
      }
      const redirect = /^(?:\d*(?:>>|>\||>&|<&|<<<|<>|>|<)(?!\()|&>>?)\s*/.exec(rest)
      if (redirect !== null) {
        if (cut < 0 && words.length > 0) cut = to
        redirected = true
        this.at += redirect[0].length
        if (/[^\s;|&\n]/.test(this.text[this.at] ?? ' ')) this.word(nested)
        to = this.at
        continue
      }
      const start = this.at
      this.word(nested)
      const word = this.text.slice(start, this.at)
      if (words.length === 0 && keywords.has(word)) return nested.length > 0 ? { text: '', cut: '', nested } : null
      if (words.length === 0 && (word === 'for' || word === 'select')) return this.loop(nested)
      if (words.length === 0 && word === 'case') return this.branches(nested)
      if (words.length === 0 && word === 'esac') return null
      if (words.length === 0 && word === 'function') {
        this.at += /^\s*[\w-]+\s*(?:\(\))?/.exec(this.text.slice(this.at))?.[0].length ?? 0
        return null
      }
      if (words.length === 0 && /^\s*\(\s*\)/.test(this.text.slice(this.at)) && /^[\w-]+$/.test(word)) {
        this.at += /^\s*\(\s*\)/.exec(this.text.slice(this.at))?.[0].length ?? 0
        return null
      }
      words.push(word)
      to = this.at
      cut = redirected ? cut : -1
      if (assignment.test(word) && this.text[this.at] === '(' && word.endsWith('=')) {
        const open = this.at
        this.skipBalanced()
        nested.push(...substitutions(this.text.slice(open, this.at)))
        to = this.at
      }
    }
    const text = withHeredoc(this.text.slice(from, to), pending.length > 0 ? heredocEnd : null, this.text)
    heredocEnd = null
    const first = words[0] ?? ''
    const runsNothing =
      words.length === 0 || words.every((word) => assignment.test(word)) || declarations.test(first) || first === '['
    if (runsNothing) return { text: '', cut: '', nested }
    return { text, cut: cut < 0 || text.includes('<<') ? text : this.text.slice(from, cut), nested }
  }

  private heredocBody(tag: string, dashed: boolean): { from: number; to: number; text: string } | null {
    const from = this.text.indexOf('\n', this.at)
    if (from < 0) return null
    let at = from + 1
    while (at <= this.text.length) {
      const end = this.text.indexOf('\n', at)
      const stop = end < 0 ? this.text.length : end
      const line = this.text.slice(at, stop)
      if ((dashed ? line.replace(/^\t+/, '') : line) === tag)
        return { from, to: stop, text: this.text.slice(from + 1, at) }
      if (end < 0) return null
      at = end + 1
    }
    return null
  }

  private loop(nested: string[]) {
    if (/^\s*\(\(/.test(this.text.slice(this.at))) {
      this.at = this.text.indexOf('((', this.at)
      this.skipUntil('))')
    }
    while (this.at < this.text.length && !/^(?:;|\n|do\b)/.test(this.text.slice(this.at))) {
      if (/\s/.test(this.text[this.at] ?? '')) this.at++
      else this.word(nested)
    }
    return { text: '', cut: '', nested }
  }

  private branches(nested: string[]) {
    while (this.at < this.text.length && !/^in\s/.test(this.text.slice(this.at))) {
      if (/\s/.test(this.text[this.at] ?? '')) this.at++
      else this.word(nested)
    }
    this.at += 2
    this.casePattern()
    return { text: '', cut: '', nested }
  }

  private skipBalanced(): void {
    let depth = 0
    while (this.at < this.text.length) {
      const sign = this.text[this.at++]
      if (sign === '(') depth++
      if (sign === ')' && --depth === 0) return
    }
  }

  /** One word, with what is substituted in it; a sign that begins no word is passed over. */
  private word(nested: string[]): void {
    const from = this.at
    this.wordSigns(nested)
    if (this.at === from) this.at++
  }

  private wordSigns(nested: string[]): void {
    while (this.at < this.text.length) {
      const sign = this.text[this.at] ?? ''
      const two = this.text.slice(this.at, this.at + 2)
      if (two === '<(' || two === '>(') this.substitution(nested, 2)
      else if (two === '$(') this.dollar(nested)
      else if (two === '${') this.brace(nested)
      else if (two === "$'") this.ansi()
      else if (sign === '`') this.backticks(nested)
      else if (sign === '"') this.quoted(nested)
      else if (sign === "'") {
        const end = this.text.indexOf("'", this.at + 1)
        this.at = end < 0 ? this.text.length : end + 1
      } else if (two === '\\\n') return
      else if (sign === '\\') this.at += 2
      else if (/[\s;|&()<>]/.test(sign)) return
      else this.at++
    }
  }

  private ansi(): void {
    this.at += 2
    while (this.at < this.text.length && this.text[this.at] !== "'") this.at += this.text[this.at] === '\\' ? 2 : 1
    this.at++
  }

  private dollar(nested: string[]): void {
    if (!this.text.startsWith('$((', this.at)) {
      this.substitution(nested, 2)
      return
    }
    const from = this.at
    this.at++
    this.skipBalanced()
    nested.push(...substitutions(this.text.slice(from + 3, this.at - 2)))
  }

  private brace(nested: string[]): void {
    const from = this.at
    let depth = 0
    while (this.at < this.text.length) {
      if (this.text.startsWith('$(', this.at)) this.dollar(nested)
      else {
        const sign = this.text[this.at++]
        if (sign === '{') depth++
        if (sign === '}' && --depth === 0) return
      }
    }
    if (from === this.at) this.at++
  }

  private substitution(nested: string[], opening: number): void {
    this.at += opening
    nested.push(...this.list(() => this.text[this.at] === ')'))
    this.at++
  }

  private backticks(nested: string[]): void {
    let end = this.at + 1
    while (end < this.text.length && this.text[end] !== '`') end += this.text[end] === '\\' ? 2 : 1
    nested.push(...new Reader(this.text.slice(this.at + 1, end)).all())
    this.at = end + 1
  }

  private quoted(nested: string[]): void {
    this.at++
    while (this.at < this.text.length && this.text[this.at] !== '"') {
      if (this.text[this.at] === '\\') this.at += 2
      else if (this.text.startsWith('$(', this.at)) this.dollar(nested)
      else if (this.text.startsWith('${', this.at)) this.brace(nested)
      else if (this.text[this.at] === '`') this.backticks(nested)
      else this.at++
    }
    this.at++
  }
}

let heredocEnd: { from: number; to: number; text: string } | null = null

/** A command with lines that are put in is compared with those lines too. */
function withHeredoc(text: string, body: { from: number; to: number } | null, whole: string): string {
  if (body === null) return text
  const start = whole.indexOf(text)
  return start >= 0 ? whole.slice(start, body.to) : text
}

/** What is substituted in a text that is no command itself. */
function substitutions(text: string): string[] {
  return new Reader(`: "${text.replaceAll('"', ' ')}"`).all().slice(1)
}
