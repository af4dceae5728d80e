/** Agents that get another name in the target are called by it wherever this one speaks of them, its own rules included. */
import type { Rule } from '../model/access.ts'
import type { Json } from '../model/agent.ts'
import type { Source } from './parse.ts'

export function renameAgents(source: Source, renamed: ReadonlyMap<string, string>): Source {
  if (renamed.size === 0) return source
  const { agent } = source
  const isNamed = ({ subject, pattern }: Rule) => subject === 'agent' && pattern !== null && renamed.has(pattern)
  const handoffs = agent.fields.handoffs
  const targets = handoffs === undefined ? undefined : renameTargets(handoffs.value, renamed)
  const isRuled = agent.access.some(({ rules }) => rules.some(isNamed))
  if (!isRuled && targets === handoffs?.value) return source
  const access = agent.access.map((layer) => ({
    ...layer,
    rules: layer.rules.map((rule) => {
      const now = rule.pattern === null || !isNamed(rule) ? undefined : renamed.get(rule.pattern)
      return now === undefined ? rule : { ...rule, pattern: now }
    }),
  }))
  const fields =
    handoffs === undefined || targets === undefined
      ? agent.fields
      : { ...agent.fields, handoffs: { ...handoffs, value: targets } }
  return { ...source, agent: { ...agent, access: isRuled ? access : agent.access, fields } }
}

/** A list of names; other forms name agents in ways of their own. */
function renameTargets(value: Json, renamed: ReadonlyMap<string, string>): Json {
  if (!Array.isArray(value) || !value.some((one) => typeof one === 'string' && renamed.has(one))) return value
  return value.map((one) => (typeof one === 'string' ? (renamed.get(one) ?? one) : one))
}
