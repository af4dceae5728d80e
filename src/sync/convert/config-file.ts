/** A configuration file with pending settings, which are written to its text together. */
import { join } from 'node:path'
import type { ConfigSetting } from '../../convert/agent/output.ts'
import { type DataNode, getNode, isItemStep, isList, isMap, type Parsed, toData } from '../../formats/data.ts'
import { dataFormat } from '../../formats/data-formats.ts'
import { applyEdits } from '../../formats/edit/edits.ts'
import { setValues } from '../../formats/edit/set-values.ts'
import { escapeReferences } from '../../formats/json/render.ts'
import type { Json } from '../../model/agent.ts'
import type { DiagnosticCode } from '../../model/findings.ts'
import { readTextFile, type TextFile } from '../../project/read-text.ts'

export interface ConfigFile {
  readonly file: TextFile
  /** As it would be written now. */
  readonly text: () => string
  /** Its meaning is unknown. */
  readonly isBroken: () => boolean
  /** Half a sentence about why nothing can be set there; null: it can. */
  readonly whyClosed: (setting: ConfigSetting) => string | null
  /** The value at a path, and the keys of a map in order. */
  readonly valueAt: (path: readonly string[]) => { readonly value: unknown } | null
  readonly keysAt: (path: readonly string[]) => readonly string[]
  /** The paths in it that are spelled like this, joined with dots. */
  readonly waysTo: (dotted: string) => readonly string[][]
  readonly set: (setting: ConfigSetting) => void
  readonly remove: (paths: readonly (readonly string[])[]) => void
}

/** Null: it cannot be read. */
export function openConfigFile(root: string, path: string): ConfigFile | null {
  const file = load(root, path)
  if (file === null) return null
  const format = dataFormat(path)
  let text = file.text
  let known: Parsed | null = null
  const parsed = () => {
    known ??= format.parse(text)
    return known
  }
  const change = (now: string) => {
    text = now
    known = null
  }

  const waiting = new Map<string, ConfigSetting>()
  /** The parents of pending settings. */
  const holders = new Map<string, string[]>()
  const flush = () => {
    if (waiting.size === 0) return
    const settings = [...waiting.values()]
    waiting.clear()
    holders.clear()
    const editor = {
      parse: format.parse,
      set: (now: string, one: ConfigSetting) => editsFor(path, now, one),
      append: (now: string, some: readonly ConfigSetting[]) => additionsFor(path, now, some),
    }
    change(setValues(text, settings, editor) ?? text)
  }
  /** Where a setting is pending inside the requested path, or around it, it must be written to the text first. */
  const settle = (place: readonly string[]) => {
    if (waiting.size === 0) return
    const isAround = place.some((_step, depth) => waiting.has(nameOf(place.slice(0, depth))))
    if (isAround || holders.has(nameOf(place))) flush()
  }

  return {
    file,
    text: () => {
      flush()
      return text
    },
    isBroken: () => text.trim() !== '' && isUnusable(parsed(), format.invalid),
    whyClosed: (setting) => {
      settle(setting.path)
      return whyClosed(path, text, parsed(), setting)
    },
    valueAt: (place) => {
      settle(place)
      const set = waiting.get(nameOf(place))
      if (set !== undefined) return { value: set.value }
      const found = getNode(parsed().root, place)
      return found === undefined ? null : { value: toData(found) }
    },
    keysAt: (place) => {
      const holder = getNode(parsed().root, place)
      const keys = isMap(holder) ? holder.entries.map(({ key }) => key) : []
      return [...new Set([...keys, ...(holders.get(nameOf(place)) ?? [])])]
    },
    waysTo: (dotted) => {
      flush()
      return waysTo(parsed().root, dotted)
    },
    set: (setting) => {
      settle(setting.path)
      waiting.set(nameOf(setting.path), setting)
      for (const [depth, step] of setting.path.entries()) {
        const holder = nameOf(setting.path.slice(0, depth))
        const inner = holders.get(holder)
        if (inner === undefined) holders.set(holder, [step])
        else if (depth === setting.path.length - 1 || !inner.includes(step)) inner.push(step)
      }
    },
    remove: (paths) => {
      flush()
      change(without(path, text, paths))
    },
  }
}

function nameOf(path: readonly string[]): string {
  return JSON.stringify(path)
}

const empty: TextFile = { text: '', encoding: 'utf-8', findings: [] }

function load(root: string, path: string): TextFile | null {
  const read = readTextFile(join(root, path), path)
  if ('file' in read) return read.file
  return read.problem.message.includes('does not exist') ? empty : null
}

/** Null: the file is not valid, or has something other than a map on the path. */
function editsFor(file: string, text: string, { path, value, literal }: ConfigSetting) {
  const edits = dataFormat(file).set(text, path, value)
  return edits === null ? null : escapeReferences(edits, literal)
}

/** Settings that are siblings and are all added in the same way, or null. */
function additionsFor(file: string, text: string, some: readonly ConfigSetting[]) {
  const [first] = some
  if (first === undefined || some.some(({ literal }) => literal?.join() !== first.literal?.join())) return null
  const entries = some.map(({ path, value }) => [path.at(-1) ?? '', value] as const)
  const edits = dataFormat(file).append?.(text, first.path.slice(0, -1), entries) ?? null
  return edits === null ? null : escapeReferences(edits, first.literal)
}

function isUnusable({ findings, isUnread }: Parsed, invalid: DiagnosticCode): boolean {
  return isUnread === true || findings.some(({ code }) => code === invalid)
}

function whyClosed(file: string, text: string, parsed: Parsed, setting: ConfigSetting): string | null {
  const { path } = setting
  const { root } = parsed
  const { invalid, title } = dataFormat(file)
  if (parsed.isUnread) return 'it is too long'
  if (isUnusable(parsed, invalid)) {
    // A file that is empty or has only comments is not valid, but can be filled anyway.
    return editsFor(file, text, setting) === null ? `it is not valid ${title}` : null
  }
  const isBlocked = path.some((_step, depth) => {
    const holder = getNode(root, path.slice(0, depth))
    return holder !== undefined && (isList(holder) ? !isItemStep(path[depth] ?? '') : !isMap(holder))
  })
  return isBlocked ? `${path.join('.')} cannot be set in it` : null
}

/** Keys may contain dots, so there may be more than one path. */
function waysTo(node: DataNode | null, dotted: string): string[][] {
  if (isList(node)) return getNode(node, [dotted]) === undefined ? [] : [[dotted]]
  if (!isMap(node)) return []
  return node.entries.flatMap(({ key, value }) => {
    if (dotted === key) return [[key]]
    if (!dotted.startsWith(`${key}.`)) return []
    return waysTo(value, dotted.slice(key.length + 1)).map((way) => [key, ...way])
  })
}

function without(file: string, text: string, paths: readonly (readonly string[])[]): string {
  const { remove, removeAll } = dataFormat(file)
  const holders = new Map<string, { holder: readonly string[]; keys: string[] }>()
  for (const path of paths) {
    const holder = path.slice(0, -1)
    const known = holders.get(nameOf(holder)) ?? { holder, keys: [] }
    known.keys.push(path.at(-1) ?? '')
    holders.set(nameOf(holder), known)
  }
  let now = text
  for (const { holder, keys } of holders.values()) {
    if (removeAll !== undefined) now = applyEdits(now, removeAll(now, holder, keys) ?? [])
    else for (const key of keys) now = applyEdits(now, remove(now, [...holder, key]) ?? [])
  }
  return now
}

/** The order of keys counts: in some harnesses the last matching rule wins. */
export function sameInOrder(a: unknown, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
