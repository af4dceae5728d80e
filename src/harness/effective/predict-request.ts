/** What a request to the model will contain: tools, model, parameters. */

import { decide } from '../../model/access/decide.ts'
import { unnamedArgument, witnessOf } from '../../model/access/patterns.ts'
import { type Access, honouredAccess, type Role } from '../../model/access/rules.ts'
import type { Agent, Json } from '../../model/agent.ts'
import { coversTool } from '../../model/tools.ts'
import type { Harness } from '../schema/harness.ts'
import type { WireTool } from '../schema/oracle.ts'

/** Sorted names, as they appear in the request. Empty if the harness file does not describe its requests. */
export function predictWireTools(harness: Harness, agent: Agent, role: Role, caller?: Agent): string[] {
  const tools = Object.entries(harness.oracle?.wire.tools ?? {})
  const access = honouredAccess(agent.access, role)
  const model = predictWireModel(harness, agent, role, caller)
  const fitting = tools.filter(([, tool]) => tool.models === undefined || new RegExp(tool.models, 'u').test(model))
  const offered = new Set(
    fitting.filter(([name, tool]) => isOffered(harness, agent, name, tool, access, role)).map(([name]) => name),
  )
  return [...offered].filter((name) => fitsOthers(harness.oracle?.wire.tools[name], offered)).sort()
}

function isOffered(harness: Harness, agent: Agent, name: string, tool: WireTool, access: Access, role: Role): boolean {
  if (tool.role !== undefined && tool.role !== role) return false
  const { fields } = agent
  const when = Object.entries(tool.when ?? {})
  if (when.some(([concept, value]) => fields[concept as keyof typeof fields]?.value !== value)) return false
  if (tool.grants !== undefined) {
    const { grants } = tool
    if (tool.named === true && !grants.some((one) => isRuled(access, one))) return false
    const isUsable = harness.oracle?.wire.hides === 'last-denial' ? isShown : isUsableTool
    return grants.some((one) => isUsable(access, one))
  }
  return (tool.units ?? [name]).some((unit) => {
    const goesWith = harness.units[unit]?.goesWith
    if (goesWith !== undefined && isUnitDenied(access, goesWith)) return false
    return isUnitOffered(access, unit, tool)
  })
}

/** If access is a list of names, the names decide: an allow list admits what it names, a deny list removes it. */
function isUnitOffered(access: Access, unit: string, { named, not }: WireTool): boolean {
  const onlyNamed = named === true
  if (isUnitDenied(access, unit)) return false
  const lists = access.filter(({ otherwise }) => otherwise === 'deny')
  if (lists.length === 0) return !onlyNamed
  return lists.every(({ rules }) =>
    rules.some(
      ({ unit: named, native, tools, action }) =>
        action !== 'deny' && ((named === unit && !not.includes(native)) || (!onlyNamed && tools.includes('*'))),
    ),
  )
}

function isUnitDenied(access: Access, unit: string): boolean {
  return access.some(({ rules }) =>
    rules.some((rule) => rule.unit === unit && rule.action === 'deny' && rule.pattern === null),
  )
}

/** Hidden only if the last rule that mentions the tool denies all of it. Unreadable access has no last rule. */
function isShown(access: Access, tool: string): boolean {
  return access.every(({ rules, otherwise, resolution }) => {
    if (resolution !== 'last-match' || otherwise === 'deny') return isUsableTool(access, tool)
    const last = rules.findLast((rule) => rule.tools.some((one) => coversTool(one, tool)))
    return last === undefined || last.action !== 'deny' || (last.pattern !== null && last.pattern !== '*')
  })
}

/** Whether a rule of the definition itself mentions this tool, and not only everything. */
function isRuled(access: Access, tool: string): boolean {
  return access.some((layer) => layer.rules.some((rule) => rule.range !== null && rule.tools.includes(tool)))
}

/** A tool is offered if any call of it could succeed, with or without asking. */
export function isUsableTool(access: Access, tool: string): boolean {
  const rules = access.flatMap((layer) => layer.rules).filter((rule) => rule.tools.some((one) => coversTool(one, tool)))
  const patterns = rules.flatMap(({ pattern, syntax }) => (pattern === null ? [] : [witnessOf(syntax, pattern)]))
  return [unnamedArgument, ...patterns].some((argument) => decide(access, { tool, argument }).action !== 'deny')
}

function fitsOthers(tool: WireTool | undefined, offered: ReadonlySet<string>): boolean {
  return tool?.unless === undefined || !offered.has(tool.unless)
}

/**
 * As the request names it; an agent that names none inherits its caller's. Empty if the harness file does not describe
 * its requests.
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

interface WireParameter {
  readonly concept: 'temperature' | 'effort'
  /** Its place in the request. */
  readonly at: string
  readonly value: Json
}

/** Parameters set by the definition, or by the harness in spite of it. */
export function predictWireParameters({ oracle, fields }: Harness, agent: Agent, role: Role): WireParameter[] {
  return (['temperature', 'effort'] as const).flatMap((concept) => {
    const spec = oracle?.wire.parameters[concept]
    const said = agent.fields[concept]?.value
    if (spec === undefined || said === undefined || spec.roles?.includes(role) === false) return []
    const word = fields[concept]?.map?.[String(said)] ?? said
    return [{ concept, at: spec.at, value: spec.always ?? word }]
  })
}
