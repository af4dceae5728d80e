/** What lists of tools say: names, `Tool(pattern)`, whatever their spelling; and calls held against them. */
import { type Call, takesPath } from './call.ts'
import { type Found, unmasked } from './front-matter.ts'
import { speaksOf } from './names.ts'
import { isAddressLike, isCommandLike, isPathLike } from './patterns.ts'
import { commandsOf } from './shell-line.ts'

export interface Entry {
  readonly name: string
  /** What stands in the parentheses; null: there are none. */
  readonly pattern: string | null
}

/** Null: the list cannot be read clearly. */
export type Entries = readonly Entry[] | null

/**
 * The items of a list, or the one text that stands in its place; null where something else stands there. An item that is no
 * text grants nothing; what it was meant to deny, nobody can tell.
 */
export function itemsOf(value: unknown, of: 'grants' | 'denials' = 'denials'): readonly string[] | null {
  if (value === null || value === undefined) return []
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value)) return null
  const isOther = (one: unknown) => typeof one === 'object' && one !== null
  if (of === 'denials' && value.some(isOther)) return null
  return value
    .filter((one) => !isOther(one))
    .filter((one) => one !== null)
    .map(String)
}

/** Every way to separate names that people use, outside of parentheses: a comma, a space, a line. */
export function splitSaid(text: string): string[] {
  const pieces: string[] = []
  let depth = 0
  let piece = ''
  for (const sign of text) {
    if (sign === '(') depth++
    if (sign === ')') depth = Math.max(0, depth - 1)
    if (depth === 0 && /[\s,;|]/.test(sign)) {
      pieces.push(piece)
      piece = ''
    } else piece += sign
  }
  return [...pieces, piece].filter((one) => one !== '')
}

/** `of`: what the list does with the tools that it names. */
export function saidEntries(found: Found, of: 'grants' | 'denials'): Entries {
  if (!found.clear) return null
  const items = itemsOf(found.value, of)
  if (items === null) return null
  return items.flatMap(splitSaid).flatMap((piece) => entriesOf(piece, of))
}

function entriesOf(piece: string, of: 'grants' | 'denials'): Entry[] {
  const match = /^([^()]*)(?:\((.*)\))?$/s.exec(piece)
  if (match !== null) {
    // What is denied in letters that only look like others is denied.
    const written = of === 'denials' ? unmasked(match[1] ?? '') : (match[1] ?? '')
    // A tool of a server can end in such a sign (`docs/find-`): whoever writes its very name means it, too.
    const names = new Set([plainName(written), written])
    const patterns = match[2]?.split(/,(?![^{]*\})/) ?? [null]
    return [...names].flatMap((name) => patterns.map((pattern) => ({ name, pattern })))
  }
  // Nobody can tell what was meant to be inside of an open parenthesis: it grants nothing and denies all that it names.
  if (of === 'grants') return []
  return piece.split(/[(),\s]+/).map((name) => ({ name: plainName(name), pattern: null }))
}

/** Quotes, backticks, bullets and stars around a name are decoration. */
function plainName(name: string): string {
  return /^\*+$/.test(name) ? '*' : name.replace(/^[^\w@/]+(?=\w)|(?<=\w)[^\w*/]+$|(?<=\w)\*\*$/g, '')
}

/** A list of grants says yes to this call. */
export function isGranted(entries: Entries, call: Call): boolean {
  if (entries === null) return false
  const own = entries.filter(({ name }) => speaksOf(name, call))
  if (own.some(({ pattern }) => pattern === null || pattern.trim() === '')) return true
  if (own.length === 0) return false
  if (call.tool === 'shell') {
    return commandsOf(call.argument).every((command) =>
      own.some(({ pattern }) => isCommandLike(command, pattern ?? '')),
    )
  }
  return own.some(({ pattern }) => fits(call, pattern ?? ''))
}

/** A list of denials says no to this call. */
/** `plain`: names that mean one tool in this dialect, whatever others mean by them. */
export function isDenied(entries: Entries, call: Call, plain: Readonly<Record<string, string>> = {}): boolean {
  if (entries === null) return true
  const own = entries.filter(({ name }) =>
    Object.hasOwn(plain, name) ? plain[name] === call.tool : speaksOf(name, call),
  )
  return own.some(({ pattern }) => {
    if (pattern === null || pattern.trim() === '') return true
    if (call.tool !== 'shell') return fits(call, pattern)
    return [call.argument, ...commandsOf(call.argument)].some((command) => isCommandLike(command, pattern))
  })
}

function fits({ tool, argument }: Call, pattern: string): boolean {
  if (takesPath(tool)) return isPathLike(argument, pattern)
  if (tool === 'fetch') return isAddressLike(argument, pattern)
  return pattern.split(',').some((one) => one.trim() === '*' || one.trim() === argument)
}
