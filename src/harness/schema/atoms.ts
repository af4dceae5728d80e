/** The small parts that every section of a harness file is made of. */
import * as v from 'valibot'

/** What a harness does about something it does not like. */
export const consequences = [
  'refuses-to-start',
  'not-loaded',
  'not-loaded-silently',
  'loads-raw',
  'field-dropped',
  'fails-when-used',
  'fails-for-all',
  'sent-to-provider',
  'ignored',
  'accepted',
] as const

export const text = v.pipe(v.string(), v.minLength(1))
export const texts = v.array(text)
export const consequence = v.picklist(consequences)
export const pattern = v.pipe(
  text,
  v.check((value) => isRegExp(value), 'is not a regular expression'),
)
/** Any value, where a recipe holds one. */
export const json: v.GenericSchema<Json> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(json), v.record(v.string(), json)]),
)
type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export const shape = v.picklist(['string', 'number', 'integer', 'boolean', 'list', 'map', 'null'])

function isRegExp(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

/** Accepts one value where a list is meant. */
export function oneOrMore<T extends v.GenericSchema>(item: T) {
  return v.pipe(
    v.union([item, v.array(item)]),
    v.transform((value) => (Array.isArray(value) ? value : [value]) as v.InferOutput<T>[]),
  )
}

export type Consequence = (typeof consequences)[number]
