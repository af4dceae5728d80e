/** Finds out in one search which passes have anything to look for in a prompt, because most have nothing. */

import type { Harness } from '../../harness/schema/harness.ts'
import type { Pass } from './proposal.ts'
import { escapeForPattern } from './search.ts'

interface Spotter {
  readonly pattern: RegExp
  readonly words: ReadonlyMap<Pass, readonly string[]>
}

const spotters = new WeakMap<Harness, Spotter>()

export interface Spotted {
  /** The passes without words of their own are always asked. */
  readonly passes: readonly Pass[]
  readonly words: ReadonlySet<string>
}

export function spot(text: string, source: Harness, passes: readonly Pass[]): Spotted {
  let spotter = spotters.get(source)
  if (spotter === undefined) {
    spotter = createSpotter(source, passes)
    spotters.set(source, spotter)
  }
  const { pattern, words } = spotter
  const found = new Set<string>()
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) found.add(match[0])
  const asked = passes.filter((pass) => {
    const own = words.get(pass)
    return own === undefined || own.some((word) => found.has(word))
  })
  return { passes: asked, words: found }
}

function createSpotter(source: Harness, passes: readonly Pass[]): Spotter {
  const words = new Map<Pass, string[]>()
  // A search that always begins with a letter is much the faster, so what stands before the first one is left off.
  for (const pass of passes) {
    if (pass.words !== null)
      words.set(
        pass,
        pass.words(source).map((word) => word.replace(/^\W+/, '')),
      )
  }
  const all = [...new Set([...words.values()].flat())].filter((word) => word !== '')
  const escaped = all.sort((a, b) => b.length - a.length).map((word) => escapeForPattern(word))
  return { words, pattern: escaped.length === 0 ? /(?!)/g : new RegExp(`\\b(?:${escaped.join('|')})`, 'g') }
}
