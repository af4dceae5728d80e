/** Found agents as the rows that lists and JSON documents are made of. */
import { writtenAccess } from '../model/access.ts'
import { summarizeAccess } from '../model/capabilities.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import type { FoundAgent, Inventory } from '../project/inventory.ts'
import type { AgentRow } from '../report/agent-row.ts'
import { indexLines } from '../text/lines.ts'

export function agentRow(found: FoundAgent, diagnostics: readonly Diagnostic[] = ownDiagnostics(found)): AgentRow {
  const { agent } = found
  const mode = agent.fields.mode?.value ?? found.file.candidate.harness.fields.mode?.default ?? null
  const { general, exceptions } = summarizeAccess(writtenAccess(agent.access, mode === 'primary' ? 'main' : 'child'))
  return {
    name: agent.name,
    harness: agent.harness,
    path: found.path,
    scope: found.scope,
    description: agent.fields.description?.value ?? agent.fields.role?.value ?? null,
    model: agent.fields.model?.value ?? null,
    mode,
    tools: agent.tools,
    access: general,
    exceptions,
    alsoReadBy: found.alsoReadBy,
    shadowedBy: found.shadowedBy,
    recovered: agent.recovered,
    diagnostics,
  }
}

/** In a file of several agents, only what stands inside this one's own definition. */
function ownDiagnostics({ file, map }: FoundAgent): readonly Diagnostic[] {
  if (file.read.agents.length < 2) return file.diagnostics
  const lines = indexLines(file.source.text)
  const first = lines.positionAt(map?.range.start ?? 0).line
  const last = lines.positionAt(map?.range.end ?? 0).line
  return file.diagnostics.filter(({ line }) => line >= first && line <= last)
}

/** What belongs to no agent: about files that hold none, or about the part of a file around its agents. */
export function homelessDiagnostics(inventory: Inventory): readonly Diagnostic[] {
  const housed = new Set(inventory.agents.flatMap((found) => ownDiagnostics(found)))
  return [
    ...inventory.diagnostics,
    ...inventory.files.flatMap((file) => file.diagnostics).filter((one) => !housed.has(one)),
  ]
}
