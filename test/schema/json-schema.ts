/** Holds a value against a published JSON Schema, more strictly than its readers should: no key may be undocumented. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Schema = { readonly [keyword: string]: unknown }

interface Place {
  /** The file that the schema stands in, for references. */
  readonly file: string
  /** Where in the value we are, for people. */
  readonly at: string
}

/** Each as a sentence that begins with its place. */
export function violations(file: string, value: unknown): string[] {
  return check(load(file), value, { file, at: '' })
}

const loaded = new Map<string, Schema>()

function load(file: string): Schema {
  let schema = loaded.get(file)
  if (schema === undefined) {
    schema = JSON.parse(readFileSync(file, 'utf8')) as Schema
    loaded.set(file, schema)
  }
  return schema
}

type Keyword = (argument: never, value: unknown, place: Place, schema: Schema) => string[]

/** Every keyword that our schemas use. One that is not here is an error, so that nothing passes unseen. */
const keywords: Readonly<Record<string, Keyword>> = {
  $schema: () => [],
  $defs: () => [],
  title: () => [],
  description: () => [],
  default: () => [],
  $ref: (ref: string, value, { file, at }) => {
    const [path = '', pointer = ''] = ref.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    const steps = pointer.split('/').slice(1)
    const schema = steps.reduce((here, step) => here[step] as Schema, load(target))
    return check(schema, value, { file: target, at })
  },
  type: (type: string, value, { at }) => (isOfType(type, value) ? [] : [`${at}: not of type ${type}`]),
  const: (wanted: unknown, value, { at }) => (value === wanted ? [] : [`${at}: not ${wanted}`]),
  enum: (wanted: readonly unknown[], value, { at }) =>
    wanted.includes(value) ? [] : [`${at}: ${value} is not listed`],
  minimum: (least: number, value, { at }) => ((value as number) >= least ? [] : [`${at}: below ${least}`]),
  maximum: (most: number, value, { at }) => ((value as number) <= most ? [] : [`${at}: above ${most}`]),
  minLength: (least: number, value, { at }) => ((value as string).length >= least ? [] : [`${at}: too short`]),
  minItems: (least: number, value, { at }) => ((value as unknown[]).length >= least ? [] : [`${at}: too few`]),
  pattern: (pattern: string, value, { at }) =>
    new RegExp(pattern, 'u').test(String(value)) ? [] : [`${at}: ${pattern}`],
  format: (format: string, value, { at }) =>
    format === 'date' && /^\d{4}-\d\d-\d\d$/.test(String(value)) ? [] : [`${at}: no ${format}`],
  anyOf: (some: readonly Schema[], value, place) => {
    const each = some.map((one) => check(one, value, place))
    return each.some((found) => found.length === 0) ? [] : each.reduce((a, b) => (b.length < a.length ? b : a))
  },
  items: (schema: Schema, value, { file, at }) =>
    (value as unknown[]).flatMap((item, index) => check(schema, item, { file, at: `${at}/${index}` })),
  required: (keys: readonly string[], value, { at }) =>
    keys.filter((key) => !Object.hasOwn(value as object, key)).map((key) => `${at}: ${key} is missing`),
  properties: (known: Readonly<Record<string, Schema>>, value, { file, at }, { additionalProperties }) =>
    Object.entries(value as object).flatMap(([key, one]) => {
      const schema = Object.hasOwn(known, key) ? known[key] : undefined
      if (schema !== undefined) return check(schema, one, { file, at: `${at}/${key}` })
      return typeof additionalProperties === 'object' ? [] : [`${at}: ${key} is not documented`]
    }),
  additionalProperties: (schema: Schema | boolean, value, { file, at }, { properties = {} }) =>
    typeof schema === 'boolean'
      ? []
      : Object.entries(value as object)
          .filter(([key]) => !Object.hasOwn(properties as object, key))
          .flatMap(([key, one]) => check(schema, one, { file, at: `${at}/${key}` })),
  propertyNames: (schema: Schema, value, { file, at }) =>
    Object.keys(value as object).flatMap((key) => check(schema, key, { file, at: `${at}/${key}` })),
}

function check(schema: Schema, value: unknown, place: Place): string[] {
  // What is of another type has no items, keys or length to look at.
  if (typeof schema.type === 'string' && !isOfType(schema.type, value))
    return [`${place.at}: not of type ${schema.type}`]
  return Object.entries(schema).flatMap(([name, argument]) => {
    const keyword = keywords[name]
    if (keyword === undefined) throw new Error(`${place.file} uses ${name}, which the tests do not understand`)
    return keyword(argument as never, value, place, schema)
  })
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
