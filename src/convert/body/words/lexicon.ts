/** The tool words of a harness as they can stand in a prompt, with one pattern that finds them all. */

import type { Harness } from '../../../harness/schema/harness.ts'
import { mcpTool } from '../../../harness/units.ts'
import { escapeForPattern } from '../search.ts'
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
  /** Every word of the harness in a text, whatever it means there, by its place. */
  readonly matches: (text: string) => [number, ToolWord][]
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
    words.set(word, entry(word, foremost(harness, canonical, unit.grants)))
  }
  const find = (written: string) => words.get(written) ?? mcpEntry(harness, written)
  const sorted = [...words.keys()].sort((a, b) => b.length - a.length).map(escapeForPattern)
  const patterns = sorted.length === 0 ? [] : [{ mark: '', pattern: wordPattern(sorted.join('|')) }]
  const mcp = mcpPattern(harness)
  // A pattern of its own, because these begin with another letter than all the rest and would slow down the search.
  if (mcp !== null) patterns.push({ mark: mcp.mark, pattern: wordPattern(mcp.names) })
  return {
    find,
    matches: (text) => {
      const found: [number, ToolWord][] = []
      for (const { mark, pattern } of patterns) {
        if (!mayHold(text, mark)) continue
        pattern.lastIndex = 0
        for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
          const word = find(match[0])
          if (word !== null) found.push([match.index, word])
        }
      }
      return patterns.length < 2 ? found : found.sort((a, b) => a[0] - b[0])
    },
  }
}

/** Two underscores are rare in prose, and looked for much faster than the letters before them. */
function mayHold(text: string, mark: string): boolean {
  return mark === '' || (text.includes(mark.slice(-2)) && text.includes(mark))
}

function wordPattern(names: string): RegExp {
  return new RegExp(`${NOT_AFTER}(?:${names})${NOT_BEFORE}`, 'g')
}

/** Not within identifiers, hyphenated words, mentions or file names. */
const NOT_AFTER = '(?<![\\w$@.\\\\\\u2010\\u2011-])'
const NOT_BEFORE = "(?![\\w\\u2010\\u2011]|-\\w|\\.\\w|::|<\\w|['’]s?\\w)"

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
function mcpPattern(harness: Harness): { mark: string; names: string } | null {
  const [, mark = '', between = ''] = /^(.*)\{server\}(.*)\{tool\}$/.exec(harness.mcp?.tool ?? '') ?? []
  if (!/^\w+$/.test(mark) || harness.mcp?.flat === true) return null
  return { mark, names: `${mark}[A-Za-z0-9][\\w-]*?${between}(?:\\*(?!\\*)|[A-Za-z0-9][\\w-]*)` }
}

function mcpEntry(harness: Harness, written: string): ToolWord | null {
  const tool = mcpTool(harness, written)
  return tool === null ? null : { word: written, tools: [tool], kind: 'coined', small: false, key: written }
}
