/** Found agents as rows for lists and JSON documents. */

import type { MapNode } from '../formats/data.ts'
import { indexLines, type LineIndex, lastAtOrBefore } from '../formats/lines.ts'
import { enforcedAccess } from '../harness/write/target-access.ts'
import type { Access } from '../model/access/rules.ts'
import { summarizeAccess } from '../model/access/summary.ts'
import type { Component } from '../model/component.ts'
import type { Diagnostic } from '../model/findings.ts'
import type { AgentRow } from '../report/agents.ts'
import { countComponents } from '../report/components.ts'
import { joinList, plural } from '../report/layout.ts'
import type { LoadedFile } from '../workbench/file.ts'
import type { FoundAgent, Inventory } from '../workbench/inventory.ts'

/** `access` is what is in force. */
export function agentRow(
  found: FoundAgent,
  access: Access,
  diagnostics: readonly Diagnostic[] = diagnosticsOf(found),
): AgentRow {
  const { agent } = found
  const mode = agent.fields.mode?.value ?? found.file.candidate.harness.fields.mode?.default ?? null
  const { general, exceptions } = summarizeAccess(
    enforcedAccess(found.file.candidate.harness, access, mode === 'primary' ? 'main' : 'child'),
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

/** In a file of several agents, only those within this agent's definition. */
function diagnosticsOf({ file, map }: FoundAgent): readonly Diagnostic[] {
  if (file.read.agents.length < 2) return file.diagnostics
  if (file.diagnostics.length === 0) return []
  let owned = assignedDiagnostics.get(file)
  if (owned === undefined) {
    owned = assignDiagnostics(file)
    assignedDiagnostics.set(file, owned)
  }
  return (map === null ? undefined : owned.get(map)) ?? []
}

const assignedDiagnostics = new WeakMap<LoadedFile, ReadonlyMap<MapNode, readonly Diagnostic[]>>()

/** By definition: those on its lines; on shared lines, those in it or before it. */
function assignDiagnostics({ source, read, diagnostics }: LoadedFile): Map<MapNode, Diagnostic[]> {
  const lines = indexLines(source.text)
  const maps = read.agents.flatMap(({ map }) => (map === null ? [] : [map]))
  maps.sort((a, b) => a.range.start - b.range.start)
  const ends = maps.map(({ range }) => range.end)
  const owned = new Map<MapNode, Diagnostic[]>()
  for (const one of diagnostics) {
    const place = lines.startOf(one.line) + one.column - 1
    // The first that ends after it, or the last one before.
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

/** Those that belong to no agent: about files without agents, or the part of a file around its agents. */
export function diagnosticsWithoutAgent(inventory: Inventory): readonly Diagnostic[] {
  const known = [...inventory.agents, ...inventory.outputs]
  const housed = new Set(known.flatMap((found) => diagnosticsOf(found)))
  return [
    ...inventory.diagnostics,
    ...inventory.files.flatMap((file) => file.diagnostics).filter((one) => !housed.has(one)),
  ]
}

/** Without what only Troupe needs to know. */
export function componentRow({ kind, name, harness, plugin, path, files, readBy, diagnostics }: Component): Component {
  return { kind, name, harness, plugin, path, files, readBy, diagnostics }
}

/** An output of Troupe, as lists name it. */
interface OutputRow {
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

/** Other files that are not agents of this project. */
export function otherFilesText({ outputs, otherFiles, nested, components }: Inventory): string[] {
  const found = components()
  const listed = new Set(found.files)
  const built = new Map<string, number>()
  for (const { agent } of outputs) built.set(agent.harness, (built.get(agent.harness) ?? 0) + 1)
  const others = new Map<string, number>()
  for (const { path, recognised } of otherFiles)
    if (!listed.has(path)) others.set(recognised.kind, (others.get(recognised.kind) ?? 0) + 1)
  const below = nested()
  const shown = below.slice(0, 3).join(', ') + (below.length > 3 ? ' ...' : '')
  return [
    ...(outputs.length === 0 ? [] : [`Outputs: ${[...built].map(([id, count]) => `${count} for ${id}`).join(', ')}.`]),
    ...(found.outputs.length === 0 ? [] : [`Outputs besides agents: ${joinList(countComponents(found.outputs))}.`]),
    ...(others.size === 0
      ? []
      : [`Not agents: ${[...others].map(([kind, count]) => plural(count, kindWords[kind] ?? kind)).join(', ')}.`]),
    ...(below.length === 0
      ? []
      : [`${plural(below.length, 'more project')} below: ${shown} (\`troupe list ${below[0]}\`).`]),
  ]
}

const kindWords: Readonly<Record<string, string>> = {
  skill: 'skill file',
  command: 'slash command',
  hook: 'hook file',
  server: 'MCP file',
  instructions: 'instruction file',
  settings: 'settings file',
  'other-harness': 'file of an unsupported harness',
  unknown: 'other file',
}
