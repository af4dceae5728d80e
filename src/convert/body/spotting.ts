/** Finds out in one search which passes have anything to look for in a prompt, because most have nothing. */

import type { Harness } from '../../harness/schema/harness.ts'
import type { Pass } from './proposal.ts'
import { escapeForPattern } from './search.ts'

interface Spotter {
  readonly pattern: RegExp
  /** The passes that look for a word, and those that look for none. */
  readonly passesFor: ReadonlyMap<string, readonly Pass[]>
  readonly always: readonly Pass[]
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
  const { pattern, passesFor, always } = spotter
  const found = new Set<string>()
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) found.add(match[0])
  if (found.size === 0) return { passes: always, words: found }
  const asked = new Set(always)
  for (const word of found) for (const pass of passesFor.get(word) ?? []) asked.add(pass)
  return { passes: passes.filter((pass) => asked.has(pass)), words: found }
}

function createSpotter(source: Harness, passes: readonly Pass[]): Spotter {
  const passesFor = new Map<string, Pass[]>()
  for (const pass of passes) {
    for (const given of pass.words?.(source) ?? []) {
      // A search that always begins with a letter is much the faster, so what stands before the first one is left off.
      const word = given.replace(/^\W+/, '')
      if (word !== '') passesFor.set(word, [...(passesFor.get(word) ?? []), pass])
    }
  }
  const all = [...passesFor.keys()].sort((a, b) => b.length - a.length).map((word) => escapeForPattern(word))
  const pattern = all.length === 0 ? /(?!)/g : new RegExp(`\\b(?:${all.join('|')})`, 'g')
  return { pattern, passesFor, always: passes.filter(({ words }) => words === null) }
}
