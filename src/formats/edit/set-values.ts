/** Sets many values in one text in linear time. */
import type { Json } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import { getNode, isMap, type MapNode, type Parsed, toData } from '../data.ts'
import { lineStart } from '../lines.ts'
import { beginsLine } from './context.ts'
import { applyEdits } from './edits.ts'

export interface ValueEditor<T extends PathValue> {
  readonly parse: (text: string) => Parsed
  /** Null if it cannot be set. */
  readonly set: (text: string, one: T) => Edit[] | null
  /** Adds several new values behind the last entry of their map; absent: each is set separately. */
  readonly append?: (text: string, some: readonly T[]) => Edit[] | null
}

interface PathValue {
  readonly path: readonly string[]
  readonly value: Json
}

/** The text with all values, each in the place it would have if they were set one by one; null if impossible. */
export function setValues<T extends PathValue>(
  text: string,
  values: readonly T[],
  editor: ValueEditor<T>,
): string | null {
  let now: string | null = text
  for (const some of groupByParent(values))
    now = now === null ? null : (setSiblings(now, some, editor) ?? setOneByOne(now, some, editor))
  return now
}

function groupByParent<T extends PathValue>(values: readonly T[]): T[][] {
  const holders = new Map<string, T[]>()
  for (const one of values) {
    const holder = JSON.stringify(one.path.slice(0, -1))
    const known = holders.get(holder)
    if (known === undefined) holders.set(holder, [one])
    else known.push(one)
  }
  return [...holders.values()]
}

function setOneByOne<T extends PathValue>(text: string, values: readonly T[], { set }: ValueEditor<T>): string | null {
  let now = text
  for (const one of values) {
    const edits = set(now, one)
    if (edits === null) return null
    now = applyEdits(now, edits)
  }
  return now
}

/** Fewer values are set one by one. */
const MIN_SIBLINGS = 3

/** Null if the text does not allow it. */
function setSiblings<T extends PathValue>(text: string, values: readonly T[], editor: ValueEditor<T>): string | null {
  const [first] = values
  if (first === undefined || values.length < MIN_SIBLINGS) return null
  const place = first.path.slice(0, -1)
  const holder = getNode(editor.parse(text).root, place)
  if (!isMap(holder) || holder.entries.length === 0) {
    const begun = setOneByOne(text, [first], editor)
    return begun === null ? null : setSiblings(begun, values.slice(1), editor)
  }
  if (text[holder.range.start] !== '{' || text[holder.range.end - 1] !== '}') return null
  const result = rebuilt(text, holder, values, editor)
  return result !== null && holdsAll(editor.parse(result), values) ? result : null
}

function rebuilt<T extends PathValue>(
  text: string,
  holder: MapNode,
  values: readonly T[],
  editor: ValueEditor<T>,
): string | null {
  const open = holder.range.start + 1
  const close = holder.range.end - 1
  const [head, tail] = [text.slice(0, open), text.slice(close)]
  const keys = new Set(holder.entries.map(({ key }) => key))
  if (keys.size !== holder.entries.length) return null
  /** The part of the text after the value is set in it. */
  const setIn = (stretch: string, one: T): string | null => {
    const edits = editor.set(head + stretch + tail, one)
    const now = edits === null ? '' : applyEdits(head + stretch + tail, edits)
    const isApart = now.startsWith(head) && now.endsWith(tail) && now.length >= head.length + tail.length
    return isApart ? now.slice(head.length, now.length - tail.length) : null
  }
  let inside = ''
  let done = open
  const changed = new Map(values.map((one) => [one.path.at(-1) ?? '', one]))
  for (const { key, range } of holder.entries) {
    const one = changed.get(key)
    if (one === undefined) continue
    const start = Math.max(done, lineBefore(text, range.start))
    const stretch = setIn(text.slice(start, range.end), one)
    if (stretch === null) return null
    inside += text.slice(done, start) + stretch
    done = range.end
  }
  inside += text.slice(done, close)
  const added = values.filter(({ path }) => !keys.has(path.at(-1) ?? ''))
  if (added.length === 0) return head + inside + tail
  const edits = editor.append?.(head + inside + tail, added) ?? null
  if (edits !== null) return applyEdits(head + inside + tail, edits)
  return appended(head, inside, tail, added, { ...editor, setIn })
}

/** Each value goes behind the last entry, then behind the one added before it: nothing else is examined. */
function appended<T extends PathValue>(
  head: string,
  inside: string,
  tail: string,
  added: readonly T[],
  { parse, setIn }: ValueEditor<T> & { readonly setIn: (stretch: string, one: T) => string | null },
): string | null {
  const holder = added[0]?.path.slice(0, -1) ?? []
  const finished: string[] = []
  let stretch = inside
  for (const one of added) {
    const text = head + stretch + tail
    const map = getNode(parse(text).root, holder)
    const last = isMap(map) ? map.entries.at(-1) : undefined
    if (last === undefined) return null
    const start = Math.max(0, lineBefore(text, last.range.start) - head.length)
    finished.push(stretch.slice(0, start))
    const now = setIn(stretch.slice(start), one)
    if (now === null) return null
    stretch = now
  }
  return head + finished.join('') + stretch + tail
}

/** The end of the line above, if the position begins a line. */
function lineBefore(text: string, place: number): number {
  if (!beginsLine(text, place)) return place
  const start = lineStart(text, place)
  return start - (text.slice(start - 2, start) === '\r\n' ? 2 : Math.min(start, 1))
}

function holdsAll({ root }: Parsed, values: readonly PathValue[]): boolean {
  const holder = getNode(root, values[0]?.path.slice(0, -1) ?? [])
  const said = new Map(isMap(holder) ? holder.entries.map(({ key, value }) => [key, value]) : [])
  return values.every(({ path, value }) => {
    const node = said.get(path.at(-1) ?? '')
    return node !== undefined && JSON.stringify(toData(node)) === JSON.stringify(value)
  })
}
