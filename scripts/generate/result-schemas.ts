/** JSON Schemas for what the commands print with `--json`, for programs that read it. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { others, parts, results } from './results/results.ts'

/** Path below `schema/`, and schema. */
export function resultSchemas(): (readonly [path: string, schema: object])[] {
  const commands = Object.entries(results).map(([name, schema]) => {
    const command = name === 'overview' ? 'troupe' : `troupe ${name.replace('-', ' ')}`
    return [`results/${name}.json`, jsonSchema(`What \`${command} --json\` prints`, schema, parts)] as const
  })
  return [['diagnostic.json', jsonSchema('A finding of Troupe', parts.diagnostic, {})], ...commands]
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
