/** Found agents as the rows that lists and JSON documents are made of. */
import { writtenAccess } from '../model/access.ts'
import { summarizeAccess } from '../model/capabilities.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import type { FoundAgent } from '../project/inventory.ts'
import type { AgentRow } from '../report/agent-row.ts'

export function agentRow(found: FoundAgent, diagnostics: readonly Diagnostic[] = found.file.diagnostics): AgentRow {
  const { agent } = found
  const { general, exceptions } = summarizeAccess(writtenAccess(agent.access))
  return {
    name: agent.name,
    harness: agent.harness,
    path: found.path,
    scope: found.scope,
    description: agent.fields.description?.value ?? agent.fields.role?.value ?? null,
    model: agent.fields.model?.value ?? null,
    mode: agent.fields.mode?.value ?? found.file.candidate.harness.fields.mode?.default ?? null,
    tools: agent.tools,
    access: general,
    exceptions,
    alsoReadBy: found.alsoReadBy,
    shadowedBy: found.shadowedBy,
    recovered: agent.recovered,
    diagnostics,
  }
}
