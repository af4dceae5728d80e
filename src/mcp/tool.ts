/** What a team tool is, and what its arguments may be. */
import type { Places } from '../runtime/places.ts'
import type { Caller } from './caller.ts'

export interface Parameter {
  readonly type: 'string' | 'list'
  readonly about: string
  readonly required?: true
  readonly values?: readonly string[]
}

export type Given = Readonly<Record<string, string | readonly string[] | undefined>>

export interface Call {
  readonly places: Places
  readonly caller: Caller
  /** Who speaks. */
  readonly me: string
  readonly given: Given
}

export interface Tool {
  readonly about: string
  readonly parameters: Readonly<Record<string, Parameter>>
  /** Changes nothing. */
  readonly reads?: true
  readonly run: (call: Call) => Promise<string> | string
}

/** What went wrong, for the model: it may do better. */
export class Refusal extends Error {}

/** JSON Schema, as the protocol wants it. */
export function schemaOf(parameters: Tool['parameters']): {
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

/** The arguments of a call, or a refusal that says what is wrong with them. */
export function checkArguments(parameters: Tool['parameters'], data: Readonly<Record<string, unknown>>): Given {
  const unknown = Object.keys(data).find((name) => parameters[name] === undefined)
  if (unknown !== undefined)
    throw new Refusal(`There is no argument "${unknown}"; there are ${Object.keys(parameters).join(', ')}.`)
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [name, checkOne(name, parameter, data[name])]),
  )
}

function checkOne(name: string, { type, required, values }: Parameter, value: unknown): Given[string] {
  if (value === undefined || value === null || value === '') {
    if (required) throw new Refusal(`The argument "${name}" is missing.`)
    return undefined
  }
  if (type === 'list') {
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
    // Models often write a list of one as a text.
    if (typeof value === 'string') return [value]
    throw new Refusal(`The argument "${name}" must be a list of texts.`)
  }
  if (typeof value !== 'string') throw new Refusal(`The argument "${name}" must be a text.`)
  if (values !== undefined && !values.includes(value))
    throw new Refusal(`"${value}" is no ${name}; there are ${values.join(', ')}.`)
  return value
}

export function text(given: Given, name: string): string {
  const value = given[name]
  return typeof value === 'string' ? value : ''
}

export function list(given: Given, name: string): readonly string[] {
  const value = given[name]
  return Array.isArray(value) ? value : []
}
