/** From one pattern language to another, on the safe side: never more than was granted, never less than was denied. */
import { pathSegments, type Syntax } from './pattern.ts'
import { shellCommands } from './shell-line.ts'

/** `within`: everything the result matches, the original matches; `around`: the other way round. */
export type Side = 'within' | 'around'

/** Null where no pattern of the other language can be shown to be on that side. */
export function translatePattern(from: Syntax, to: Syntax, pattern: string, side: Side): string | null {
  if (from === to) return pattern
  return translations[`${from} ${to}`]?.(pattern, side) ?? null
}

type Translation = (pattern: string, side: Side) => string | null

const isLiteral = (pattern: string) => !/[*?]/.test(pattern)

/** Texts that a wildcard pattern does not take as they stand: the home folder, and the other slash. */
const isSpecial = (pattern: string) => /^(?:~|\$HOME)|\\/.test(pattern)

const translations: Readonly<Record<string, Translation>> = {
  'names wildcard': (name) => (name === '*' || (isLiteral(name) && !isSpecial(name)) ? name : null),
  'names prefix': (name) => (name === '*' || (isLiteral(name) && !name.endsWith(':*')) ? name : null),
  'wildcard names': (pattern) => (pattern === '*' || (isLiteral(pattern) && !isSpecial(pattern)) ? pattern : null),
  'prefix names': (pattern) => (pattern === '*' || (isLiteral(pattern) && !pattern.endsWith(':*')) ? pattern : null),
  'prefix wildcard': prefixToWildcard,
  'wildcard prefix': (pattern) => (pattern.endsWith(':*') || isSpecial(pattern) || isLine(pattern) ? null : pattern),
  'path wildcard': pathToWildcard,
  'wildcard path': (pattern) => {
    const folder = /^([^*?[\]{}!~$\\/][^*?[\]{}\\]*)\/\*$/.exec(pattern)?.[1]
    if (folder === undefined || pathSegments(`./${folder}`).join('/') !== folder) return null
    return `${folder.includes('/') ? '' : './'}${folder}/**`
  },
}

/** More than one plain command: harnesses look at the commands of a line one by one, and never at the line. */
function isLine(pattern: string): boolean {
  const [first, ...others] = shellCommands(pattern)
  return others.length > 0 || first?.text !== pattern.trim()
}

/** `git diff:*` is `git diff` and whatever follows after a space, and so is `git diff *`. */
function prefixToWildcard(pattern: string, side: Side): string | null {
  const words = pattern.endsWith(':*') ? pattern.slice(0, -2) : null
  // A star before the colon is only a star, and would become anything.
  if (isLine(pattern) || (words !== null && !isLiteral(words) && side === 'within')) return null
  const plain = words === null ? pattern : `${words} *`
  if (!isSpecial(plain)) return plain
  return side === 'within' ? null : plain.replace(/^(?:~|\$HOME)/, '*')
}

/** A star of the one stops at a slash, a star of the other does not; and it knows only paths below the project. */
function pathToWildcard(pattern: string, side: Side): string | null {
  if (/^(?:~|\$|!|\/\/)|\\/.test(pattern)) return null
  const isExact = !/[[\]{}]/.test(pattern)
  const segments = pathSegments(pattern.replace(/\{[^{}]*\}/g, '*'))
  const plain = segments.join('/')
  if (/^(?:~|\$|\.\.)/.test(plain)) return null
  if (side === 'around') return `*${plain.replace(/\*+\/?/g, '*')}*`.replace(/\*{2,}/g, '*')
  if (!isExact) return null
  // A bare name is meant at any depth, of which its own is one.
  const own = segments[0] === '**' && segments.length === 2 ? (segments[1] ?? '') : plain
  const folder = /^([^*?]+)\/(?:\*\*\/)?\*$/.exec(own)?.[1]
  if (folder !== undefined) return `${folder}/*`
  return isLiteral(own) ? own : null
}
