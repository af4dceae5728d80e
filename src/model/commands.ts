/** A shell command line as the commands it would run: a rule about one of them is no rule about the others. */

/** Cuts at operators outside quotes, and takes substitutions as commands of their own. One command: one part. */
export function commandParts(line: string): string[] {
  const parts: string[] = []
  let part = ''
  let quote: string | null = null
  const end = () => {
    if (part.trim() !== '') parts.push(part.trim())
    part = ''
  }
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? ''
    if (c === '\\') {
      part += c + (line[++i] ?? '')
    } else if (quote !== "'" && (c === '`' || (c === '$' && line[i + 1] === '('))) {
      // What is substituted runs first; the rest of the line is judged as written.
      if (c === '$') i++
      end()
    } else if (quote !== null) {
      if (c === quote) quote = null
      part += c
    } else if (c === '"' || c === "'") {
      quote = c
      part += c
    } else if (c === ';' || c === '|' || c === '&' || c === '\n' || c === '(' || c === ')') end()
    else part += c
  }
  end()
  return parts.length === 0 ? [line] : parts
}
