/** Many values in one text, in time that grows with the text alone: each is set in a text without its neighbours. */
import type { Json } from '../model/agent.ts'
import type { Edit } from '../model/place.ts'
import { get, isMap, toData } from './data.ts'
import { applyEdits } from './edit.ts'
import { beginsLine } from './edit-surroundings.ts'
import { lineStart } from './lines.ts'
import type { MapNode, Parsed } from './tree.ts'

export interface Editor<T extends Placed> {
  readonly parse: (text: string) => Parsed
  /** Null where it cannot be set. */
  readonly set: (text: string, one: T) => Edit[] | null
  /** Several that are not there yet, behind the last entry of their map; absent: each is set by itself. */
  readonly append?: (text: string, some: readonly T[]) => Edit[] | null
}

interface Placed {
  readonly path: readonly string[]
  readonly value: Json
}

/** The text with all of them, each in the place that it would have if they were set one after the other; null: they cannot be. */
export function setEach<T extends Placed>(text: string, values: readonly T[], editor: Editor<T>): string | null {
  let now: string | null = text
  for (const some of byHolder(values))
    now = now === null ? null : (setBeside(now, some, editor) ?? inTurn(now, some, editor))
  return now
}

function byHolder<T extends Placed>(values: readonly T[]): T[][] {
  const holders = new Map<string, T[]>()
  for (const one of values) {
    const holder = JSON.stringify(one.path.slice(0, -1))
    const known = holders.get(holder)
    if (known === undefined) holders.set(holder, [one])
    else known.push(one)
  }
  return [...holders.values()]
}

function inTurn<T extends Placed>(text: string, values: readonly T[], { set }: Editor<T>): string | null {
  let now = text
  for (const one of values) {
    const edits = set(now, one)
    if (edits === null) return null
    now = applyEdits(now, edits)
  }
  return now
}

/** Fewer are set as they are. */
const FEW = 3

/** Null where the text does not allow it. */
function setBeside<T extends Placed>(text: string, values: readonly T[], editor: Editor<T>): string | null {
  const [first] = values
  if (first === undefined || values.length < FEW) return null
  const place = first.path.slice(0, -1)
  const holder = get(editor.parse(text).root, place)
  if (!isMap(holder) || holder.entries.length === 0) {
    const begun = inTurn(text, [first], editor)
    return begun === null ? null : setBeside(begun, values.slice(1), editor)
  }
  if (text[holder.range.start] !== '{' || text[holder.range.end - 1] !== '}') return null
  const result = rebuilt(text, holder, values, editor)
  return result !== null && holdsAll(editor.parse(result), values) ? result : null
}

function rebuilt<T extends Placed>(
  text: string,
  holder: MapNode,
  values: readonly T[],
  editor: Editor<T>,
): string | null {
  const open = holder.range.start + 1
  const close = holder.range.end - 1
  const [head, tail] = [text.slice(0, open), text.slice(close)]
  const keys = new Set(holder.entries.map(({ key }) => key))
  if (keys.size !== holder.entries.length) return null
  /** What becomes of a stretch of the text when the value is set in it. */
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

/** Behind the last entry, and from then on behind the one that was added last: nothing else need be looked at. */
function appended<T extends Placed>(
  head: string,
  inside: string,
  tail: string,
  added: readonly T[],
  { parse, setIn }: Editor<T> & { readonly setIn: (stretch: string, one: T) => string | null },
): string | null {
  const holder = added[0]?.path.slice(0, -1) ?? []
  const finished: string[] = []
  let stretch = inside
  for (const one of added) {
    const text = head + stretch + tail
    const map = get(parse(text).root, holder)
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

/** The end of the line above, where it begins its own. */
function lineBefore(text: string, place: number): number {
  if (!beginsLine(text, place)) return place
  const start = lineStart(text, place)
  return start - (text.slice(start - 2, start) === '\r\n' ? 2 : Math.min(start, 1))
}

function holdsAll({ root }: Parsed, values: readonly Placed[]): boolean {
  const holder = get(root, values[0]?.path.slice(0, -1) ?? [])
  const said = new Map(isMap(holder) ? holder.entries.map(({ key, value }) => [key, value]) : [])
  return values.every(({ path, value }) => {
    const node = said.get(path.at(-1) ?? '')
    return node !== undefined && JSON.stringify(toData(node)) === JSON.stringify(value)
  })
}
