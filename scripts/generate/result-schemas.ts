/** JSON Schemas for what the commands print with `--json`, for programs that read it. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { commonDescriptions } from './results/descriptions.ts'
import { others, parts, results } from './results/results.ts'

/** Path below `schema/`, and schema. */
export function resultSchemas(): (readonly [path: string, schema: object])[] {
  const commands = Object.entries(results).map(([name, schema]) => {
    const command = name === 'overview' ? 'troupe' : `troupe ${name.replace('-', ' ')}`
    const title =
      name === 'error' ? 'What any command prints with `--json` if it cannot run' : `What \`${command} --json\` prints`
    const whole = jsonSchema(title, schema, parts)
    return [`results/${name}.json`, describeProperties(whole, name)] as const
  })
  const diagnostic = describeProperties(jsonSchema('A finding of Troupe', parts.diagnostic, {}), 'diagnostic')
  return [['diagnostic.json', diagnostic], ...commands]
}

type JsonSchema = { [key: string]: unknown }

/** Adds the common description to properties without one. `parent`: the property or definition that contains them. */
function describeProperties<T>(schema: T, parent: string): T {
  if (Array.isArray(schema)) return schema.map((one) => describeProperties(one, parent)) as T
  if (schema === null || typeof schema !== 'object') return schema
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === '$defs') return [key, mapValues(value as JsonSchema, (one, name) => describeProperties(one, name))]
    if (key !== 'properties') return [key, describeProperties(value, parent)]
    return [key, mapValues(value as JsonSchema, (one, name) => describe(describeProperties(one, name), parent, name))]
  })
  return Object.fromEntries(entries) as T
}

function describe(schema: unknown, parent: string, name: string): unknown {
  const property = schema as JsonSchema
  if ('description' in property || '$ref' in property) return property
  const description = commonDescriptions[`${parent}.${name}`] ?? commonDescriptions[name]
  if (description === undefined) throw new Error(`The property ${parent}.${name} has no description.`)
  return { description, ...property }
}

function mapValues(all: JsonSchema, change: (value: unknown, key: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, change(value, key)]))
}

/** Objects are left open: they may gain keys. */
function jsonSchema(title: string, of: GenericSchema, definitions: Readonly<Record<string, GenericSchema>>): object {
  const {
    $schema,
    $defs = {},
    ...schema
  } = toJsonSchema(of, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
    definitions: { ...definitions, ...others },
    overrideRef: ({ referenceId, jsonSchema: { $ref } }) => (referenceId in others ? `../${referenceId}.json` : $ref),
  })
  const used = usedDefinitions(schema, $defs)
  return { $schema, title, ...schema, ...(Object.keys(used).length === 0 ? {} : { $defs: used }) }
}

/** What the schema refers to, directly or indirectly. */
function usedDefinitions(schema: object, all: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const used: Record<string, unknown> = {}
  const follow = (one: unknown) => {
    for (const [, name = ''] of JSON.stringify(one).matchAll(/"#\/\$defs\/([^"]+)"/g)) {
      if (name in used || !(name in all)) continue
      used[name] = all[name]
      follow(all[name])
    }
  }
  follow(schema)
  return used
}
