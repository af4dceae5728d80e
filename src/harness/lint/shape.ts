/** What the schema says about a harness file, in words for people: of several forms, what is wrong with the nearest. */
import * as v from 'valibot'
import { nearestWord } from '../../formats/text.ts'
import type { Path } from './places.ts'

/** Something wrong at a path of the data: with the key, or with its value. */
export interface Complaint {
  readonly path: Path
  readonly at: 'key' | 'value'
  readonly message: string
  /** The key that is not there, and the one that should not be. */
  readonly missing?: string
  readonly unknown?: string
}

type Schema = v.GenericSchema & {
  readonly options?: readonly Schema[]
  readonly wrapped?: Schema
  readonly pipe?: readonly unknown[]
  readonly getter?: (input: unknown) => Schema
  readonly entries?: Readonly<Record<string, Schema>>
  readonly value?: Schema
  readonly item?: Schema
}

type Issue = v.BaseIssue<unknown>

export function shapeComplaints(schema: v.GenericSchema, data: unknown, path: Path = []): Complaint[] {
  const result = v.safeParse(schema, data)
  return result.success ? [] : mistyped(result.issues.flatMap((issue) => complain(schema as Schema, issue, path)))
}

/** A key that is missing and an unknown one beside it are probably one mistake. */
function mistyped(all: readonly Complaint[]): Complaint[] {
  const missing = all.filter((one) => one.missing !== undefined)
  const settled = new Set<Complaint>()
  const complaints = all.map((one) => {
    if (one.unknown === undefined) return one
    const beside = missing.filter((other) => isSame(other.path, one.path.slice(0, -1)) && !settled.has(other))
    const strangers = all.filter(
      (other) => other.unknown !== undefined && isSame(other.path.slice(0, -1), one.path.slice(0, -1)),
    )
    const near = nearestWord(
      one.unknown,
      beside.map((other) => other.missing ?? ''),
    )
    const meant =
      beside.length === 1 && strangers.length === 1 ? beside[0] : beside.find((other) => other.missing === near)
    if (meant === undefined) return one
    settled.add(meant)
    return { ...one, message: `"${one.unknown}" is not a key of this part. Did you mean ${meant.missing}?` }
  })
  return complaints.filter((one) => !settled.has(one))
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((step, at) => step === other[at])
}

function complain(schema: Schema, issue: Issue, base: Path): Complaint[] {
  const steps = issue.path ?? []
  const inner = steps.map(({ key }) => key as string | number)
  const path = [...base, ...inner]
  const isAboutKey = steps.at(-1)?.origin === 'key'
  if (issue.type === 'union' && !isAboutKey) return nearestForm(schema, inner, issue.input, path)
  const key = String(path.at(-1) ?? '')
  if (issue.type === 'strict_object' && isAboutKey) {
    const parents = schemasAt(schema, inner.slice(0, -1))
    const known = parents.flatMap(({ entries }) => Object.keys(entries ?? {}))
    if (issue.input === undefined && known.includes(key))
      return [{ path: path.slice(0, -1), at: 'key', message: `"${key}" is missing`, missing: key }]
    return [{ path, at: 'key', message: `"${key}" is not a key of this part. ${didYouMean(key, known)}`, unknown: key }]
  }
  return [{ path, at: isAboutKey ? 'key' : 'value', message: wordsFor(issue) }]
}

/** Of the forms that a value can have, the one of its kind that knows most of its keys, and then complains least. */
function nearestForm(schema: Schema, inner: Path, value: unknown, path: Path): Complaint[] {
  const forms = schemasAt(schema, inner).flatMap(formsOf)
  const fitting = forms.filter((form) => kindOf(form) === kindOfValue(value))
  if (fitting.length === 0) {
    const kinds = [...new Set(forms.map(kindOf))].map((kind) => kindWords[kind] ?? kind)
    return [{ path, at: 'value', message: `should be ${kinds.join(' or ')}, not ${kindWords[kindOfValue(value)]}` }]
  }
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const tried = fitting.map((form) => ({
    known: keys.filter((key) => Object.hasOwn(form.entries ?? {}, key)).length,
    complaints: shapeComplaints(form, value, path),
  }))
  const [best] = tried.sort((a, b) => b.known - a.known || a.complaints.length - b.complaints.length)
  return best?.complaints ?? []
}

/** Inside of wrappers; a union is all of its forms. */
function formsOf(schema: Schema): Schema[] {
  const bare = unwrap(schema)
  return bare.type === 'union' ? (bare.options ?? []).flatMap(formsOf) : [bare]
}

function unwrap(schema: Schema): Schema {
  const [first] = schema.pipe ?? []
  if (first !== undefined && first !== schema && schema.wrapped === undefined && schema.type !== 'lazy')
    return { ...(first as Schema), '~run': schema['~run'] } as Schema
  if (schema.wrapped !== undefined) return unwrap(schema.wrapped)
  return schema.type === 'lazy' && schema.getter !== undefined ? unwrap(schema.getter(undefined)) : schema
}

function schemasAt(schema: Schema, path: Path): Schema[] {
  const [step, ...rest] = path
  if (step === undefined) return [schema]
  return formsOf(schema).flatMap((form) => {
    const inside = form.entries !== undefined && Object.hasOwn(form.entries, step) ? form.entries[step] : undefined
    const next = inside ?? (form.type === 'record' ? form.value : form.item)
    return next === undefined ? [] : schemasAt(next, rest)
  })
}

/** A part that every file has, if only by default. */
export function hasEntry(schema: v.GenericSchema, [step, ...rest]: Path): boolean {
  if (step === undefined) return true
  const inside = formsOf(schema as Schema).flatMap(({ entries }) => {
    const entry = entries !== undefined && Object.hasOwn(entries, step) ? entries[step] : undefined
    return entry === undefined ? [] : [entry]
  })
  return inside.some((entry) => hasEntry(entry, rest))
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  picklist: 'text',
  array: 'list',
  strict_object: 'map',
  record: 'map',
  any: 'any',
}

function kindOf({ type, ...rest }: Schema): string {
  if (type === 'literal') return kindOfValue((rest as { literal?: unknown }).literal)
  return kinds[type] ?? type
}

function kindOfValue(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'list'
  const type = typeof value
  return type === 'object' ? 'map' : type === 'string' ? 'text' : type
}

const kindWords: Readonly<Record<string, string>> = {
  text: 'text',
  list: 'a list',
  map: 'a map',
  number: 'a number',
  boolean: 'true or false',
  null: 'nothing',
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  strict_object: 'a map',
  record: 'a map',
  number: 'a number',
  boolean: 'true or false',
}

function wordsFor(issue: Issue): string {
  const { type, expected, input } = issue
  if (type === 'picklist' || type === 'literal') {
    const known = [...(expected ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) => word)
    if (typeof input !== 'string') return `should be one of ${known.join(', ')}, not ${kindWords[kindOfValue(input)]}`
    const list = known.length <= 8 ? `It can be ${known.join(', ')}.` : `There are ${known.length} words for it.`
    return `"${input}" has no meaning here. ${didYouMean(input, known) || list}`
  }
  if (type === 'min_length') return 'must not be empty'
  if (type === 'min_entries') return 'needs at least one entry'
  if (type === 'iso_date') return `"${String(input)}" is not a date such as 2026-01-31`
  if (type === 'regex') return `"${String(input)}" is not in lower-case letters, digits and dashes, with a letter first`
  if (type === 'check') return `"${String(input)}" ${issue.message}`
  const wanted = typeWords[type]
  return wanted === undefined ? issue.message : `should be ${wanted}, not ${kindWords[kindOfValue(input)]}`
}

/** A question, or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = nearestWord(word, known)
  return near === null ? '' : `Did you mean ${near}?`
}
