/** Sets and removes values in a whole YAML file; each change is read back, and nothing else may have changed. */
import type { Json } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import {
  type DataNode,
  getEntry,
  getNode,
  isItemAt,
  isItemStep,
  isJsonObject,
  isList,
  isMap,
  type ListNode,
  type MapNode,
  nestValue,
  sameData,
  setOwn,
  toData,
} from '../data.ts'
import { deletion, insertion } from '../edit/context.ts'
import { applyEdits } from '../edit/edits.ts'
import { knownSteps } from '../edit/update.ts'
import { dominantLineEnd, lineStart, lineStop, nextLine } from '../lines.ts'
import { insertEntry, removeEntry, setYamlValue } from './edit.ts'
import { parseYaml } from './parse.ts'
import { yamlValue } from './render.ts'

type Path = readonly string[]

/** Null if the text is not plain YAML, or another value is in the way. */
export function setYamlPath(text: string, path: Path, value: Json): Edit[] | null {
  const root = readWhole(text)
  if (root === undefined) return null
  const wanted: Json = JSON.parse(JSON.stringify(value))
  const edits = root === null ? [fill(text, nestValue(path, wanted))] : editsTo(text, root, path, wanted)
  if (edits === null) return null
  return isAsMeant(text, edits, withValue(toData(root), path, wanted)) ? edits : null
}

/** Removes only the entry; a parent that becomes empty stays. */
export function removeYamlPath(text: string, path: Path): Edit[] | null {
  const root = readWhole(text)
  const step = path.at(-1)
  if (root === undefined || step === undefined) return null
  const holder = getNode(root, path.slice(0, -1))
  if (getNode(root, path) === undefined) return []
  const edits = isList(holder)
    ? [withoutItem(text, holder, holder.items.indexOf(getNode(root, path) as DataNode))]
    : [isMap(holder) ? withoutEntry(text, holder, step) : null]
  const all = edits.filter((one) => one !== null)
  return isAsMeant(text, all, withValue(toData(root), path, undefined)) ? all : null
}

/** Null: there is nothing but comments. Undefined: it cannot be edited. */
function readWhole(text: string): DataNode | null | undefined {
  const { root, findings, isUnread } = parseYaml(text)
  if (findings.length > 0 || isUnread === true) return undefined
  return root?.kind === 'scalar' && root.value === null ? null : root
}

function editsTo(text: string, root: DataNode, path: Path, wanted: Json): Edit[] | null {
  const node = getNode(root, path)
  if (node !== undefined) return changeValue(text, node, wanted)
  const open = path.findIndex((_step, depth) => isNothing(getNode(root, path.slice(0, depth + 1))))
  if (open >= 0) return [fillKey(text, getNode(root, path.slice(0, open + 1)), nestValue(path.slice(open + 1), wanted))]
  const known = knownSteps(root, path, true)
  if (known === null) return null
  const holder = getNode(root, path.slice(0, known))
  const step = path[known] ?? ''
  const inner = nestValue(path.slice(known + 1), wanted)
  if (isList(holder)) return [addItem(text, holder, inner)]
  if (!isMap(holder)) return []
  const isFlow = text[holder.range.start] === '{'
  const indent = columnOf(text, holder.range.start)
  const rendered = yamlValue(inner, isFlow ? { flow: true } : { indent, lineEnd: dominantLineEnd(text) })
  return [insertEntry(text, holder, step, rendered)]
}

function isNothing(node: DataNode | undefined): boolean {
  return node?.kind === 'scalar' && node.value === null
}

/** A key without a value takes one below it. */
function fillKey(text: string, node: DataNode | undefined, value: Json): Edit {
  const range = node?.range ?? { start: text.length, end: text.length }
  const indent = /^ */.exec(text.slice(lineStart(text, range.start)))?.[0] ?? ''
  return { range, text: yamlValue(value, { indent, lineEnd: dominantLineEnd(text) }) }
}

/** What stays the same in a map is not touched, unless the order of its keys would change. */
function changeValue(text: string, node: DataNode, wanted: Json): Edit[] {
  if (JSON.stringify(toData(node)) === JSON.stringify(wanted)) return []
  if (isMap(node) && isJsonObject(wanted)) {
    const keys = Object.keys(wanted)
    const kept = node.entries.filter(({ key }) => Object.hasOwn(wanted, key))
    const isInPlace = keys.every((key, at) => kept[at]?.key === key)
    if (isInPlace && kept.length > 0) {
      const gone = node.entries.filter(({ key }) => !Object.hasOwn(wanted, key)).map((one) => removeEntry(text, one))
      const edits = kept.flatMap(({ key, value }) => changeValue(text, value, wanted[key] as Json))
      return [...gone, ...edits]
    }
  }
  return [setYamlValue(text, node, wanted)]
}

function fill(text: string, value: Json): Edit {
  const lineEnd = dominantLineEnd(text)
  // At the margin, where the value of a key would begin on the next line.
  const block = yamlValue(value, { indent: '', lineEnd })
    .split(lineEnd)
    .map((line) => line.replace(/^ {2}/, ''))
    .join(lineEnd)
    .replace(/^\r?\n/, '')
  const gap = text === '' || text.endsWith('\n') ? '' : lineEnd
  return insertion(text.length, gap + block + lineEnd)
}

function addItem(text: string, list: ListNode, item: Json): Edit {
  const lineEnd = dominantLineEnd(text)
  const last = list.items.at(-1)
  if (text[list.range.start] === '[') {
    if (last !== undefined) return insertion(last.range.end, `, ${yamlValue(item, { flow: true })}`)
    const start = lineStart(text, list.range.start)
    const indent = /^ */.exec(text.slice(start))?.[0] ?? ''
    const gap = text[list.range.start - 1] === ' ' ? 1 : 0
    const isAlone = /:[ \t]*$/.test(text.slice(start, list.range.start))
    const block = isAlone ? yamlValue([item], { indent, lineEnd }) : yamlValue([item], { flow: true })
    return { range: { start: list.range.start - (isAlone ? gap : 0), end: list.range.end }, text: block }
  }
  const indent = columnOf(text, list.range.start)
  const rendered = yamlValue(item, { indent, lineEnd })
  return insertion(lineStop(text, last?.range.end ?? list.range.end), `${lineEnd}${indent}- ${rendered.trimStart()}`)
}

function withoutItem(text: string, list: ListNode, index: number): Edit | null {
  const item = list.items[index]
  if (item === undefined) return null
  if (list.items.length === 1) return { range: list.range, text: '[]' }
  if (text[list.range.start] === '[') {
    const before = list.items[index - 1]
    const after = list.items[index + 1]
    if (before !== undefined) return deletion(before.range.end, item.range.end)
    return after === undefined ? null : deletion(item.range.start, after.range.start)
  }
  const start = lineStart(text, item.range.start)
  if (!/^\s*-\s+$/.test(text.slice(start, item.range.start))) return null
  return deletion(start, nextLine(text, item.range.end))
}

/** A block map cannot be empty. */
function withoutEntry(text: string, holder: MapNode, key: string): Edit | null {
  const entry = getEntry(holder, key)
  if (entry === undefined) return null
  const isLast = holder.entries.length === 1 && text[holder.range.start] !== '{'
  return isLast ? { range: holder.range, text: '{}' } : removeEntry(text, entry)
}

function columnOf(text: string, place: number): string {
  const from = lineStart(text, place)
  return ' '.repeat(place - from - (text[from] === '\uFEFF' ? 1 : 0))
}

/** Plain data with the value at the path; undefined removes it. */
function withValue(data: unknown, [step, ...rest]: Path, value: Json | undefined): unknown {
  if (step === undefined) return value
  if (Array.isArray(data) && isItemStep(step)) {
    const found = data.findIndex((one) => isItemAt(one, step))
    const inner = withValue(data[found], rest, value)
    if (found >= 0) return inner === undefined ? data.toSpliced(found, 1) : data.with(found, inner)
    return inner === undefined ? data : [...data, inner]
  }
  if (data === null || data === undefined) return value === undefined ? data : nestValue([step, ...rest], value)
  const copy: Record<string, unknown> = { ...(data as Record<string, unknown>) }
  const inner = withValue(Object.hasOwn(copy, step) ? copy[step] : undefined, rest, value)
  if (inner === undefined) delete copy[step]
  else setOwn(copy, step, inner)
  return copy
}

function isAsMeant(text: string, edits: readonly Edit[], meant: unknown): boolean {
  let changed: string
  try {
    changed = applyEdits(text, edits)
  } catch {
    return false
  }
  const { root, findings } = parseYaml(changed)
  return findings.length === 0 && sameData(toData(root) ?? {}, meant ?? {})
}
