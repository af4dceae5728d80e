/** What a change by path must come to, whatever the format that it is written in. */
import { expect } from 'vitest'
import { isJsonObject } from '../../src/formats/data.ts'
import type { Json, JsonObject } from '../../src/model/agent.ts'

/** The data with the path changed, or null where the path leads through something that has no keys. */
export function changeData(
  data: Json | undefined,
  path: readonly string[],
  value: Json | undefined,
): JsonObject | null {
  const [first, ...rest] = path
  if (data !== undefined && !isJsonObject(data)) return null
  const entries = new Map(Object.entries(data ?? {}))
  if (rest.length > 0) {
    if (value === undefined && !entries.has(first!)) return data ?? {}
    const inner = changeData(entries.get(first!), rest, value)
    if (inner === null) return null
    entries.set(first!, inner)
  } else if (value === undefined) entries.delete(first!)
  else entries.set(first!, value)
  return Object.fromEntries(entries)
}

export function expectLineEnds(after: string, before: string): void {
  if (before.includes('\r\n')) expect(after).not.toMatch(/(?<!\r)\n/)
  else expect(after).not.toContain('\r')
}
