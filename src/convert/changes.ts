/** The differences between two versions of one definition: values by key path, and the prompt. */

import { getEntry, getNode, isMap, sameData, toData } from '../formats/data.ts'
import { removeJsonValue, setJsonValue } from '../formats/json/edit.ts'
import { removeTomlValue, setTomlValue } from '../formats/toml/edit.ts'
import { insertEntry, removeEntry, setYamlValue } from '../formats/yaml/edit.ts'
import { yamlValue } from '../formats/yaml/render.ts'
import { promptKeysIn } from '../harness/read/prompt.ts'
import type { Json } from '../model/agent.ts'
import type { Edit } from '../model/range.ts'
import type { Source } from './agent/source.ts'
import { editBetween } from './restore/restore-prompt.ts'

export type DefinitionChange =
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly value: Json | undefined }
  | { readonly kind: 'prompt'; readonly text: string }

/** The name of a change: its key. */
export function changeName(change: DefinitionChange): string {
  return change.kind === 'prompt' ? 'prompt' : (change.path[0] ?? '')
}

export function definitionChanges(before: Source, after: Source): DefinitionChange[] {
  const values = valueChanges(dataOf(before), dataOf(after), [])
  const { text } = after.agent.prompt
  return before.agent.prompt.text === text ? values : [...values, { kind: 'prompt', text }]
}

type Data = { readonly [key: string]: Json }

function dataOf({ map, carrier }: Source): Data {
  const data = (map === null ? {} : toData(map)) as Record<string, Json>
  if (carrier.prompt.in !== 'key') return data
  const keys = promptKeysIn(carrier, map)
  return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.includes(key)))
}

function valueChanges(before: Data, after: Data, path: readonly string[]): DefinitionChange[] {
  const changes: DefinitionChange[] = []
  for (const [key, value] of Object.entries(before)) {
    const now = Object.hasOwn(after, key) ? after[key] : undefined
    const way = [...path, key]
    if (now !== undefined && isSameData(value, now)) continue
    if (isData(value) && isData(now) && keepsOrder(value, now)) changes.push(...valueChanges(value, now, way))
    else changes.push({ kind: 'value', path: way, value: now })
  }
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) changes.push({ kind: 'value', path: [...path, key], value })
  }
  return changes
}

/** The order of keys counts: in some harnesses the last matching rule wins. */
function isSameData(one: Json, other: Json): boolean {
  return sameData(one, other) && JSON.stringify(one) === JSON.stringify(other)
}

function isData(value: Json | undefined): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The common keys have the same order, and new keys come after them: then single entries can be changed. */
function keepsOrder(before: Data, after: Data): boolean {
  const common = Object.keys(before).filter((key) => Object.hasOwn(after, key))
  const now = Object.keys(after)
  return common.length > 0 && common.every((key, place) => now[place] === key)
}

/** Whether two changes affect the same thing and disagree about it. */
export function contradicts(one: DefinitionChange, other: DefinitionChange): boolean {
  if (one.kind === 'prompt' || other.kind === 'prompt')
    return one.kind === 'prompt' && other.kind === 'prompt' && one.text !== other.text
  const shorter = Math.min(one.path.length, other.path.length)
  const isOneWay = one.path.slice(0, shorter).every((step, place) => step === other.path[place])
  return isOneWay && !isSameChange(one, other)
}

export function isSameChange(one: DefinitionChange, other: DefinitionChange): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Null where the text has no place for it. */
export function editsFor(source: Source, change: DefinitionChange): readonly Edit[] | null {
  if (change.kind === 'prompt') return editPrompt(source, change.text)
  const { path, value } = change
  const { text, carrier } = source
  if (carrier.format === 'markdown' || carrier.format === 'yaml') return editYaml(source, path, value)
  const isToml = carrier.format === 'toml'
  if (value === undefined) return isToml ? removeTomlValue(text, path) : removeJsonValue(text, path)
  return isToml ? setTomlValue(text, path, value) : setJsonValue(text, path, value)
}

function editPrompt(source: Source, wanted: string): readonly Edit[] | null {
  const { agent, carrier, text } = source
  const { range, text: now } = agent.prompt
  if (carrier.prompt.in === 'key') {
    const path = [carrier.prompt.key ?? '']
    return carrier.format === 'toml' ? setTomlValue(text, path, wanted) : setJsonValue(text, path, wanted)
  }
  if (range === null) return null
  return editBetween(now, wanted).map((edit) => ({
    ...edit,
    range: { start: edit.range.start + range.start, end: edit.range.end + range.start },
  }))
}

function editYaml(source: Source, path: readonly string[], value: unknown): readonly Edit[] | null {
  const { text, map, document } = source
  const holder = path.length === 1 ? map : getNode(map, path.slice(0, -1))
  const key = path.at(-1) ?? ''
  const found = getEntry(holder, key)
  if (found !== undefined)
    return [value === undefined ? removeEntry(text, found) : setYamlValue(text, found.value, value)]
  const place = isMap(holder) ? holder : document.frontMatter?.yaml
  if (value === undefined || place === null || place === undefined) return null
  const indent = '  '.repeat(path.length - 1)
  return [insertEntry(text, place, key, yamlValue(value, { indent, lineEnd: source.lineEnd }))]
}
