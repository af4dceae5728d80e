/** Writes values as PromptScript: plain names where possible, strings in quotes, prose in blocks. */
import type { Json } from '../../model/agent.ts'
import type { LineEnd } from '../lines.ts'
import { isDamaged, isPlainName, PROSE_FIELD, prsProse, prsText, quotePrs } from './strings.ts'

export interface PrsStyle {
  readonly lineEnd: LineEnd
  readonly unit: string
}

export const DEFAULT_PRS_STYLE: PrsStyle = { lineEnd: '\n', unit: '  ' }

/** The first version of the language that supports agents. */
const SYNTAX = '1.1.0'

/** A file that contains only this block. */
export function prsFile(block: string, value: Json, style = DEFAULT_PRS_STYLE): string {
  const { lineEnd } = style
  const meta = prsBlock('meta', { id: block, syntax: SYNTAX }, style)
  return meta + lineEnd + lineEnd + prsBlock(block, value, style) + lineEnd
}

export function prsBlock(name: string, value: Json, style: PrsStyle): string {
  return `@${name} ${renderPrs(value, '', style)}`
}

export function prsField(key: string, value: Json, indent: string | null, style: PrsStyle): string {
  return `${isPlainName(key) ? key : quotePrs(key)}: ${prsValue(key, value, indent, style)}`
}

/** On one line if `indent` is null. */
export function prsValue(key: string, value: Json, indent: string | null, style: PrsStyle): string {
  const isProse = key === PROSE_FIELD && typeof value === 'string' && indent !== null
  return isProse ? prsProse(value, style.lineEnd) : renderPrs(value, indent, style)
}

/** Two adjacent braces are never written: they would mean something else. */
function renderPrs(value: Json, indent: string | null, style: PrsStyle): string {
  if (typeof value === 'string') return prsText(value)
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => renderPrs(item, null, style)).join(', ')}]`
  const inner = indent === null ? null : indent + style.unit
  const fields = Object.entries(value).map(([key, one]) => prsField(key, one, inner, style))
  if (fields.length === 0) return '{ }'
  if (inner === null) return `{ ${fields.join(', ')} }`
  const lead = style.lineEnd + inner
  return `{${lead}${fields.join(lead)}${style.lineEnd}${indent}}`
}

/** Numbers have digits and a point; other notations are written as text. */
function numberText(value: number): string {
  const text = String(value)
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : quotePrs(text)
}

/** The paths of the fields of a value whose text PromptScript will misread. */
export function damagedFields(value: Json, path: readonly string[] = []): string[] {
  if (typeof value === 'string') return isDamaged(value, path.at(-1) === PROSE_FIELD) ? [path.join('.')] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => damagedFields(one, [...path, key]))
}
