/** The tool words of a harness as they can stand in a prompt. */

import type { Harness } from '../../../harness/schema/harness.ts'
import { mcpTool } from '../../../harness/units.ts'
import { kindOf, type WordKind } from './english.ts'

export interface ToolWord {
  readonly word: string
  /** The neutral tools it means, the foremost first. */
  readonly tools: readonly string[]
  readonly kind: WordKind
  /** Written in small letters, as English is: only the clearest forms count. */
  readonly small: boolean
  /** In small letters, for questions about its meaning. */
  readonly key: string
}

export interface Lexicon {
  readonly find: (written: string) => ToolWord | null
  /** The words that are searched for together with others. */
  readonly words: ReadonlyMap<string, ToolWord>
  /** Whether a word that stands there stands for itself. */
  readonly isWord: (text: string, start: number, end: number) => boolean
  /** Names in a text that no list of words could hold, by their places. */
  readonly otherNames: (text: string) => [number, ToolWord][]
}

const lexicons = new WeakMap<Harness, Lexicon>()

export function lexiconOf(harness: Harness): Lexicon {
  let lexicon = lexicons.get(harness)
  if (lexicon === undefined) {
    lexicon = createLexicon(harness)
    lexicons.set(harness, lexicon)
  }
  return lexicon
}

function createLexicon(harness: Harness): Lexicon {
  const words = new Map<string, ToolWord>()
  for (const [word, unit] of Object.entries(harness.units)) {
    // Wild cards and families of names are for tool lists.
    if (word.includes('*') || unit.prefix === true || unit.grants.includes('*')) continue
    const canonical = typeof unit.alias === 'string' ? unit.alias : word
    const tools = unit.means === undefined ? foremost(harness, canonical, unit.grants) : [unit.means]
    words.set(word, entry(word, tools))
  }
  const find = (written: string) => words.get(written) ?? mcpEntry(harness, written)
  const mcp = mcpPattern(harness)
  return {
    find,
    words,
    isWord: (text, start, end) => {
      IN_FRONT.lastIndex = start
      BEHIND.lastIndex = end
      return IN_FRONT.test(text) && BEHIND.test(text)
    },
    otherNames: (text) => {
      if (mcp === null || !mayHold(text, mcp.mark)) return []
      return [...text.matchAll(mcp.pattern)].flatMap((match) => {
        const word = find(match[0])
        return word === null ? [] : [[match.index, word]]
      })
    },
  }
}

/** Two underscores are rare in prose, and looked for much faster than the letters before them. */
function mayHold(text: string, mark: string): boolean {
  return text.includes(mark.slice(-2)) && text.includes(mark)
}

/** Not within identifiers, hyphenated words, mentions or file names. */
const NOT_AFTER = '(?<![\\w$@.\\\\\\u2010\\u2011-])'
const NOT_BEFORE = "(?![\\w\\u2010\\u2011]|-\\w|\\.\\w|::|<\\w|['’]s?\\w)"
const IN_FRONT = new RegExp(NOT_AFTER, 'y')
const BEHIND = new RegExp(NOT_BEFORE, 'y')

function entry(word: string, tools: readonly string[]): ToolWord {
  const key = word.toLowerCase()
  return { word, tools, kind: kindOf(word), small: word === key, key }
}

/** Of a switch for several tools, the one that the harness calls by this word comes first. */
function foremost(harness: Harness, word: string, grants: readonly string[]): readonly string[] {
  const named = grants.filter((tool) => harness.words[tool] === word)
  const first = named.includes('edit') ? 'edit' : named[0]
  return first === undefined ? grants : [first, ...grants.filter((tool) => tool !== first)]
}

/** MCP tools can be told from other words only where the harness marks them. */
function mcpPattern(harness: Harness): { readonly mark: string; readonly pattern: RegExp } | null {
  const [, mark = '', between = ''] = /^(.*)\{server\}(.*)\{tool\}$/.exec(harness.mcp?.tool ?? '') ?? []
  if (!/^\w+$/.test(mark) || harness.mcp?.flat === true) return null
  const names = `${mark}[A-Za-z0-9][\\w-]*?${between}(?:\\*(?!\\*)|[A-Za-z0-9][\\w-]*)`
  return { mark, pattern: new RegExp(`${NOT_AFTER}(?:${names})${NOT_BEFORE}`, 'g') }
}

function mcpEntry(harness: Harness, written: string): ToolWord | null {
  const tool = mcpTool(harness, written)
  return tool === null ? null : { word: written, tools: [tool], kind: 'coined', small: false, key: written }
}
