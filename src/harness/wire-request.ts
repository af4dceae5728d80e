/** Which model and parameters a request will name when a harness runs an agent: predicted from its definition. */
import type { Role } from '../model/access.ts'
import type { Agent, Json } from '../model/agent.ts'
import type { Harness } from './schema/harness.ts'

/**
 * As the request names it; an agent that names none has its caller's. Empty where the harness file does not say what
 * requests look like.
 */
export function predictWireModel(harness: Harness, agent: Agent, role: Role, caller?: Agent): string {
  const { oracle, models } = harness
  if (oracle === undefined) return ''
  const { model } = oracle.wire
  const own = (model.roles?.includes(role) ?? true) ? ownModel(harness, agent) : undefined
  const inherited = caller === undefined ? undefined : ownModel(harness, caller)
  const name = own ?? inherited ?? model.default
  const sent = new RegExp(model.pattern, 'u').exec(name)?.[1] ?? name
  const known = Object.keys(model.becomes).find((one) => one === (models.anyCase ? sent.toLowerCase() : sent))
  return known === undefined ? sent : (model.becomes[known] ?? sent)
}

function ownModel({ models, fields }: Harness, agent: Agent): string | undefined {
  const value = agent.fields.model?.value
  const [said] = typeof value === 'string' ? [value] : (value ?? [])
  return said === models.inherit || said === fields.model?.omit ? undefined : said
}

export interface WireParameter {
  readonly concept: 'temperature' | 'effort'
  /** Its place in the request. */
  readonly at: string
  readonly value: Json
}

/** Those that the definition sets, or that the harness sets against it. */
export function predictWireParameters({ oracle, fields }: Harness, agent: Agent, role: Role): WireParameter[] {
  return (['temperature', 'effort'] as const).flatMap((concept) => {
    const spec = oracle?.wire.parameters[concept]
    const said = agent.fields[concept]?.value
    if (spec === undefined || said === undefined || spec.roles?.includes(role) === false) return []
    const word = fields[concept]?.map?.[String(said)] ?? said
    return [{ concept, at: spec.at, value: spec.always ?? word }]
  })
}
