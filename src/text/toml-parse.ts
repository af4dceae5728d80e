/** Parses valid TOML with the library, mending the one range it gets wrong. */
import { type AST, parseTOML } from 'toml-eslint-parser'

/** Throws where the text is not valid; the error may then stand one behind the end of the text. */
export function parseProgram(text: string): AST.TOMLProgram {
  // Of a 0 that ends the text the library gives a range without it.
  return parseTOML(`${text}\n`)
}
