/** From one pattern language to another, on the safe side: never more than was granted, never less than was denied. */
import type { Syntax } from './pattern.ts'

/** `within`: everything the result matches, the original matches; `around`: the other way round. */
export type Side = 'within' | 'around'

/** Null where no pattern of the other language can be shown to be on that side. */
export function translatePattern(from: Syntax, to: Syntax, pattern: string, side: Side): string | null {
  if (from === to) return pattern
  return translations[`${from} ${to}`]?.(pattern, side) ?? null
}

type Translation = (pattern: string, side: Side) => string | null

const isLiteral = (pattern: string) => !/[*?]/.test(pattern)

const translations: Readonly<Record<string, Translation>> = {
  'names wildcard': (name) => (name === '*' || isLiteral(name) ? name : null),
  'names prefix': (name) => (name === '*' || (isLiteral(name) && !name.endsWith(':*')) ? name : null),
  'wildcard names': (pattern) => (pattern === '*' || isLiteral(pattern) ? pattern : null),
  'prefix names': (pattern) => (pattern === '*' || isLiteral(pattern) ? pattern : null),
  // `git diff:*` is `git diff` and whatever follows after a space, and so is `git diff *`.
  'prefix wildcard': (pattern) => (pattern.endsWith(':*') ? `${pattern.slice(0, -2)} *` : pattern),
  'wildcard prefix': (pattern) => (pattern.endsWith(':*') ? null : pattern),
  'path wildcard': pathToWildcard,
  'wildcard path': (pattern) => {
    const folder = /^([^*?]+)\/\*$/.exec(pattern)?.[1]
    return folder === undefined ? null : `${folder.includes('/') ? '' : './'}${folder}/**`
  },
}

/** A star of the one stops at a slash, a star of the other does not. */
function pathToWildcard(pattern: string, side: Side): string | null {
  const plain = pattern.replace(/^(\.\/|\/(?!\/))/, '')
  if (side === 'around') return `*${plain.replace(/\*+\/?/g, '*')}*`.replace(/\*{2,}/g, '*')
  const folder = /^([^*?]+)\/\*\*(?:\/\*)?$/.exec(plain)?.[1]
  if (folder !== undefined) return `${folder}/*`
  return isLiteral(plain) ? plain : null
}
