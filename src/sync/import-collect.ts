/** Collects the agents to import: reads every definition at a path, and reports files that are not agents. */

import { dirname, join } from 'node:path'
import { createSource, type Source } from '../convert/agent/source.ts'
import { projectFolders, showPath } from '../disk/roots.ts'
import { locateFindings } from '../formats/lines.ts'
import { readAgents } from '../harness/read/agents.ts'
import { classifyAgentFile } from '../harness/recognise/recognise.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { discoverPlaces } from '../project/discover.ts'
import { projectAgents } from '../project/effective/effective.ts'
import { readHashedFile } from '../project/read-text.ts'
import { projectReferences } from '../project/references.ts'
import { survey } from '../project/survey.ts'
import { type Candidate, type OtherFile, otherFileText } from '../workbench/file.ts'
import { isSwitchedOff, isUndeclared } from '../workbench/inventory.ts'
import { type LockFile, lockKeyOf, sourceOfOutputs } from '../workbench/lock-file.ts'
import { type AgentDefinition, createMerging, groupMerged, owningDefinition } from '../workbench/merge.ts'
import { nameInHarness } from '../workbench/naming.ts'
import { declaredTwice, switchedOffNote, unclearAccess, whyNotConvertible } from '../workbench/refusal.ts'

export interface CollectRequest {
  readonly registry: Registry
  readonly here: string
  /** A project, a folder of loose files, or a file. */
  readonly from: string
  /** Read everything as this dialect; null: as what it is. */
  readonly harness: Harness | null
  /** The root of the project. */
  readonly project: string
  /** The file being written, which is therefore not a source. */
  readonly out: string | null
  /** What Troupe wrote. */
  readonly owned: LockFile
}

export interface CollectedAgent {
  readonly source: Source
  readonly candidate: Candidate
  /** The name its harness uses. */
  readonly called: string
  /** Its path on disk, and its content. */
  readonly path: string
  readonly hash: string
  readonly diagnostics: readonly Diagnostic[]
  /** Why it is not imported. */
  readonly refusal: Diagnostic | null
}

export interface Collection {
  /** By name, and by path where names are equal. */
  readonly agents: readonly CollectedAgent[]
  /** Those that belong to no agent that was found. */
  readonly diagnostics: readonly Diagnostic[]
  /** Sentences about named files that are not agents. */
  readonly notAgents: readonly string[]
}

export function collectAgents(request: CollectRequest): Collection {
  const show = showPath(request.here)
  const { candidates, otherFiles, problems } = discover(request)
  const diagnostics = [...problems]
  const prompts = new Set(candidates.flatMap(promptBeside))
  const others = otherFiles.filter(({ path }) => !prompts.has(path))
  for (const one of others) if (one.path.endsWith('.md')) diagnostics.push(leftOut(show(one.path), one))
  const read = sourcesAmong(request, candidates).flatMap((candidate) => {
    const found = readFile(request, candidate, show(candidate.path))
    if ('problem' in found) diagnostics.push(found.problem)
    return 'problem' in found ? [] : found.agents
  })
  const merged = mergedAgents(request, read)
  const agents = withoutDeclared(request, merged, diagnostics)
  const isOff = ({ source }: CollectedAgent) => isSwitchedOff(source.agent)
  diagnostics.push(...agents.filter(isOff).map(({ source, called }) => switchedOffNote(source.path, called)))
  const notAgents = others.filter(({ path }) => path === request.from).map((one) => otherFileText(show(one.path), one))
  return { agents: agents.filter((one) => !isOff(one)).sort(byName), diagnostics, notAgents }
}

/** A file at a place of the project has the dialect of that place; any other is recognised by its content. */
function discover({ registry, harness, here, from }: CollectRequest) {
  const search = { registry, show: showPath(here), ...(harness === null ? {} : { harness }) }
  const places = projectFolders(here).flatMap((folder) => discoverPlaces(search, 'project', folder).candidates)
  const placed = new Map(places.map((candidate) => [candidate.path, candidate]))
  const found = survey({ registry, here, paths: [from], harness: harness ?? undefined })
  // What its own harness leaves out is left out here too.
  const isUnknown = ({ recognised }: OtherFile) => recognised.leftOutBy === null
  const ofPlace = (candidate: Candidate) =>
    candidate.plugin === undefined ? (placed.get(candidate.path) ?? candidate) : candidate
  return {
    problems: found.diagnostics,
    candidates: [
      ...found.candidates.map(ofPlace),
      ...found.otherFiles.filter(isUnknown).flatMap(({ path }) => placed.get(path) ?? []),
    ],
    otherFiles: found.otherFiles.filter((one) => !isUnknown(one) || !placed.has(one.path)),
  }
}

/** A part of the definition, and nothing on its own. */
function promptBeside({ carrier, path }: Candidate): string[] {
  const { in: where, file } = carrier.prompt
  return where === 'beside' && file !== undefined ? [join(dirname(path), file)] : []
}

/** Outputs of earlier runs are not sources, unless there is nothing else. */
function sourcesAmong({ out, owned, project }: CollectRequest, all: readonly Candidate[]): readonly Candidate[] {
  const below = showPath(project)
  const outputOf = sourceOfOutputs(owned, [])
  const others = all.filter(({ path }) => path !== out)
  const originals = others.filter(({ path }) => outputOf(below(path)) === null)
  return originals.length > 0 ? originals : others
}

function readFile(
  { registry, project, owned }: CollectRequest,
  candidate: Candidate,
  shown: string,
): { readonly agents: CollectedAgent[] } | { readonly problem: Diagnostic } {
  const { harness, carrier, path, relativePath } = candidate
  const read = readHashedFile(path, shown)
  if ('problem' in read) return read
  const { text, encoding, findings } = read.file
  const verdict = classifyAgentFile(registry, candidate, path, text)
  if (verdict === 'document') return { problem: withoutFrontMatter(shown) }
  const surroundings = projectReferences(path, project)
  const { document, agents, ...said } = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const diagnostics = locateFindings([...findings, ...said.findings], shown, text)
  const outputOf = sourceOfOutputs(owned, [])
  const isOutput = (name: string) =>
    carrier.agents !== undefined && outputOf(lockKeyOf(showPath(project)(path), carrier, name)) !== null
  const beyond = agents.some(({ isBeyondLimit }) => isBeyondLimit)
    ? diagnostics.find(({ code }) => code === 'long-definition' || code === 'too-many-rules')
    : undefined
  if (beyond !== undefined) return { problem: beyond }
  return {
    agents: agents
      .filter(({ agent }) => !isOutput(agent.name))
      .map((agent) => {
        const called = nameInHarness(candidate, agent.agent.name)
        const refusal =
          whyNotConvertible(shown, called, agent.agent, verdict === 'unclear', undefined) ?? unclearAccess(shown, agent)
        const source = createSource({ registry, harness, carrier, path: shown, text, encoding, document }, agent)
        return { source, candidate, called, path, hash: read.hash, diagnostics, refusal }
      }),
  }
}

/** Definitions in several files are one agent where its harness merges them. */
function mergedAgents({ registry, here }: CollectRequest, all: readonly CollectedAgent[]): CollectedAgent[] {
  const merging = createMerging(registry, projectAgents(registry, here))
  const definition = ({ source, candidate }: CollectedAgent): AgentDefinition => ({ ...source, file: { candidate } })
  const keyed = all.map((one) => ({ one, candidate: one.candidate, name: one.called }))
  return groupMerged(keyed).map((group) => {
    const owner = owningDefinition(group, ({ candidate }) => candidate)?.one
    if (owner === undefined || group.length < 2) return (owner ?? group[0]?.one) as CollectedAgent
    const read = merging.merge(
      group.map(({ one }) => definition(one)),
      definition(owner),
    )
    return { ...owner, source: { ...owner.source, agent: read.agent } }
  })
}

/** A declaration by name wins over a file that was only found. */
function withoutDeclared(
  { registry }: CollectRequest,
  all: readonly CollectedAgent[],
  diagnostics: Diagnostic[],
): CollectedAgent[] {
  const declared = new Map(
    all.flatMap(({ candidate, called, source }) =>
      candidate.carrier.declares ? [[called, source.path] as const] : [],
    ),
  )
  return all.filter(({ candidate, called, source }) => {
    const by = isUndeclared(registry, candidate) ? declared.get(called) : undefined
    if (by !== undefined) diagnostics.push(declaredTwice(source.path, called, by))
    return by === undefined
  })
}

/** Of the files that are not agents, those that could be meant as one are reported. */
function leftOut(shown: string, one: OtherFile): Diagnostic {
  const { kind } = one.recognised
  if (kind === 'document') return withoutFrontMatter(shown)
  return fileProblem('left-out', shown, `Left out: ${otherFileText('it', one)}`)
}

function withoutFrontMatter(shown: string): Diagnostic {
  return fileProblem('no-front-matter', shown, 'Left out: it has no front matter.')
}

/** Of several with one name the first is imported: what a file declares by name wins over what was found. */
function byName(a: CollectedAgent, b: CollectedAgent): number {
  const declares = ({ candidate }: CollectedAgent) => Number(candidate.carrier.declares === true)
  return (
    compare(a.source.agent.name, b.source.agent.name) ||
    declares(b) - declares(a) ||
    compare(a.source.path, b.source.path)
  )
}

/** The same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
