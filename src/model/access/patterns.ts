/** The pattern languages for arguments of a call, and safe translation between them. */
import { ANY_ONE, ANY_RUN, globMatches, memoize, starMatches, UNNAMED } from './glob.ts'
import { shellCommands } from './shell-commands.ts'

/**
 * - `names`: the argument is exactly the pattern.
 * - `wildcard`: `*` is any run of characters, slashes included, `?` is one; a trailing ` *` also matches no argument;
 *   `\` is `/`.
 * - `prefix`: `*` and a trailing ` *` as in `wildcard`, and `git diff:*` means `git diff` with anything after it.
 *   Harnesses disagree whether `?` is one character or a question mark: the narrower reading counts.
 * - `path`: `**` crosses folders, `*` does not; a folder covers its contents, and `folder/**` only those; `./` and a
 *   leading `/` are the project, `//` is the root of the disk.
 * - `domain`: `domain:example.com` covers the host and its subdomains.
 */
export const syntaxes = ['names', 'wildcard', 'prefix', 'path', 'domain'] as const
export type Syntax = (typeof syntaxes)[number]

/** An argument that no rule names: only a pattern that covers everything matches it. */
export const unnamedArgument = UNNAMED

export function matchesPattern(syntax: Syntax, pattern: string, argument: string): boolean {
  if (argument === unnamedArgument) return coversEverything(syntax, pattern)
  switch (syntax) {
    case 'names':
      return pattern === '*' || pattern === argument
    case 'wildcard':
      return wildcardMatches(plainWildcard(pattern), argument.replaceAll('\\', '/'))
    case 'prefix':
      return pattern.endsWith(':*')
        ? argument === pattern.slice(0, -2) || argument.startsWith(`${pattern.slice(0, -2)} `)
        : wildcardMatches(pattern, argument)
    case 'path':
      return pathMatches(pattern, argument)
    case 'domain':
      return domainMatches(pattern, argument)
  }
}

/** Whether the pattern covers every possible argument. */
export function coversEverything(syntax: Syntax, pattern: string | null): boolean {
  if (pattern === null) return true
  switch (syntax) {
    case 'names':
      return pattern === '*'
    case 'wildcard':
    case 'prefix':
      return /^\*+(?: \*)?$/.test(pattern)
    case 'path':
      return !isAnchored(pattern) && /^(?:\*\*\/)*\*+$/.test(pathSegments(pattern).join('/'))
    case 'domain':
      return hostPattern(pattern) === '*'
  }
}

/** A concrete argument that the pattern matches and that no other pattern matches, unless it covers this one. */
export function witnessOf(syntax: Syntax, pattern: string): string {
  switch (syntax) {
    case 'names':
      return pattern
    case 'wildcard':
      return filled(plainWildcard(pattern))
    case 'prefix':
      return pattern.endsWith(':*') ? `${pattern.slice(0, -2)} ${ANY_RUN}` : filled(pattern)
    case 'path':
      return filled(pathSegments(pattern).join('/').replaceAll('**', '*'))
    case 'domain':
      return `https://${hostPattern(pattern).replaceAll('*', ANY_RUN)}/`
  }
}

function filled(pattern: string): string {
  return pattern.replaceAll('*', ANY_RUN).replaceAll('?', ANY_ONE)
}

/** With one spelling of the home folder (arguments use `~`) and one kind of slash. */
export function plainWildcard(pattern: string): string {
  const plain = pattern.startsWith('$HOME') ? pattern.replace(/^\$HOME(?=\/|$)/, '~') : pattern
  return plain.includes('\\') ? plain.replaceAll('\\', '/') : plain
}

function wildcardMatches(pattern: string, argument: string): boolean {
  return globMatches(pattern, argument) || (pattern.endsWith(' *') && globMatches(pattern.slice(0, -2), argument))
}

function pathMatches(pattern: string, argument: string): boolean {
  const path = plainPath(argument)
  if (isAnchored(pattern) && /^(?:\/|~|\.\.(?:\/|$))/.test(path)) return false
  return segmentsMatch(pathSegments(pattern), path.split('/'))
}

/** Relative to the root of the project, and so matching nothing outside it. */
export const isAnchored = memoize(
  (pattern): boolean =>
    /[/\\]/.test(pattern) && !/^(?:\*\*|\/\/|~)/.test(pattern) && !plainPath(pattern).startsWith('..'),
)

/** The segments of a path pattern, folder by folder; `**` is any number of them. */
export const pathSegments = memoize((pattern): readonly string[] => {
  // A character class becomes any character: less exact, but on the safe side of a denial.
  const plain = plainPath(pattern.replace(/^\/(?!\/)/, '').replace(/\[[^\]/]+\]/g, '?'))
  if (plain === '') return ['**']
  // As in .gitignore: a bare name matches at any depth.
  const segments = /[/\\]/.test(pattern) ? plain.split('/') : ['**', plain]
  // The contents of a folder do not include the folder itself; anything deeper is inside one of its entries.
  return segments.length > 1 && segments.at(-1) === '**' ? [...segments.slice(0, -1), '*'] : segments
})

/** A pattern that ends inside the path names a folder, which covers its contents. */
function segmentsMatch(pattern: readonly string[], path: readonly string[]): boolean {
  let p = 0
  let at = 0
  // Where to continue after a mismatch: behind the last `**`, one folder further down.
  let depth = -1
  let resume = 0
  while (p < pattern.length) {
    if (pattern[p] === '**') {
      depth = ++p
      resume = at
    } else if (at < path.length && globMatches(pattern[p] ?? '', path[at] ?? '')) {
      p++
      at++
    } else if (depth >= 0 && resume < path.length) {
      p = depth
      at = ++resume
    } else return false
  }
  return true
}

/** Without `.` and with `..` resolved, so that no path leads out of a folder; a leading `..` or `/` stays. */
export const plainPath = memoize((path): string => {
  const isAbsolute = path.startsWith('/')
  const segments: string[] = []
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '' || segment === '.') continue
    const last = segments.at(-1)
    if (segment !== '..' || last === '..' || last === '**') segments.push(segment)
    else if (last !== undefined) segments.pop()
    else if (!isAbsolute) segments.push(segment)
  }
  return (isAbsolute ? '/' : '') + segments.join('/')
})

function hostPattern(pattern: string): string {
  return pattern.replace(/^domain:/, '').toLowerCase()
}

/** The host that would really be contacted: the text before an `@` is not part of it. */
function hostOf(address: string): string {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\\]*)/i.exec(address)?.[1] ?? address
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d*$/, '')
    .toLowerCase()
}

function domainMatches(pattern: string, argument: string): boolean {
  const wanted = hostPattern(pattern)
  if (wanted === '*') return true
  const host = hostOf(argument)
  return starMatches(wanted, host) || host.endsWith(`.${wanted}`)
}

/** `within`: everything the result matches, the original matches; `around`: the reverse. */
type Approximation = 'within' | 'around'

/** Null if no pattern of the other syntax is provably on that side. */
export function translatePattern(from: Syntax, to: Syntax, pattern: string, side: Approximation): string | null {
  if (from === to) return pattern
  return translations[`${from} ${to}`]?.(pattern, side) ?? null
}

type Translation = (pattern: string, side: Approximation) => string | null

const isLiteral = (pattern: string) => !/[*?]/.test(pattern)

/** Texts that a wildcard pattern does not match literally: the home folder, and the other slash. */
const isSpecial = (pattern: string) => /^(?:~|\$HOME)|\\/.test(pattern)

const translations: Readonly<Record<string, Translation>> = {
  'names wildcard': (name) => (name === '*' || (isLiteral(name) && !isSpecial(name)) ? name : null),
  'names prefix': (name) => (name === '*' || (isLiteral(name) && !name.endsWith(':*')) ? name : null),
  'wildcard names': (pattern) => (pattern === '*' || (isLiteral(pattern) && !isSpecial(pattern)) ? pattern : null),
  'prefix names': (pattern) => (pattern === '*' || (isLiteral(pattern) && !pattern.endsWith(':*')) ? pattern : null),
  'prefix wildcard': prefixToWildcard,
  'wildcard prefix': (pattern, side) => {
    if (pattern.endsWith(':*') || isSpecial(pattern) || isLine(pattern)) return null
    return side === 'around' ? pattern.replaceAll('?', '*') : pattern
  },
  'path wildcard': pathToWildcard,
  'wildcard path': (pattern) => {
    if (/^\*[^*?[\]{}\\/]+$/.test(pattern)) return pattern
    const folder = /^([^*?[\]{}!~$\\/][^*?[\]{}\\]*)\/\*$/.exec(pattern)?.[1]
    if (folder === undefined || pathSegments(`./${folder}`).join('/') !== folder) return null
    return `${folder.includes('/') ? '' : './'}${folder}/**`
  },
}

/** More than one plain command: harnesses compare the commands of a line one by one, never the line. */
function isLine(pattern: string): boolean {
  const [first, ...others] = shellCommands(pattern)
  return others.length > 0 || first?.text !== pattern.trim()
}

/** `git diff:*` is `git diff` with anything after a space, and so is `git diff *`. */
function prefixToWildcard(pattern: string, side: Approximation): string | null {
  const words = pattern.endsWith(':*') ? pattern.slice(0, -2) : null
  // A star before the colon is literal, and would become a wildcard.
  if (isLine(pattern) || (side === 'within' && (pattern.includes('?') || (words !== null && !isLiteral(words)))))
    return null
  const plain = words === null ? pattern : `${words} *`
  if (!isSpecial(plain)) return plain
  return side === 'within' ? null : plain.replace(/^(?:~|\$HOME)/, '*')
}

/** A star in a path stops at a slash, a wildcard star does not; and wildcards cover only paths below the project. */
function pathToWildcard(pattern: string, side: Approximation): string | null {
  if (/^(?:~|\$|!|\/\/)|\\/.test(pattern)) return null
  const isExact = !/[[\]{}]/.test(pattern)
  const segments = pathSegments(pattern.replace(/\{[^{}]*\}/g, '*'))
  const plain = segments.join('/')
  if (/^(?:~|\$|\.\.)/.test(plain)) return null
  if (side === 'around') return `*${plain.replace(/\*+\/?/g, '*')}*`.replace(/\*{2,}/g, '*')
  if (!isExact) return null
  // A bare name matches at any depth, including its own.
  const own = segments[0] === '**' && segments.length === 2 ? (segments[1] ?? '') : plain
  const folder = /^([^*?]+)\/(?:\*\*\/)?\*$/.exec(own)?.[1]
  if (folder !== undefined) return `${folder}/*`
  // The end of a name, at any depth: there a star that crosses folders makes no difference.
  if (own !== plain && /^\*[^*?]+$/.test(own)) return own
  return isLiteral(own) ? own : null
}
