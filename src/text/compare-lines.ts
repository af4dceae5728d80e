/** Two texts line by line: how much differs, how much of it in white space alone, and how much was meant to. */
import type { LineCounts } from '../model/agent-match.ts'
import type { Range } from '../model/place.ts'
import { diffLines } from './line-diff.ts'

/** Line ends are no part of lines, the last one begins none, and what holds nothing but white space has no lines. */
export function linesOf(text: string): string[] {
  if (text.trim() === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** `meant`: the lines that should have come of those before, asked for where it matters; null where nobody knows. */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
  meant: () => readonly string[] | null = () => null,
): LineCounts {
  const changes = diffLines(before, after)
  const removed = sum(changes.map((change) => length(change.before)))
  const added = sum(changes.map((change) => length(change.after)))
  // A line that was replaced is one line that differs, and not two.
  const differing = Math.max(removed, added)
  const words = differing === 0 ? unchanged : compareWords(before, after)
  const changedLines = Math.min(Math.max(words.gone.size, words.come.size), differing)
  const rendered = changedLines === 0 ? null : meant()
  const editedLines = rendered === null ? 0 : changedLines - unmeant(words, before, after, rendered)
  return {
    changedLines,
    whitespaceLines: differing - changedLines,
    editedLines: Math.max(0, editedLines),
    totalLines: Math.max(before.length, after.length),
  }
}

interface WordChange {
  /** Lines from 0, on the side they stand on. */
  readonly gone: ReadonlySet<number>
  readonly come: ReadonlySet<number>
}

const unchanged: WordChange = { gone: new Set(), come: new Set() }

/** Empty lines that come and go, and lines with another indent or other spaces, say the same as before. */
function compareWords(before: readonly string[], after: readonly string[]): WordChange {
  const one = wordedLines(before)
  const other = wordedLines(after)
  const changes = diffLines(one.words, other.words)
  return {
    gone: new Set(changes.flatMap((change) => one.places.slice(change.before.start, change.before.end))),
    come: new Set(changes.flatMap((change) => other.places.slice(change.after.start, change.after.end))),
  }
}

function wordedLines(lines: readonly string[]) {
  const words: string[] = []
  const places: number[] = []
  lines.forEach((line, place) => {
    const plain = line.trim().replace(/\s+/g, ' ')
    if (plain === '') return
    words.push(plain)
    places.push(place)
  })
  return { words, places }
}

/** How many of the lines that differ should not: lines that should have stayed, or be others than they are. */
function unmeant(
  { gone, come }: WordChange,
  before: readonly string[],
  after: readonly string[],
  rendered: readonly string[],
): number {
  const meantToGo = compareWords(before, rendered).gone
  const notMeantToCome = compareWords(rendered, after).come
  const lost = [...gone].filter((place) => !meantToGo.has(place)).length
  const foreign = [...come].filter((place) => notMeantToCome.has(place)).length
  return Math.max(lost, foreign)
}

function length({ start, end }: Range): number {
  return end - start
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
