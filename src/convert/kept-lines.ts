/**
 * Whether the lines that a lock keeps are what it says they are: each the entry of its key, and around them fences, comments
 * and nothing else. Anybody can write into a lock; this is asked where the original is not there to be compared.
 */
import type { Kept } from './kept.ts'

/** `isGrave`: a key of which there must be only one, because not every reader takes the same of two. */
export function isPlainlyKept({ header, around, data, solid }: Kept, isGrave: (key: string) => boolean): boolean {
  if (data !== undefined || solid !== undefined) return true
  const entries = header.filter((one) => typeof one !== 'string')
  const keys = header.map((one) => (typeof one === 'string' ? one : one[0])).filter(isGrave)
  if (new Set(keys).size < keys.length) return false
  return (
    OPENING.test(around[0]) &&
    CLOSING.test(around[1]) &&
    entries.every(([key, lines]) => lines === null || isEntryOf(key, lines, isGrave(key)))
  )
}

const OPENING = /^\uFEFF?\s*(?:---[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*)?$/
const CLOSING = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:---[ \t]*(?:\r?\n|$)\s*)?$/

/** Begins with the key, and goes on with nothing that could be another one; a harmless key may stand there twice. */
function isEntryOf(key: string, lines: string, isGrave: boolean): boolean {
  const [first = '', ...others] = lines.split('\n').filter((line) => !/^[ \t]*(?:#.*)?\r?$/.test(line))
  if (first.startsWith('? ')) return first.slice(2).trim() === key && others.every((line) => /^[ \t:]/.test(line))
  const goesOn = (line: string) => /^[ \t\-\]}]/.test(line) || (!isGrave && keyOf(line) === key)
  return keyOf(first) === key && others.every(goesOn)
}

function keyOf(line: string): string | undefined {
  const [, plain, quoted] = /^(?:([^\s"'#:][^:]*?)|["'](.*)["'])[ \t]*:(?:\s|$)/.exec(line) ?? []
  return plain ?? quoted
}
