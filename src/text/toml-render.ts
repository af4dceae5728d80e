/** Writes values as TOML: behind a key, as sections, and as whole documents. */
import type { AST } from 'toml-eslint-parser'
import type { Json } from '../model/agent.ts'
import type { LineEnd } from './lines.ts'
import { tomlString } from './render.ts'
import { doubleQuoted, singleQuoted } from './scalar-text.ts'
import { clean, namesIn, type Path } from './toml-values.ts'
import { isTable, type Table } from './values.ts'

/** A whole document that reads back as the same data; null values are left out. */
export function tomlDocument(entries: Table): string {
  const blocks = renderSections([], clean(entries) as Table, '\n')
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`
}

/** The table as blocks, each a header with its keys; `element` says that it is one of an array of tables. */
export function renderSections(path: readonly string[], table: Table, lineEnd: LineEnd, element = false): string[] {
  const entries = Object.entries(table)
  const pairs = entries
    .filter(([, value]) => !isSection(value))
    .map(([key, value]) => `${renderKey([key])} = ${renderValue(value, lineEnd)}`)
  const inner = entries.flatMap(([key, value]) => {
    if (!isSection(value)) return []
    if (isTable(value)) return renderSections([...path, key], value, lineEnd)
    return (value as readonly Table[]).flatMap((one) => renderSections([...path, key], one, lineEnd, true))
  })
  // A table of nothing but tables exists by their headers.
  if (!element && pairs.length === 0 && inner.length > 0) return inner
  const name = renderKey(path)
  const header = path.length === 0 ? [] : [element ? `[[${name}]]` : `[${name}]`]
  const block = [...header, ...pairs]
  return block.length === 0 ? inner : [block.join(lineEnd), ...inner]
}

/** What reads better as `[table]` or `[[table]]` than behind a key. */
export function isSection(value: Json): boolean {
  return isTable(value) || (holdsTables(value) && !value.every(isSmall))
}

export function holdsTables(value: Json): value is readonly Table[] {
  return Array.isArray(value) && value.length > 0 && value.every(isTable)
}

const ONE_LINE = 80

function isSmall(table: Table): boolean {
  const values = Object.values(table)
  if (values.some((one) => typeof one === 'object' || (typeof one === 'string' && one.includes('\n')))) return false
  return renderInline(table).length <= ONE_LINE
}

/** In the style of the old value where the new one allows it; null means that it has only one line. */
export function renderLike(old: AST.TOMLContentNode, value: Json, lineEnd: LineEnd | null): string {
  if (old.type === 'TOMLValue') {
    // A whole number where a fraction stood: the reader may want its type.
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

export function renderInline(value: Json): string {
  if (typeof value === 'string') return doubleQuoted(value)
  if (typeof value === 'number') return renderNumber(value)
  if (Array.isArray(value)) return `[${value.map(renderInline).join(', ')}]`
  if (!isTable(value)) return String(value)
  const members = Object.entries(value).map(([key, one]) => `${renderKey([key])} = ${renderInline(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function renderNumber(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  // Beyond what every reader can hold as an integer, it is a float.
  return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : `${text}.0`
}

export function renderKey(path: Path): string {
  return namesIn(path)
    .map((name) => (/^[\w-]+$/.test(name) ? name : doubleQuoted(name)))
    .join('.')
}
