/** Fixed agent types: where agents cannot be defined, the type that an agent runs as, chosen by its tools. */

import type { AgentType, Harness } from '../../harness/schema/harness.ts'
import { createIntent } from '../../harness/write/intent.ts'
import { chooseAgentType } from '../../harness/write/target-access.ts'
import type { Feature, Outcome } from '../../model/conversion.ts'
import { gapOutcome } from '../../model/score.ts'
import type { CarriedAccess } from '../access/carry.ts'
import { type Ledger, severityOfGap, todoComment } from '../gaps.ts'
import { lineOf, type Source } from './source.ts'

export interface MappedType {
  readonly type: AgentType
  readonly outcome: Outcome
  /** The decision, for the records. */
  readonly note: string
}

/** Null where agents define their own types. */
export function mapAgentType(source: Source, target: Harness, ledger: Ledger): MappedType | null {
  if (target.agentTypes === undefined) return null
  const { agent } = source
  const chosen = chooseAgentType(target, createIntent(agent.access))
  if (chosen === null) return null
  const { type } = chosen
  const model = agent.fields.model?.value ?? 'inherit'
  const mapped = `Agent '${agent.name}' (model: ${model}) mapped to target agent type '${type.name}' based on tool profile`
  if (chosen.isFit) return { type, outcome: 'workaround', note: mapped }
  const resolution = ledger.decide({
    type: 'agent-type-mismatch',
    feature: 'agent type',
    severity: severityOfGap('agent-type-mismatch', null),
    reason: `${target.title} has no agent type that can do more than read; '${type.name}' is the closest`,
    workaround: null,
    line: lineOf(source, agent.nameRange),
  })
  if (resolution === 'todo') {
    const can = type.tools?.join(', ') ?? 'everything'
    ledger.todos.push(todoComment(`No matching agent type on ${target.title}. '${type.name}' has only ${can}.`))
  }
  return { type, outcome: gapOutcome(resolution), note: `${mapped}, which cannot do everything the agent does` }
}

/** Tool lists where the target has no place for them: an agent gets the tools of its type, or all. */
interface FixedToolsInput {
  readonly target: Harness
  readonly carried: CarriedAccess
  readonly ledger: Ledger
  /** The key of the list, and its line. */
  readonly key: string
  readonly line: number | null
}

/** Null where nothing is lost, because the list restricted nothing. */
export function recordFixedTools({ target, carried, ledger, key, line }: FixedToolsInput): Feature | null {
  const { type } = carried
  const isHeld = carried.report.widened.length === 0
  if (type === null && isHeld) return null
  const fixed = 'Agent tool restrictions cannot be configured'
  const reason = type === null ? fixed : `${fixed}; target platform uses fixed tool sets per agent type`
  const has = type === null ? 'an agent has all tools' : toolsOf(type)
  const resolution = ledger.decide({
    type: 'field-unsupported',
    feature: key,
    // Where the agent can do more, the loss is that of a guard.
    severity: isHeld ? 'low' : 'high',
    reason: `${reason}: ${has}`,
    workaround: null,
    line,
  })
  const feature = { area: 'fields', feature: key, from: key, line, note: has } as const
  if (isHeld) return { ...feature, outcome: 'workaround', to: `agent type ${type?.name}` }
  if (resolution === 'todo') ledger.todos.push(todoComment(`${key} cannot be kept on ${target.title}: ${has}.`))
  return { ...feature, outcome: gapOutcome(resolution), to: null }
}

function toolsOf({ name, tools }: AgentType): string {
  return tools === undefined ? `'${name}' has all tools` : `'${name}' has ${tools.join(', ')}`
}
