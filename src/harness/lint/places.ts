/** Where each value of a harness file is written: in which file, line and column, also through parts and `extends`. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml'
import type { DataMap } from '../schema/merge.ts'

export type Path = readonly (string | number)[]

export interface FilePlace {
  /** As it is shown to people. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Something wrong in a harness file. */
export interface HarnessProblem extends FilePlace {
  readonly message: string
}

/** One text that says something about a harness. */
export interface PlacedText {
  readonly file: string
  /** As far as the text leads along the path. */
  readonly follow: (path: Path, at: 'key' | 'value') => Followed
}

interface Followed {
  readonly place: FilePlace
  readonly depth: number
  /** It ends at a text or inside a list: no other file can add to that. */
  readonly isEnd: boolean
}

export interface ParsedFile {
  readonly source: PlacedText
  readonly data: unknown
  readonly problems: readonly HarnessProblem[]
}

export function parseFile(file: string, text: string): ParsedFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const placeAt = (offset: number): FilePlace => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(1, line), column: Math.max(1, col) }
  }
  const resolved = (node: unknown): Node | null => {
    const target = isAlias(node) ? node.resolve(document) : node
    return isMap(target) || isSeq(target) || isScalar(target) ? target : null
  }
  const follow: PlacedText['follow'] = (path, at) => {
    let node = resolved(document.contents)
    let key: Node | null = node
    let depth = 0
    for (const step of path) {
      const pair: Pair | undefined = isMap(node)
        ? node.items.find((one) => nameOf(one.key) === String(step))
        : undefined
      const item = isSeq(node) ? node.items[Number(step)] : undefined
      if (pair === undefined && item === undefined) break
      node = resolved(pair?.value ?? item)
      key = pair === undefined ? node : (pair.key as Node)
      depth++
    }
    const chosen = at === 'key' || depth < path.length ? key : (node ?? key)
    return { place: placeAt(chosen?.range?.[0] ?? 0), depth, isEnd: depth > 0 && !isMap(node) }
  }
  const source = { file, follow }
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ message, pos }) => ({
      ...placeAt(pos[0]),
      message: `This is not valid YAML: ${message.replace(/\.$/, '')}.`,
    }))
    return { source, data: null, problems }
  }
  try {
    return { source, data: document.toJS(), problems: [] }
  } catch (error) {
    return { source, data: null, problems: [{ ...placeAt(0), message: `${(error as Error).message}.` }] }
  }
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : ''
}

/** What a harness is made of: its own texts, then what they extend, the strongest first. */
export interface Provenance {
  readonly sources: readonly PlacedText[]
  /** What is extended without a text at hand, and where its name is written. */
  readonly unseen: readonly { readonly data: DataMap; readonly place: FilePlace }[]
}

export interface Placed {
  readonly place: FilePlace
  /** It is in a harness whose text is not at hand: the place is where that is named. */
  readonly isUnseen: boolean
}

/** In the text that decides about a path, or the nearest place to it. */
export function placeOf({ sources, unseen }: Provenance, path: Path, at: 'key' | 'value' = 'value'): Placed {
  let nearest: Followed | null = null
  for (const { follow } of sources) {
    const found = follow(path, at)
    if (found.depth === path.length || found.isEnd) return { place: found.place, isUnseen: false }
    if (nearest === null || found.depth > nearest.depth) nearest = found
  }
  const hidden = unseen.find(({ data }) => holds(data, path))
  if (hidden !== undefined) return { place: hidden.place, isUnseen: true }
  return { place: nearest?.place ?? { file: '', line: 1, column: 1 }, isUnseen: false }
}

function holds(value: unknown, [step, ...rest]: Path): boolean {
  if (step === undefined) return value !== undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false
  return holds((value as Record<string | number, unknown>)[step], rest)
}
