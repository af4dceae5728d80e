/** Words that mean something to PromptScript, and names that can do without quotes. */

/** The names of types can be names of fields all the same. */
const TYPES = ['string', 'number', 'boolean']
const RESERVED = ['meta', 'inherit', 'use', 'as', 'into', 'extend', 'true', 'false', 'null', 'range', 'enum']

/** As a name or as a text it needs quotes. */
export function isReserved(word: string): boolean {
  return RESERVED.includes(word)
}

/** A field or a block may bear this name without quotes. */
export function isPlainName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_-]*$/.test(name) && !isReserved(name) && !TYPES.includes(name)
}
