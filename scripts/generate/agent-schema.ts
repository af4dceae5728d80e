/** JSON Schemas for the front matter of each harness, so that editors can help while an agent is written. */
import type { Harness } from '../../src/harness/schema/harness.ts'

type Spec = Pick<Harness['nativeKeys'][string], 'shape' | 'values' | 'pattern' | 'min' | 'note'>

const types = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  list: 'array',
  map: 'object',
  null: 'null',
}

export function agentSchema(harness: Harness): object {
  const carrier = harness.carriers[0]
  const properties: Record<string, object> = {}
  const required: string[] = []
  const add = (key: string | undefined, spec: Spec, missing?: string) => {
    if (key === undefined || key.includes('.')) return
    properties[key] = property(spec)
    if (missing !== undefined && missing !== 'accepted') required.push(key)
  }
  if (carrier?.name.key !== undefined) {
    const { pattern } = carrier.name
    add(carrier.name.key, { shape: ['string'], ...(pattern === undefined ? {} : { pattern }) }, carrier.name.missing)
  }
  for (const field of Object.values(harness.fields)) {
    if (field === null) continue
    add(field.key, field, field.missing)
    for (const alias of field.aliases ?? []) add(alias, { ...field, note: `Older spelling of ${field.key}.` })
  }
  for (const [key, spec] of Object.entries(harness.nativeKeys)) add(key, spec, spec.missing)
  for (const layer of harness.access.layers) add(layer.key, layer)
  if (carrier?.prompt.in === 'key') add(carrier.prompt.key, { shape: ['string'] }, carrier.prompt.minLength?.otherwise)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Agent of ${harness.title}`,
    type: 'object',
    properties,
    required: [...new Set(required)],
    additionalProperties: harness.unknownKeys !== 'not-loaded',
  }
}

function property({ shape, values, pattern, min, note }: Spec): object {
  const type = shape?.map((one) => types[one])
  return {
    ...(type === undefined ? {} : { type: type.length === 1 ? type[0] : type }),
    ...(values === undefined || (shape?.length ?? 0) > 1 ? {} : { enum: values }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(min === undefined ? {} : { minimum: min }),
    ...(note === undefined ? {} : { description: note }),
  }
}
