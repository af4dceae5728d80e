/** Writes values as YAML, in the plainest style that reads back as the same value. */

import type { ScalarValue } from '../data.ts'
import type { LineEnd } from '../lines.ts'
import { doubleQuoted, isPlainYaml, literalBlock, singleQuoted } from '../quoting.ts'

export interface YamlStyle {
  /** The indent of the line the value belongs to; lines of the value are indented by two more. */
  readonly indent?: string
  /** Inside `[...]` or `{...}`, or to be written that way. */
  readonly flow?: boolean
  readonly lineEnd?: LineEnd
}

/** Multi-line texts become a literal block, but only if `indent` is given. */
export function yamlScalar(value: ScalarValue, style: YamlStyle = {}): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return yamlNumber(value)
  if (typeof value !== 'string') return String(value)
  if (isPlainYaml(value, style.flow ?? false)) return value
  if (value.includes('\n')) {
    const blockFits = style.indent !== undefined && !style.flow
    const block = blockFits ? literalBlock(value, `${style.indent}  `, style.lineEnd ?? '\n') : null
    return block ?? doubleQuoted(value)
  }
  return yamlQuoted(value)
}

function yamlQuoted(value: string): string {
  const double = doubleQuoted(value)
  const single = singleQuoted(value)
  return single === null || double.length <= single.length ? double : single
}

/** Keys with wildcards are quoted, as people write them, so that a list of patterns looks uniform. */
function yamlKey(key: string): string {
  return key.includes('*') ? yamlQuoted(key) : yamlScalar(key, { flow: true })
}

/** The text behind `key:`; a block begins with its line end, everything else needs a space first. */
export function yamlValue(value: unknown, style: YamlStyle = {}): string {
  if (!isCollection(value)) return yamlScalar(toScalar(value), style)
  const empty = Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
  if (style.flow || empty) return flowCollection(value)
  const lineEnd = style.lineEnd ?? '\n'
  const indent = `${style.indent ?? ''}  `
  return blockLines(value, { indent, lineEnd })
    .map((line) => lineEnd + indent + line)
    .join('')
}

/** `key: value`, with its lines after the first indented below `indent`; without a final line end. */
export function yamlEntry(key: string, value: unknown, style: YamlStyle = {}): string {
  const { indent = '', flow = false, lineEnd = '\n' } = style
  const name = yamlKey(key)
  const entry = joinEntry(name, yamlValue(value, { indent, flow, lineEnd }))
  // A key of this length must be marked explicitly.
  return name.length > LONGEST_KEY ? `? ${name}${lineEnd}${indent}${entry.slice(name.length)}` : entry
}

const LONGEST_KEY = 1000

/** A key and the result of `yamlValue`. */
export function joinEntry(key: string, rendered: string): string {
  return /^\r?\n/.test(rendered) || rendered === '' ? `${key}:${rendered}` : `${key}: ${rendered}`
}

/** The items of a block collection; further lines of an item already have their full indent. */
function blockLines(value: object, style: Required<Omit<YamlStyle, 'flow'>>): string[] {
  if (!Array.isArray(value)) return Object.entries(value).map(([key, one]) => yamlEntry(key, one, style))
  return value.map((item) => {
    const rendered = yamlValue(item, style)
    // A collection in a list starts on the dash's own line.
    return /^\r?\n/.test(rendered) ? `- ${rendered.trimStart()}` : `- ${rendered}`
  })
}

function flowCollection(value: object): string {
  const flow = { flow: true }
  if (Array.isArray(value)) return `[${value.map((item) => yamlValue(item, flow)).join(', ')}]`
  const entries = Object.entries(value).map(([key, one]) => joinEntry(yamlKey(key), yamlValue(one, flow)))
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

function isCollection(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function toScalar(value: unknown): ScalarValue {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol' ? null : (value as ScalarValue)
}

function yamlNumber(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  if (!Number.isFinite(value)) return value > 0 ? '.inf' : '-.inf'
  return Object.is(value, -0) ? '-0' : String(value)
}
