/** Scans a prompt once for everything the passes look for, regardless of the targets. */
import type { Harness } from '../../harness/schema/harness.ts'
import { escapeForPattern, openPage, type Page } from './page.ts'
import type { Pass } from './pass.ts'
import { type Lexicon, lexiconOf, type ToolWord } from './words/lexicon.ts'
import { findReferences, type SpottedTool, type ToolReference } from './words/references.ts'

export interface PromptScan {
  readonly text: string
  readonly source: Harness
  readonly page: Page
  readonly spotted: Spotted
  /** The places that name a tool of the source. */
  readonly references: () => readonly ToolReference[]
}

let last: PromptScan | null = null

export function scanWithPasses(text: string, source: Harness, passes: readonly Pass[]): PromptScan {
  if (last !== null && last.source === source && last.text === text) return last
  const page = openPage(text)
  const spotted = spot(text, source, passes)
  let references: readonly ToolReference[] | null = null
  last = {
    text,
    source,
    page,
    spotted,
    references: () => {
      references ??= findReferences(page, source, spotted.tools)
      return references
    },
  }
  return last
}

/** Finds in one search which words a prompt has: those that some pass looks for, because most have nothing to do, and tool words. */
interface Spotter {
  readonly lexicon: Lexicon
  readonly pattern: RegExp
  readonly meant: ReadonlyMap<string, Meant>
  /** The passes by the words they look for, and those that look for none. */
  readonly passesFor: ReadonlyMap<string, readonly Pass[]>
  readonly always: readonly Pass[]
}

/** All words that begin where the longest of them was found. */
interface Meant {
  /** The longest that a pass looks for. */
  readonly word: string | null
  /** Those of tools, the longest first. */
  readonly tools: readonly ToolWord[]
}

const spotters = new WeakMap<Harness, Spotter>()

interface Spotted {
  /** Passes without words of their own always run. */
  readonly passes: readonly Pass[]
  readonly words: ReadonlySet<string>
  /** Tool words by position, in any meaning. */
  readonly tools: readonly SpottedTool[]
}

function spot(text: string, source: Harness, passes: readonly Pass[]): Spotted {
  let spotter = spotters.get(source)
  if (spotter === undefined) {
    spotter = createSpotter(source, passes)
    spotters.set(source, spotter)
  }
  const { lexicon, pattern, meant, passesFor, always } = spotter
  const words = new Set<string>()
  const tools: SpottedTool[] = lexicon.otherNames(text)
  const hasOthers = tools.length > 0
  let free = 0
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { index } = match
    const { word, tools: possible } = meant.get(match[0])!
    if (word !== null) words.add(word)
    const tool = index < free ? undefined : possible.find((one) => lexicon.isWord(text, index, one))
    if (tool !== undefined) {
      tools.push([index, tool])
      free = index + tool.word.length
    }
    // A match may contain another word.
    pattern.lastIndex = index + 1
  }
  if (hasOthers) tools.sort((a, b) => a[0] - b[0])
  if (words.size === 0) return { passes: always, words, tools }
  const asked = new Set(always)
  for (const word of words) for (const pass of passesFor.get(word) ?? []) asked.add(pass)
  return { passes: passes.filter((pass) => asked.has(pass)), words, tools }
}

function createSpotter(source: Harness, passes: readonly Pass[]): Spotter {
  const lexicon = lexiconOf(source)
  const passesFor = new Map<string, Pass[]>()
  for (const pass of passes) {
    for (const given of pass.words?.(source) ?? []) {
      // A search that always begins with a letter is much faster, so anything before the first letter is dropped.
      const word = given.replace(/^\W+/, '')
      if (word !== '') passesFor.set(word, [...(passesFor.get(word) ?? []), pass])
    }
  }
  const all = [...new Set([...passesFor.keys(), ...lexicon.words.keys()])].sort((a, b) => b.length - a.length)
  const meant = new Map(
    all.map((longest) => {
      const within = all.filter((one) => longest.startsWith(one))
      const word = within.find((one) => passesFor.has(one)) ?? null
      return [longest, { word, tools: within.flatMap((one) => lexicon.words.get(one) ?? []) }]
    }),
  )
  return { lexicon, pattern: patternFor(all), meant, passesFor, always: passes.filter(({ words }) => words === null) }
}

/** A search for word beginnings only is much faster. */
function patternFor(words: readonly string[]): RegExp {
  const isPlain = (word: string) => /^\w/.test(word)
  const plain = words.filter(isPlain).map(escapeForPattern)
  const odd = words.filter((word) => !isPlain(word)).map(escapeForPattern)
  return new RegExp([`\\b(?:${plain.join('|') || '(?!)'})`, ...odd].join('|'), 'g')
}
