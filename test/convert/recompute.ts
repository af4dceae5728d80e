/** The score of a conversion, worked out again from the source and the written agent alone. */

import type { ConversionRecord } from '../../src/convert/agent/record.ts'
import type { Source } from '../../src/convert/agent/source.ts'
import { sameData } from '../../src/formats/data.ts'
import { concreteTool } from '../../src/harness/write/intent.ts'
import { decide } from '../../src/model/access/decide.ts'
import { unnamedArgument, witnessOf } from '../../src/model/access/patterns.ts'
import { writtenAccess } from '../../src/model/access/rules.ts'
import type { Agent, Concept } from '../../src/model/agent.ts'
import type { Feature, Outcome } from '../../src/model/conversion.ts'

const weights: Record<Outcome, number> = { direct: 100, workaround: 70, todo: 20, omitted: 0 }

/** Whatever the record says that cannot be right. */
export function* recomputed(source: Source, written: Agent, record: ConversionRecord): Generator<string> {
  const { features, fidelity } = record
  const sum = features.reduce((all, { outcome }) => all + weights[outcome], 0)
  const score = features.length === 0 ? 0 : Math.round(sum / features.length)
  if (score !== fidelity.score) yield `scored ${fidelity.score}, and its features give ${score}`
  if (features.length !== fidelity.total) yield 'counts other features than it lists'
  yield* missingFeatures(source, features)
  for (const feature of features) {
    if (feature.outcome === 'direct' && !isDirect(source, written, feature)) yield `${feature.feature} is not direct`
  }
}

/** Every key, every tool entry and every skill of the source must be accounted for, once. */
function* missingFeatures({ map, agent }: Source, features: readonly Feature[]): Generator<string> {
  const inArea = (area: Feature['area']) => features.filter((one) => one.area === area).map(({ feature }) => feature)
  const fields = inArea('fields')
  const keys = new Set((map?.entries ?? []).map(({ key }) => key))
  for (const { key, value } of agent.extras)
    if (!fields.includes(key) && value !== undefined) yield `${key} is not accounted for`
  for (const field of Object.values(agent.fields)) {
    const key = field?.key
    if (key !== null && key !== undefined && keys.has(key) && !fields.includes(key)) yield `${key} is not accounted for`
  }
  const tools = inArea('tools')
  for (const { rules } of agent.access) {
    for (const { native, range } of rules)
      if (range !== null && !tools.includes(native)) yield `${native} is not accounted for`
  }
  const skills = inArea('skills')
  for (const name of agent.fields.skills?.value ?? [])
    if (!skills.includes(name)) yield `skill ${name} is not accounted for`
}

function isDirect(source: Source, written: Agent, { area, feature, to }: Feature): boolean {
  const { agent } = source
  if (area === 'tools') return isToolDirect(agent, written, feature)
  if (area !== 'fields') return true
  if (feature === (source.carrier.name.key ?? 'name') && to === written.name) return agent.name === written.name
  const concept = (Object.keys(agent.fields) as Concept[]).find((one) => agent.fields[one]?.key === feature)
  if (concept === undefined) return true
  const now = written.fields[concept]?.value
  // Said by leaving it out, or the same under the target's own word.
  if (now === undefined || concept === 'model' || concept === 'color' || concept === 'mcpServers') return true
  return sameData(agent.fields[concept]?.value, now)
}

/** The calls that the entry speaks of get an answer of the same kind. */
function isToolDirect(before: Agent, after: Agent, native: string): boolean {
  const rules = before.access.flatMap((layer) =>
    layer.rules.filter((rule) => rule.native === native && rule.range !== null),
  )
  return rules.every(({ tools, pattern, syntax }) =>
    tools
      .filter((tool) => !tool.startsWith('native:'))
      .every((tool) => {
        const call = {
          tool: concreteTool(tool),
          argument: pattern === null ? unnamedArgument : witnessOf(syntax, pattern),
        }
        const isDenied = (agent: Agent) =>
          (['main', 'child'] as const).every(
            (role) => decide(writtenAccess(agent.access, role), call).action === 'deny',
          )
        return isDenied(before) || !isDenied(after)
      }),
  )
}
