/** Writes values as TOML. */
import type { AST } from 'toml-eslint-parser'
import type { Json, JsonObject } from '../../model/agent.ts'
import { isJsonObject } from '../data.ts'
import type { LineEnd } from '../lines.ts'
import { doubleQuoted, singleQuoted } from '../quoting.ts'

/** A whole document that reads back as the same data; null values are left out. */
export function tomlDocument(entries: JsonObject): string {
  const blocks = renderSections([], toTomlValue(entries) as JsonObject, '\n')
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`
}

/** The table as blocks, each a header with its keys; `element`: it is an element of an array of tables. */
export function renderSections(
  path: readonly string[],
  table: JsonObject,
  lineEnd: LineEnd,
  element = false,
): string[] {
  const entries = Object.entries(table)
  const pairs = entries
    .filter(([, value]) => !isSection(value))
    .map(([key, value]) => `${renderKey([key])} = ${renderValue(value, lineEnd)}`)
  const inner = entries.flatMap(([key, value]) => {
    if (!isSection(value)) return []
    if (isJsonObject(value)) return renderSections([...path, key], value, lineEnd)
    return (value as readonly JsonObject[]).flatMap((one) => renderSections([...path, key], one, lineEnd, true))
  })
  // A table that contains only tables is defined by their headers.
  if (!element && pairs.length === 0 && inner.length > 0) return inner
  const name = renderKey(path)
  const header = path.length === 0 ? [] : [element ? `[[${name}]]` : `[${name}]`]
  const block = [...header, ...pairs]
  return block.length === 0 ? inner : [block.join(lineEnd), ...inner]
}

/** Whether the value reads better as `[table]` or `[[table]]` than behind a key. */
export function isSection(value: Json): boolean {
  return isJsonObject(value) || (holdsTables(value) && !value.every(isSmall))
}

export function holdsTables(value: Json): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject)
}

const ONE_LINE = 80

function isSmall(table: JsonObject): boolean {
  const values = Object.values(table)
  if (values.some((one) => typeof one === 'object' || (typeof one === 'string' && one.includes('\n')))) return false
  return renderInline(table).length <= ONE_LINE
}

/** In the style of the old value if the new one allows it; null: only one line is available. */
export function renderLike(old: AST.TOMLContentNode, value: Json, lineEnd: LineEnd | null): string {
  if (old.type === 'TOMLValue') {
    // A whole number replaces a float: the reader may need its type.
    if (old.kind === 'float' && Number.isSafeInteger(value) && !Object.is(value, -0)) return `${value}.0`
    const literal = old.kind === 'string' && old.style === 'literal' && typeof value === 'string'
    if (literal && !value.includes("'")) {
      const quoted = singleQuoted(value)
      if (quoted !== null) return quoted
    }
  }
  return lineEnd === null ? renderInline(value) : renderValue(value, lineEnd)
}

export function renderValue(value: Json, lineEnd: LineEnd): string {
  if (typeof value === 'string') return tomlString(value, lineEnd)
  const line = renderInline(value)
  if (!Array.isArray(value) || line.length <= ONE_LINE) return line
  return `[${lineEnd}${value.map((item) => `  ${renderInline(item)},${lineEnd}`).join('')}]`
}

/** Several lines become a `"""` text that reads like the original. */
export function tomlString(text: string, lineEnd: LineEnd = '\n'): string {
  // TOML cannot represent a lone surrogate.
  const sound = text.toWellFormed()
  if (!sound.includes('\n')) return doubleQuoted(sound)
  const lines = sound.split('\n').map((line) => doubleQuoted(line).slice(1, -1).replaceAll('\\"', '"'))
  // Three quotes would end the text, and so would any at its end.
  const escaped = lines.join('\n').replace(/"{3,}|"+$/g, (run) => run.replaceAll('"', '\\"'))
  return `"""${lineEnd}${escaped.replaceAll('\n', lineEnd)}"""`
}

export function renderInline(value: Json): string {
  if (typeof value === 'string') return doubleQuoted(value)
  if (typeof value === 'number') return renderNumber(value)
  if (Array.isArray(value)) return `[${value.map(renderInline).join(', ')}]`
  if (!isJsonObject(value)) return String(value)
  const members = Object.entries(value).map(([key, one]) => `${renderKey([key])} = ${renderInline(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  // An integer that not every reader can represent is written as a float.
  return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : `${text}.0`
}

export function renderKey(path: TomlPath): string {
  return namesIn(path)
    .map((name) => (/^[\w-]+$/.test(name) ? name : doubleQuoted(name)))
    .join('.')
}

/** Numbers are indices into arrays of tables. */
export type TomlPath = readonly (string | number)[]

export function namesIn(path: TomlPath): string[] {
  return path.filter((step) => typeof step === 'string')
}

/** The value as TOML can represent it, so that the written value compares equal to the wanted one. */
export function toTomlValue(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(toTomlValue)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(entries.map(([key, one]) => [key.toWellFormed(), toTomlValue(one)]))
}

/** Unsafe integers become the number that a caller would have. */
export function withoutBigints(data: unknown): unknown {
  if (typeof data === 'bigint') return Number(data)
  if (Array.isArray(data)) return data.map(withoutBigints)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, one]) => [key, withoutBigints(one)]))
}
