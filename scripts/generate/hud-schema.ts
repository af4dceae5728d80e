/** The JSON Schema of a section's front matter, for editors. */
import { type Key, sectionKeys } from '../../src/hud/sections/section-keys.ts'

export function hudSchema(): object {
  const properties = Object.entries(sectionKeys as Readonly<Record<string, Key>>).map(([name, { about, schema }]) => {
    return [name, { ...schema, description: about }] as const
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Section of the HUD',
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  }
}
