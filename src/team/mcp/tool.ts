/** The interface of a team tool, how its arguments are checked, and who calls it. */

import { TOKEN_VARIABLE, verifyToken } from '../engine/inbox.ts'
import type { WorkplacePaths } from '../engine/paths.ts'

export interface ToolParameter {
  readonly type: 'string' | 'list'
  readonly about: string
  readonly required?: true
  readonly values?: readonly string[]
}

export type ToolArguments = Readonly<Record<string, string | readonly string[] | undefined>>

export interface TeamToolCall {
  readonly places: WorkplacePaths
  readonly caller: ToolCaller
  /** The caller. */
  readonly me: string
  readonly given: ToolArguments
}

export interface TeamToolSpec {
  readonly about: string
  readonly parameters: Readonly<Record<string, ToolParameter>>
  /** Changes nothing. */
  readonly reads?: true
  readonly run: (call: TeamToolCall) => Promise<string> | string
}

/** What went wrong, for the model, which may correct it. */
export class ToolRefusal extends Error {}

/** JSON Schema, as the protocol requires it. */
export function schemaOf(parameters: TeamToolSpec['parameters']): {
  type: 'object'
  properties: Record<string, object>
  required: string[]
  additionalProperties: false
} {
  const entries = Object.entries(parameters)
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, { type, about, values }]) => [
        name,
        {
          ...(type === 'list' ? { type: 'array', items: { type: 'string' } } : { type: 'string' }),
          ...(values === undefined ? {} : { enum: values }),
          description: about,
        },
      ]),
    ),
    required: entries.flatMap(([name, { required }]) => (required ? [name] : [])),
    additionalProperties: false,
  }
}

/** The arguments of a call, or a refusal with the reason. */
export function checkArguments(
  parameters: TeamToolSpec['parameters'],
  data: Readonly<Record<string, unknown>>,
): ToolArguments {
  const unknown = Object.keys(data).find((name) => parameters[name] === undefined)
  if (unknown !== undefined)
    throw new ToolRefusal(`Unknown argument "${unknown}"; the arguments are ${Object.keys(parameters).join(', ')}.`)
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, checkArgument(name, parameter, data[name])]),
  )
}

function checkArgument(name: string, { type, required, values }: ToolParameter, value: unknown): ToolArguments[string] {
  if (value === undefined || value === null || value === '') {
    if (required) throw new ToolRefusal(`The argument "${name}" is missing.`)
    return undefined
  }
  if (type === 'list') {
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
    // Models often write a list of one as a string.
    if (typeof value === 'string') return [value]
    throw new ToolRefusal(`The argument "${name}" must be a list of strings.`)
  }
  if (typeof value !== 'string') throw new ToolRefusal(`The argument "${name}" must be a string.`)
  if (values !== undefined && !values.includes(value))
    throw new ToolRefusal(`Unknown ${name} "${value}"; use one of ${values.join(', ')}.`)
  return value
}

export function textArgument(given: ToolArguments, name: string): string {
  const value = given[name]
  return typeof value === 'string' ? value : ''
}

export function listArgument(given: ToolArguments, name: string): readonly string[] {
  const value = given[name]
  return Array.isArray(value) ? value : []
}

/** The caller of a team tool: a working member, by its token, or a caller outside of a run that must identify itself. */
export interface ToolCaller {
  /** Null: unknown, so every call must name it. */
  readonly agent: string | null
  readonly run: string | null
  /** Its tools; null: all of them. */
  readonly tools: readonly string[] | null
  readonly isTrial: boolean
}

const unknownCaller: ToolCaller = { agent: null, run: null, tools: null, isTrial: false }

/** `problem`: there is a token, and it is invalid. */
export function identifyCaller(
  places: WorkplacePaths | null,
  environment: NodeJS.ProcessEnv,
): ToolCaller | { readonly problem: string } {
  const token = environment[TOKEN_VARIABLE]
  if (token === undefined || token === '') return unknownCaller
  const bearer = places === null ? null : verifyToken(places, token)
  return bearer ?? { problem: 'The token is not valid: its run is over, or it was never issued.' }
}
