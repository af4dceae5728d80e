/** Edits to YAML that change one value or one entry and no other character. */
import type { Edit, Range } from '../../model/range.ts'
import type { DataNode, MapEntry, MapNode } from '../data.ts'
import { insertion } from '../edit/context.ts'
import { dominantLineEnd, lineStart, lineStop, nextLine } from '../lines.ts'
import { doubleQuoted, singleQuoted } from '../quoting.ts'
import { joinEntry, type YamlStyle, yamlScalar, yamlValue } from './render.ts'

/** Keeps the quotes and the flow or block style of the old value if the new one allows it. */
export function setYamlValue(text: string, node: DataNode, value: unknown, style: Pick<YamlStyle, 'flow'> = {}): Edit {
  const { range } = node
  const before = text[range.start - 1]
  const gap = range.start === range.end && (before === ':' || before === '-') ? ' ' : ''
  return { range, text: gap + replacement(text, node, value, style.flow ?? false) }
}

function replacement(text: string, node: DataNode, value: unknown, flow: boolean): string {
  const { start } = node.range
  const lineEnd = dominantLineEnd(text)
  const from = lineStart(text, start)
  const indent = /^[ \t]*/.exec(text.slice(from, start))![0]
  const ownLine = from + indent.length === start
  if (typeof value === 'string' && node.kind === 'scalar') return restyled(text, node, value, { indent, flow, lineEnd })
  const old = text[start]
  const isBlock = node.kind !== 'scalar' && old !== '[' && old !== '{'
  if (!isBlock || flow || !isCollection(value)) {
    // At the start of a line a scalar would end its own map, so it is indented.
    const shift = ownLine && indent === '' && isBlock ? '  ' : ''
    return shift + yamlValue(value, { flow: true })
  }
  // The new items take the place of the old ones: the first here, the others below it.
  const column = ' '.repeat(start - from)
  const block = yamlValue(value, { indent: column.slice(2), lineEnd })
  const lead = lineEnd.length + Math.max(column.length, 2)
  return block.startsWith(lineEnd) && column.length >= 2 ? block.slice(lead) : yamlValue(value, { flow: true })
}

function restyled(text: string, node: DataNode, value: string, style: Required<YamlStyle>): string {
  const old = text[node.range.start]
  if (old === '"') return doubleQuoted(value)
  if (old === "'") return singleQuoted(value) ?? doubleQuoted(value)
  if ((old === '|' || old === '>') && !value.includes('\n')) return yamlScalar(value, { flow: style.flow })
  return yamlScalar(value, style)
}

function isCollection(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Removes the entry's lines; inside braces, the entry and one comma. */
export function removeEntry(text: string, entry: MapEntry): Edit {
  const { start, end } = entry.range
  const from = lineStart(text, start)
  const alone = text.slice(from, start).replace('\uFEFF', '').trim() === ''
  const rest = text.slice(end, lineStop(text, end))
  if (alone && /^\s*(?:#.*)?$/.test(rest)) return { range: { start: from, end: nextLine(text, end) }, text: '' }
  const comma = /^\s*,\s*/.exec(text.slice(end))
  if (comma) return { range: { start, end: end + comma[0].length }, text: '' }
  let back = start
  while (back > 0 && /\s/.test(text[back - 1]!)) back--
  return { range: { start: text[back - 1] === ',' ? back - 1 : start, end }, text: '' }
}

/**
 * Adds `key: rendered` (see `yamlValue`) as the last entry of a map. For front matter without a map, pass the range
 * between the fences: the entry then becomes its last line.
 */
export function insertEntry(text: string, target: MapNode | Range, key: string, rendered: string): Edit {
  const entry = joinEntry(yamlScalar(key, { flow: true }), rendered)
  if (!('kind' in target)) {
    const lineEnd = dominantLineEnd(text)
    const gap = target.end > 0 && text[target.end - 1] !== '\n' && target.end > target.start ? lineEnd : ''
    return insertion(target.end, `${gap}${entry}${lineEnd}`)
  }
  const last = target.entries.at(-1)
  if (text[target.range.start] === '{') {
    return last ? insertion(last.range.end, `, ${entry}`) : insertion(target.range.start + 1, ` ${entry} `)
  }
  const from = lineStart(text, target.range.start)
  const indent = ' '.repeat(target.range.start - from - (text[from] === '\uFEFF' ? 1 : 0))
  return insertion(lineStop(text, last?.range.end ?? target.range.end), dominantLineEnd(text) + indent + entry)
}
