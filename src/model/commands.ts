/** A shell command line as the commands it would run: a rule about one of them is no rule about the others. */

/** Words of the shell before a command, and those that stand alone: a rule about the command is not kept off by them. */
const openers = /^(?:(?:if|then|elif|else|while|until|do|!|\{)(?:\s+|$))+/
const closers = /^(?:fi|done|esac|\})$/

/** The ampersand of `2>&1` ends nothing. */
const endsInRedirection = /(?:^|[^\\])[<>]$/

/** Cuts at operators outside quotes, and takes substitutions as commands of their own. One command: one part. */
export function commandParts(line: string): string[] {
  const parts: string[] = []
  /** The quotes that substitutions stand in, from the outermost. */
  const around: (string | null)[] = []
  let part = ''
  let quote: string | null = null
  let isTicked = false
  const end = () => {
    const command = part.trim().replace(openers, '')
    // What is left of quotes around a substitution is no command.
    if (/[^\s"']/.test(command) && !closers.test(command)) parts.push(command)
    part = ''
  }
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? ''
    const isSubstitution = c === '$' && line[i + 1] === '('
    if (c === '\\') {
      part += c + (line[++i] ?? '')
    } else if (quote !== "'" && (c === '`' || isSubstitution)) {
      // What is substituted runs first; the rest of the line is judged as written.
      end()
      if (isTicked && !isSubstitution) quote = around.pop() ?? null
      else {
        around.push(quote)
        quote = null
      }
      if (isSubstitution) i++
      else isTicked = !isTicked
    } else if (quote !== null) {
      if (c === quote) quote = null
      part += c
    } else if (c === '"' || c === "'") {
      quote = c
      part += c
    } else if (c === '(') {
      end()
      around.push(null)
    } else if (c === ')') {
      end()
      quote = around.pop() ?? null
    } else if (c === ';' || c === '|' || c === '\n' || (c === '&' && !endsInRedirection.test(part))) end()
    else part += c
  }
  end()
  return parts.length === 0 ? [line] : parts
}
