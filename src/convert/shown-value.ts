/** Values as reports show them. */
import type { Json } from '../model/agent.ts'
import { withoutSecrets } from './secrets.ts'

/** A value in a report: short, in one line. */
export function shown(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(withoutSecrets(value))
  // Only its beginning will be seen.
  const start = text.length > 400 ? text.slice(0, 400) : text
  const line = /[\n\t\r]| {2}|^ | $/.test(start) ? start.replace(/\s+/g, ' ').trim() : start
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
