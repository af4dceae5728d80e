/** A text of everything that carrying access over depends on: the same text means the same result. */
import type { AgentType, Harness } from '../../harness/schema/harness.ts'
import { limitingFields } from '../../harness/write/target-access.ts'
import type { Access, Layer, Role, Rule } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'
import type { Source } from '../agent/source.ts'
import type { Limited } from './limits.ts'

/** What carrying access over depends on. */
export interface CarryAccessInput {
  readonly source: Source
  readonly target: Harness
  /** Concepts that will be written, by their neutral value: some imply tools. */
  readonly fields: ReadonlyMap<string, Json>
  readonly mode: string | undefined
  /** The only role it will have there. */
  readonly role?: Role | undefined
  readonly keepAsking: boolean
  /** The fixed type it runs as, where the target has fixed types. */
  readonly type?: AgentType | null
  /** Servers it defines, which a rule of the project denies to all agents that do not name them. */
  readonly servers?: readonly string[]
  /** Capabilities that are kept whole where the target cannot limit them. */
  readonly whole?: readonly Limited[]
}

/** Definitions that differ in any of it must never be treated as the same, so every piece is delimited. */
export function accessSignature(input: CarryAccessInput): string {
  const { source, target, fields, mode, role, keepAsking, type, servers = [], whole = [] } = input
  const concepts = target.access.implies.map(({ field }) => field)
  // Server entries can define which of their tools an agent gets.
  if (target.fields.mcpServers?.filters !== undefined) concepts.push('mcpServers')
  const implied = [...concepts.map((field) => fields.get(field) ?? null), ...limitingFields(target, fields).flat()]
  const given = `${piece(source.harness.id)}${piece(mode)}${piece(role)}${keepAsking}${piece(type?.name)}${pieces(servers)}${pieces(whole)}`
  const brought = implied.every((value) => value === null) ? '' : JSON.stringify(implied)
  return `${given}${piece(brought)}${accessText(source.agent.access)}`
}

const texts = new WeakMap<Access, string>()

/** Equal for rules that differ only in their positions. */
export function accessText(access: Access): string {
  let text = texts.get(access)
  if (text === undefined) {
    text = ''
    for (const layer of access) text += layerText(layer)
    texts.set(access, text)
  }
  return text
}

/** Never, where a type has more properties than are listed: then its callers do not compile. */
type Exhaustive<T, Listed extends keyof T> = Exclude<keyof T, Listed> extends never ? T : never

function layerText(
  layer: Exhaustive<Layer, 'origin' | 'resolution' | 'rules' | 'otherwise' | 'enforced' | 'sandbox'>,
): string {
  const { origin, resolution, rules, otherwise, enforced, sandbox } = layer
  let text = `${piece(origin)}${resolution} ${otherwise} ${enforced.main} ${enforced.child} ${sandbox} ${rules.length};`
  for (const rule of rules) text += rule.range === null ? ruleNumber(rule) : ruleText(rule)
  return text
}

const numbers = new WeakMap<Rule, string>()
const known = new Map<string, string>()

/** A rule without a place in a file comes from the harness and is the same for all agents: a number will do. */
function ruleNumber(rule: Rule): string {
  let number = numbers.get(rule)
  if (number === undefined) {
    const text = ruleText(rule)
    number = known.get(text) ?? `#${known.size};`
    known.set(text, number)
    numbers.set(rule, number)
  }
  return number
}

type RuleProperty =
  | 'tools'
  | 'subject'
  | 'pattern'
  | 'syntax'
  | 'action'
  | 'role'
  | 'ignored'
  | 'native'
  | 'unit'
  | 'range'
  | 'isDefault'
  | 'isUnsaid'

/** The position does not matter, only whether there is one. */
function ruleText(rule: Exhaustive<Rule, RuleProperty>): string {
  const { tools, subject, pattern, syntax, action, role, ignored, native, unit, range, isDefault, isUnsaid } = rule
  const words = `${subject} ${syntax} ${action} ${role} ${ignored} ${range === null} ${isDefault} ${isUnsaid};`
  return `${words}${piece(pattern)}${piece(native)}${piece(unit)}${pieces(tools)}`
}

function pieces(all: readonly string[]): string {
  let text = `${all.length};`
  for (const one of all) text += piece(one)
  return text
}

function piece(text: string | null | undefined): string {
  return text === null || text === undefined ? `${text};` : `${text.length}:${text}`
}
