/** The JSON Schema of `troupe.yaml`, for editors. */
import type { Harness } from '../../src/harness/schema/harness.ts'
import { BUDGET } from '../../src/hud/sections/size.ts'
import { commonGapResolutions } from '../../src/model/conversion.ts'
import { type TroupeKey, troupeKeys } from '../../src/project/troupe-keys.ts'
import { workSettings } from './work-settings-schema.ts'

type Schema = { readonly [keyword: string]: unknown }

const oneOrMore = (item: Schema) => ({ anyOf: [item, { type: 'array', items: item }] })
const path = { type: 'string', minLength: 1 }
const tokens = { type: 'integer', minimum: 1 }

export function troupeSchema(harnesses: readonly Harness[]): Schema {
  const ids = harnesses.map(({ id }) => id)
  const kinds = harnesses.flatMap(({ id, carriers }) =>
    carriers.filter(({ project }) => project?.write !== undefined).map((carrier) => `${id}:${carrier.id}`),
  )
  const byTarget = (values: Schema) => ({
    type: 'object',
    propertyNames: { anyOf: [{ enum: ids }, { type: 'string' }] },
    additionalProperties: values,
  })
  const target = {
    type: 'object',
    properties: {
      id: { anyOf: [{ enum: [...ids, ...kinds] }, path] },
      out: { description: 'The folder to write into instead of the project; ~ for all projects of the user.', ...path },
      names: {
        description: 'The names of agents of plugins there. Default: their own names, as long as these differ.',
        examples: ['{plugin}-{name}'],
        ...path,
      },
    },
    required: ['id'],
    additionalProperties: false,
  }
  const keys: Record<TroupeKey, Schema> = {
    source: {
      description:
        'Where agents are written: a folder, a file or a pattern, or a list of them, relative to the root of the project.',
      ...oneOrMore(path),
    },
    exclude: {
      description: 'Files to exclude from the sources: patterns, folders, or names.',
      ...oneOrMore(path),
    },
    universalDir: {
      description: 'A folder of the project that no harness owns; agents are in the folder `agentsPath` in it.',
      anyOf: [
        { type: 'boolean' },
        path,
        {
          type: 'object',
          properties: {
            path: { ...path, default: '.agents' },
            agentsPath: { ...path, default: 'agents' },
          },
          additionalProperties: false,
        },
      ],
    },
    targets: {
      description: 'The harnesses that `troupe build` keeps up to date: ID, or ID:KIND for another kind of its files.',
      ...oneOrMore({ anyOf: [{ enum: [...ids, ...kinds] }, path, target] }),
    },
    models: {
      description: 'Your own model names, by target: a name in the source, and what to write for it.',
      ...byTarget({ type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    },
    accept: {
      description: 'What agents may gain in a target, each with a reason, which every report repeats.',
      ...byTarget({ type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    },
    ignoreKeys: {
      description:
        'Keys that seem to restrict an agent, that no harness explains, and that are ignored, each with a reason.',
      anyOf: [
        ...oneOrMore(path).anyOf,
        { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      ],
    },
    answers: {
      description:
        'The file for your answers about gaps: `troupe build` asks and writes them there, and everyone builds the same.',
      ...path,
    },
    onGap: {
      description: 'What is done about a gap without an answer; `ask` leaves a note if there is no terminal.',
      enum: ['ask', ...commonGapResolutions],
    },
    keepAsking: {
      description: 'Whether outputs ask before actions that the source leaves to the mode of its harness.',
      type: 'boolean',
    },
    hud: {
      description: 'The status sections that agents see in their prompts.',
      type: 'object',
      properties: {
        budget: { description: 'Tokens for all sections together.', ...tokens, default: BUDGET },
        window: { description: 'The context window in tokens, if the harness does not report it.', ...tokens },
      },
      additionalProperties: false,
    },
    work: workSettings,
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'troupe.yaml',
    type: 'object',
    properties: Object.fromEntries(troupeKeys.map((key) => [key, keys[key]])),
    additionalProperties: false,
  }
}
