/** Found agents as the rows that lists and JSON documents are made of. */
import { heldAccess } from '../harness/target-access.ts'
import { summarizeAccess } from '../model/capabilities.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import type { FoundAgent, Inventory } from '../project/inventory.ts'
import type { LoadedFile } from '../project/load-file.ts'
import type { AgentRow } from '../report/agent-row.ts'
import { indexLines, type LineIndex, lastAtOrBefore } from '../text/lines.ts'
import type { MapNode } from '../text/tree.ts'

export function agentRow(found: FoundAgent, diagnostics: readonly Diagnostic[] = ownDiagnostics(found)): AgentRow {
  const { agent } = found
  const mode = agent.fields.mode?.value ?? found.file.candidate.harness.fields.mode?.default ?? null
  const { general, exceptions } = summarizeAccess(
    heldAccess(found.file.candidate.harness, agent.access, mode === 'primary' ? 'main' : 'child'),
  )
  return {
    name: found.name,
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
    plugin: found.plugin,
    builtFrom: found.builtFrom,
    disabled: found.disabled,
    mergedWith: found.mergedWith,
    recovered: agent.recovered,
    diagnostics,
  }
}

/** In a file of several agents, only what stands inside this one's own definition. */
function ownDiagnostics({ file, map }: FoundAgent): readonly Diagnostic[] {
  if (file.read.agents.length < 2) return file.diagnostics
  if (file.diagnostics.length === 0) return []
  let owned = shares.get(file)
  if (owned === undefined) {
    owned = shareOut(file)
    shares.set(file, owned)
  }
  return (map === null ? undefined : owned.get(map)) ?? []
}

const shares = new WeakMap<LoadedFile, ReadonlyMap<MapNode, readonly Diagnostic[]>>()

/** By definition: what stands in its lines, and of lines that several have, what stands in it or before it. */
function shareOut({ source, read, diagnostics }: LoadedFile): Map<MapNode, Diagnostic[]> {
  const lines = indexLines(source.text)
  const maps = read.agents.flatMap(({ map }) => (map === null ? [] : [map]))
  maps.sort((a, b) => a.range.start - b.range.start)
  const ends = maps.map(({ range }) => range.end)
  const owned = new Map<MapNode, Diagnostic[]>()
  for (const one of diagnostics) {
    const place = lines.startOf(one.line) + one.column - 1
    // The first that ends behind it, or the last one before.
    const after = ends.length === 0 || place >= (ends[0] ?? 0) ? lastAtOrBefore(ends, place) + 1 : 0
    const owner = [maps[after], maps[after - 1]].find((map) => map !== undefined && hasLine(lines, map, one.line))
    if (owner === undefined) continue
    const known = owned.get(owner)
    if (known === undefined) owned.set(owner, [one])
    else known.push(one)
  }
  return owned
}

function hasLine(lines: LineIndex, { range }: MapNode, line: number): boolean {
  return lines.positionAt(range.start).line <= line && line <= lines.positionAt(range.end).line
}

/** What belongs to no agent: about files that hold none, or about the part of a file around its agents. */
export function homelessDiagnostics(inventory: Inventory): readonly Diagnostic[] {
  const known = [...inventory.agents, ...inventory.outputs]
  const housed = new Set(known.flatMap((found) => ownDiagnostics(found)))
  return [
    ...inventory.diagnostics,
    ...inventory.files.flatMap((file) => file.diagnostics).filter((one) => !housed.has(one)),
  ]
}

/** What Troupe made of other agents, as lists name it. */
export interface OutputRow {
  readonly name: string
  readonly harness: string
  readonly path: string
  readonly builtFrom: string
}

export function outputRows({ outputs }: Inventory): OutputRow[] {
  return outputs.map(({ name, agent, path, builtFrom }) => ({
    name,
    harness: agent.harness,
    path,
    builtFrom: builtFrom ?? '',
  }))
}
