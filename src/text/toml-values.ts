/** Values as TOML can hold them, and the paths that lead to them. */
import type { Json } from '../model/agent.ts'
import { isTable } from './values.ts'

/** Numbers lead into arrays of tables. */
export type Path = readonly (string | number)[]

export function namesIn(path: Path): string[] {
  return path.filter((step) => typeof step === 'string')
}

/** As TOML can hold it, so that what is written compares equal to what was wanted. */
export function clean(value: Json): Json {
  if (typeof value === 'string') return withoutLoneSurrogates(value)
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(clean)
  if (!isTable(value)) return value
  const entries = Object.entries(value).filter(([, one]) => one !== null && one !== undefined)
  return Object.fromEntries(entries.map(([key, one]) => [withoutLoneSurrogates(key), clean(one)]))
}

export function withoutLoneSurrogates(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}

/** Integers beyond the safe ones become the number a caller would have. */
export function plain(data: unknown): unknown {
  if (typeof data === 'bigint') return Number(data)
  if (Array.isArray(data)) return data.map(plain)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, one]) => [key, plain(one)]))
}
