/** References in the text of a configuration, replaced before it is parsed: `{env:NAME}`, then `{file:path}`. */
import type { Surroundings } from '../prompt.ts'

export interface Substituted {
  readonly text: string
  /** References to files that cannot be read, as they are written. */
  readonly missing: readonly string[]
}

export function substitute(text: string, kinds: readonly ('file' | 'env')[], surroundings: Surroundings): Substituted {
  const missing: string[] = []
  let filled = text
  if (kinds.includes('env')) {
    filled = filled.replace(/\{env:([^}]+)\}/g, (_all, name: string) => surroundings.environment(name) ?? '')
  }
  if (kinds.includes('file')) {
    const before = filled
    filled = filled.replace(/\{file:([^}]+)\}/g, (reference, path: string, offset: number) => {
      if (isCommented(before, offset)) return reference
      const content = surroundings.readBeside(path)
      if (content === null) missing.push(reference)
      // It lands between quotation marks.
      return content === null ? reference : JSON.stringify(content.trim()).slice(1, -1)
    })
  }
  return { text: filled, missing }
}

/** Only a line that begins as a comment counts as one. */
function isCommented(text: string, offset: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return line.trimStart().startsWith('//')
}
