/** Values that must not travel with a report: whatever a configuration keeps in an environment or a header. */
import type { Json } from '../model/agent.ts'
import { cut, oneLine } from './layout.ts'

const SECRET =
  /^(?:env|environment|headers|[a-z_]*_headers|oauth|auth|authorization|.*(?:token|secret|password|api[_-]?key).*)$/i
const HIDDEN = '(not shown)'

/** The value with its shape, long texts cut, and no secrets. */
export function showValue(value: Json, isSecret = false): Json {
  if (typeof value === 'string') return isSecret && !isReference(value) ? HIDDEN : cut(oneLine(value), 160)
  if (typeof value !== 'object' || value === null) return isSecret && value !== null ? HIDDEN : value
  if (Array.isArray(value)) return value.map((one: Json) => showValue(one, isSecret))
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [
    cut(oneLine(key), 80),
    showValue(inner, isSecret || SECRET.test(key)),
  ])
  return Object.fromEntries(entries)
}

/** `${TOKEN}`, `{env:TOKEN}`, `$TOKEN`: the name of a secret is none. */
function isReference(value: string): boolean {
  return /^(?:Bearer )?(?:\$\w+|\$?\{[\w:]+\})$/.test(value)
}

const TEXT = '"(?:[^"\\\\]|\\\\.)*(?:"|$)'
const FLAT = `\\{(?:[^"{}]|${TEXT})*\\}?`
/** A value of JSON, two objects deep, or what is left of one that was cut. */
const VALUE = new RegExp(`\\{(?:[^"{}]|${TEXT}|${FLAT})*\\}?|\\[(?:[^"\\]]|${TEXT})*\\]?|${TEXT}|[^,}\\]]*`, 'y')

/** The same in a text that may be the beginning of JSON. */
export function hideSecrets(text: string): string {
  let shown = ''
  let at = 0
  for (const { 0: lead, 1: key = '', index } of text.matchAll(/"([\w-]+)"\s*:\s*/g)) {
    if (index < at || !SECRET.test(key)) continue
    VALUE.lastIndex = index + lead.length
    const value = VALUE.exec(text)?.[0] ?? ''
    shown += text.slice(at, index) + lead + HIDDEN
    at = index + lead.length + value.length
  }
  return shown + text.slice(at)
}
