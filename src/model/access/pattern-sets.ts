/** Patterns as the sets of arguments they match: containment and overlap. */
import { ANY_ONE, ANY_RUN, globMatches, UNNAMED } from './glob.ts'
import {
  coversEverything,
  isAnchored,
  matchesPattern,
  pathSegments,
  plainWildcard,
  type Syntax,
  witnessOf,
} from './patterns.ts'

export interface Pattern {
  readonly syntax: Syntax
  /** Null: every argument. */
  readonly pattern: string | null
}

/** A character, or one or any number of them: any at all, or any except a slash. */
type Token = string | { readonly many: boolean; readonly slash: boolean }

const ONE: Token = { many: false, slash: true }
const RUN: Token = { many: true, slash: true }
const ONE_NAMED: Token = { many: false, slash: false }
const RUN_NAMED: Token = { many: true, slash: false }

/** An argument matches if one of these does. Null: the syntax cannot be expressed this way. */
type Alternatives = readonly (readonly Token[])[] | null

/** Whether every argument that `inner` matches is matched by `outer`; false if that cannot be proved. */
export function contains(outer: Pattern, inner: Pattern): boolean {
  if (coversEverything(outer.syntax, outer.pattern)) return true
  if (outer.pattern === null || inner.pattern === null || coversEverything(inner.syntax, inner.pattern)) return false
  if (outer.syntax === inner.syntax && outer.pattern === inner.pattern) return true
  // One argument outside is enough, and is mostly found at once.
  if (!matchesPattern(outer.syntax, outer.pattern, witnessOf(inner.syntax, inner.pattern))) return false
  return cached(containing, outer, inner, () => {
    if (isPlain(outer) && isPlain(inner))
      return allWitnesses(inner).every((one) => matchesPattern(outer.syntax, outer.pattern ?? '*', one))
    const wide = alternatives(outer)
    const narrow = alternatives(inner)
    if (wide === null || narrow === null) return false
    return narrow.every((one) => liesWithin(one, wide))
  })
}

/** Whether some argument may be matched by both; true if that is unknown. */
export function overlaps(a: Pattern, b: Pattern): boolean {
  if (coversEverything(a.syntax, a.pattern) || coversEverything(b.syntax, b.pattern)) return true
  return cached(meeting, a, b, () => {
    const some = alternatives(a)
    const others = alternatives(b)
    return some === null || others === null || some.some((one) => others.some((other) => tokensOverlap(one, other)))
  })
}

/** Syntaxes in which `*` is any run of characters, so that one argument can represent all that a pattern matches. */
const plain: ReadonlySet<Syntax> = new Set(['names', 'wildcard', 'prefix'])

function isPlain({ syntax, pattern }: Pattern): boolean {
  return plain.has(syntax) && !hasStandIns(pattern ?? '')
}

/** The characters that represent wildcard matches; a pattern that contains them itself represents nothing. */
function hasStandIns(pattern: string): boolean {
  return pattern.includes(ANY_RUN) || pattern.includes(ANY_ONE) || pattern.includes(UNNAMED)
}

/** One for each way to match. What matches them matches everything: only a `*` matches the character for any run. */
function allWitnesses({ syntax, pattern }: Pattern): string[] {
  const written = pattern ?? '*'
  const witness = witnessOf(syntax, written)
  const start = written.slice(0, -2)
  if (syntax === 'prefix' && written.endsWith(':*')) return [witness, start]
  return syntax !== 'names' && written.endsWith(' *') ? [witness, witnessOf('wildcard', start)] : [witness]
}

/** Whether some text may be matched by both patterns of names, in which only `*` and `?` are special. */
export function globsOverlap(a: string, b: string): boolean {
  if (a.includes('*') && b.includes('*')) return fixedEndsOverlap(a, b)
  const [name, pattern] = a.includes('*') ? [b, a] : [a, b]
  if (!name.includes('?') && !hasStandIns(name)) return globMatches(pattern, name)
  return tokensOverlap(glob(a), glob(b))
}

/** If the fixed ends of two patterns with stars are compatible, the stars can match everything between them. */
function fixedEndsOverlap(a: string, b: string): boolean {
  for (let i = 0; a[i] !== '*' && b[i] !== '*'; i++) {
    if (a[i] !== b[i] && a[i] !== '?' && b[i] !== '?') return false
  }
  for (let i = 1; a.at(-i) !== '*' && b.at(-i) !== '*'; i++) {
    if (a.at(-i) !== b.at(-i) && a.at(-i) !== '?' && b.at(-i) !== '?') return false
  }
  return true
}

/** Most differ before the first wildcard, or after the last; `side`: 0 for the starts, 1 for the ends. */
function edgesOverlap(a: readonly Token[], b: readonly Token[], side: 0 | 1): boolean {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [one, other] = side === 0 ? [a[i], b[i]] : [a.at(-i - 1), b.at(-i - 1)]
    if (isRun(one) || isRun(other)) return true
    if (!haveCommon(one, other)) return false
  }
  return true
}

const containing = new Map<string, boolean>()
const meeting = new Map<string, boolean>()

/** Definitions compare the same few patterns again and again. */
function cached(known: Map<string, boolean>, a: Pattern, b: Pattern, find: () => boolean): boolean {
  const key = `${a.syntax}\0${a.pattern}\0${b.syntax}\0${b.pattern}`
  let answer = known.get(key)
  if (answer === undefined) {
    if (known.size > 20_000) known.clear()
    answer = find()
    known.set(key, answer)
  }
  return answer
}

function alternatives({ syntax, pattern }: Pattern): Alternatives {
  if (pattern === null) return [[RUN]]
  switch (syntax) {
    case 'names':
      return [pattern.split('')]
    case 'wildcard':
      return wildcard(plainWildcard(pattern))
    case 'prefix': {
      if (!pattern.endsWith(':*')) return wildcard(pattern)
      const words = pattern.slice(0, -2).split('')
      return [words, [...words, ' ', RUN]]
    }
    case 'path':
      return path(pattern)
    case 'domain':
      return null
  }
}

function glob(pattern: string): Token[] {
  return pattern.split('').map((c) => (c === '*' ? RUN : c === '?' ? ONE : c))
}

function wildcard(pattern: string): Token[][] {
  return pattern.endsWith(' *') ? [glob(pattern), glob(pattern.slice(0, -2))] : [glob(pattern)]
}

/** More than this many `**` are not worth the effort. */
const MAX_DEPTHS = 4

function path(pattern: string): Alternatives {
  const segments = pathSegments(pattern)
  if (segments.filter((segment) => segment === '**').length > MAX_DEPTHS) return null
  let all: Token[][] = [[]]
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    if (segment === '**') {
      all = all.flatMap((one) => (isLast ? [[...one, RUN]] : [one, [...one, RUN, '/']]))
      continue
    }
    const tokens = segment.split('').map((c) => (c === '*' ? RUN_NAMED : c === '?' ? ONE_NAMED : c))
    all = all.map((one) => [...one, ...tokens, ...(isLast ? [] : ['/'])])
  }
  // A possible `..` or `~` at the root of the project does not lead out of it, which these tokens cannot express.
  if (isAnchored(pattern) && /^(?:[*?~]|\.+[*?])/.test(segments[0] ?? '')) return null
  // A name may be a folder, which covers its contents.
  return all.flatMap((one) => [one, [...one, '/', RUN]])
}

function isRun(token: Token | undefined): boolean {
  return typeof token === 'object' && token.many
}

/** Whether a token can be this character; null represents one that no pattern names. */
function takes(token: Token | undefined, c: string | null): boolean {
  if (token === undefined) return false
  return typeof token === 'string' ? token === c : token.slash || c !== '/'
}

/** More pairs of positions than this are not examined: overlap is then unknown. */
const MAX_PAIRS = 4000

/** Walks both at once, through every pair of positions that some text reaches. */
function tokensOverlap(a: readonly Token[], b: readonly Token[]): boolean {
  if (!edgesOverlap(a, b, 0) || !edgesOverlap(a, b, 1)) return false
  if (isOpen(a) && isOpen(b)) return true
  const seen = new Set<number>()
  const open: (readonly [number, number])[] = [[0, 0]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [i, j] = next
    if (i > a.length || j > b.length || seen.has(i * (b.length + 1) + j)) continue
    if (seen.add(i * (b.length + 1) + j).size > MAX_PAIRS) return true
    if (i === a.length && j === b.length) return true
    if (isRun(a[i])) open.push([i + 1, j])
    if (isRun(b[j])) open.push([i, j + 1])
    if (!haveCommon(a[i], b[j])) continue
    open.push([isRun(a[i]) ? i : i + 1, isRun(b[j]) ? j : j + 1])
  }
  return false
}

/** With a run in it, and nothing that stops at a slash: then only the ends matter. */
function isOpen(tokens: readonly Token[]): boolean {
  return tokens.includes(RUN) && tokens.every((token) => typeof token === 'string' || token.slash)
}

function haveCommon(a: Token | undefined, b: Token | undefined): boolean {
  if (typeof a === 'string') return takes(b, a)
  if (typeof b === 'string') return takes(a, b)
  return a !== undefined && b !== undefined
}

/** More steps than this are not taken; containment then counts as unproven. */
const MAX_STEPS = 10_000

/** Follows every text of the inner pattern and, for each, all positions the outer ones can be in. */
function liesWithin(inner: readonly Token[], outer: readonly (readonly Token[])[]): boolean {
  const characters = alphabetOf(inner, outer)
  const seen = new Set<string>()
  const open: { at: number; places: Places }[] = [{ at: 0, places: start(outer) }]
  let steps = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, places } = next
    steps += places.length
    if (steps > MAX_STEPS) return false
    const key = `${at} ${places.join(' ')}`
    if (seen.has(key)) continue
    seen.add(key)
    if (at === inner.length && !isThrough(outer, places)) return false
    if (isRun(inner[at])) open.push({ at: at + 1, places })
    for (const c of typeof inner[at] === 'string' ? [inner[at]] : characters) {
      if (takes(inner[at], c)) open.push({ at: isRun(inner[at]) ? at : at + 1, places: step(outer, places, c) })
    }
  }
  return true
}

/** One number for every position: which of the alternatives, and how far into it. */
type Places = readonly number[]
const WIDTH = 1_000_000

function start(outer: readonly (readonly Token[])[]): Places {
  return withEmptyRuns(
    outer,
    outer.map((_, index) => index * WIDTH),
  )
}

/** With every position reachable by a run that matches nothing. */
function withEmptyRuns(outer: readonly (readonly Token[])[], places: Places): Places {
  const all = new Set(places)
  for (const place of all) if (isRun(tokenAt(outer, place))) all.add(place + 1)
  return [...all].sort((a, b) => a - b)
}

function step(outer: readonly (readonly Token[])[], places: Places, c: string | null): Places {
  const next = places.flatMap((place) => {
    const token = tokenAt(outer, place)
    if (!takes(token, c)) return []
    return [isRun(token) ? place : place + 1]
  })
  return withEmptyRuns(outer, next)
}

function isThrough(outer: readonly (readonly Token[])[], places: Places): boolean {
  return places.some((place) => place % WIDTH === outer[Math.floor(place / WIDTH)]?.length)
}

function tokenAt(outer: readonly (readonly Token[])[], place: number): Token | undefined {
  return outer[Math.floor(place / WIDTH)]?.[place % WIDTH]
}

/** The characters that any of them contains, the slash, and one for all others. */
function alphabetOf(inner: readonly Token[], outer: readonly (readonly Token[])[]): (string | null)[] {
  const named = [inner, ...outer].flat().filter((token) => typeof token === 'string')
  return [...new Set(named), ...(named.includes('/') ? [] : ['/']), null]
}
