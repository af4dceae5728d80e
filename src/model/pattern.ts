/** The pattern languages that harnesses use for arguments of a call: commands, paths, agents, addresses. */
import { starMatches, UNNAMED } from './tools.ts'

/**
 * - `names`: the argument is exactly the pattern.
 * - `wildcard`: `*` is any run of characters, slashes included, `?` is one; a trailing ` *` also matches no argument.
 * - `prefix`: as `wildcard`, and `git diff:*` means `git diff` with anything after it.
 * - `path`: `**` crosses folders, `*` does not; a folder covers what is in it; `./` and a leading `/` are the project.
 * - `domain`: `domain:example.com` covers the host and its subdomains.
 */
export const syntaxes = ['names', 'wildcard', 'prefix', 'path', 'domain'] as const
export type Syntax = (typeof syntaxes)[number]

/** An argument that no rule names: only a pattern that covers everything matches it. */
export const unnamedArgument = UNNAMED

export function matchesPattern(syntax: Syntax, pattern: string, argument: string): boolean {
  switch (syntax) {
    case 'names':
      return pattern === '*' || pattern === argument
    case 'wildcard':
      // Both ways of naming the home folder; arguments name it as `~`.
      return wildcardMatches(pattern.replace(/^\$HOME(?=\/|$)/, '~'), argument)
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

/** Whether the pattern covers every argument there can be. */
export function coversEverything(syntax: Syntax, pattern: string | null): boolean {
  return pattern === null || matchesPattern(syntax, pattern, unnamedArgument)
}

/** A concrete argument that the pattern matches and that is otherwise unlikely to be named by any rule. */
export function witnessOf(syntax: Syntax, pattern: string): string {
  const word = 'x'
  switch (syntax) {
    case 'names':
      return pattern
    case 'wildcard':
      return fillStars(pattern, word)
    case 'prefix':
      return pattern.endsWith(':*') ? `${pattern.slice(0, -2)} ${word}` : fillStars(pattern, word)
    case 'path':
      return fillStars(normalizePath(pattern).replaceAll('**', '*'), word)
    case 'domain':
      return `https://${hostPattern(pattern).replaceAll('*', word)}/`
  }
}

function fillStars(pattern: string, word: string): string {
  return pattern.replace(/[*?]/g, word)
}

function wildcardMatches(pattern: string, argument: string): boolean {
  return glob(pattern, argument) || (pattern.endsWith(' *') && glob(pattern.slice(0, -2), argument))
}

function glob(pattern: string, text: string): boolean {
  return pattern.includes('?') ? questionMarkMatches(pattern, text) : starMatches(pattern, text)
}

/** The classic two-pointer walk: linear for practical patterns, never exponential. */
function questionMarkMatches(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  let star = -1
  let resume = 0
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++
      resume = t
    } else if (pattern[p] === '?' || pattern[p] === text[t]) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++resume
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

function pathMatches(pattern: string, argument: string): boolean {
  const plain = normalizePath(pattern)
  // As in .gitignore: a bare name is meant at any depth.
  const wanted = pattern.includes('/') ? plain.split('/') : ['**', plain]
  const path = argument === unnamedArgument ? [argument] : normalizePath(argument).split('/')
  return segmentsMatch(wanted, path)
}

function segmentsMatch(pattern: readonly string[], path: readonly string[]): boolean {
  // reachable[i]: the pattern's first segments so far can match the path's first i segments.
  let reachable = new Array<boolean>(path.length + 1).fill(false)
  reachable[0] = true
  for (const segment of pattern) {
    const next = new Array<boolean>(path.length + 1).fill(false)
    if (segment === '**') {
      let open = false
      for (let i = 0; i <= path.length; i++) {
        open ||= reachable[i] === true
        next[i] = open
      }
    } else {
      for (let i = 0; i < path.length; i++) {
        if (reachable[i] && questionMarkMatches(segment, path[i] ?? '')) next[i + 1] = true
      }
    }
    reachable = next
  }
  // A pattern that ends inside the path names a folder, which covers what is in it.
  return reachable.some(Boolean)
}

/** Without `.` and with `..` resolved, so that no detour leads out of a folder; a leading `..` stays and matches nothing. */
function normalizePath(path: string): string {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..' && segments.at(-1) !== '**') segments.pop()
    else segments.push(segment)
  }
  return segments.join('/') || '**'
}

function hostPattern(pattern: string): string {
  return pattern.replace(/^domain:/, '').toLowerCase()
}

/** The host that would really be asked: what stands before an `@` is no host. */
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
