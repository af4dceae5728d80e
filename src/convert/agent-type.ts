/** Fixed agent types: where nobody can define agents, the one that an agent is run as, chosen by its tools. */

import { outcomeOf } from '../fidelity/score.ts'
import { chooseAgentType } from '../harness/agent-types.ts'
import { createIntent } from '../harness/intent.ts'
import type { AgentType, Harness } from '../harness/schema/harness.ts'
import type { Outcome } from '../model/conversion.ts'
import { severityOfGap } from './gaps.ts'
import { type Ledger, todoComment } from './ledger.ts'
import { lineOf, type Source } from './parse.ts'

export interface MappedType {
  readonly type: AgentType
  readonly outcome: Outcome
  /** The decision, for the records. */
  readonly note: string
}

/** Null where agents have types of their own. */
export function mapToType(source: Source, target: Harness, ledger: Ledger): MappedType | null {
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
    reason: `${target.title} has no agent type for agents that do more than look; '${type.name}' is the nearest`,
    workaround: null,
    line: lineOf(source, agent.nameRange),
  })
  if (resolution === 'todo') {
    const can = type.tools?.join(', ') ?? 'everything'
    ledger.todos.push(todoComment(`No agent type for this on ${target.title}. '${type.name}' has only ${can}.`))
  }
  return { type, outcome: outcomeOf(resolution), note: `${mapped}, although it cannot do all of it` }
}
