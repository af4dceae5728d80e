/** The one inventory: what a list of files holds, under the names that harnesses use. Pure. */

import type { ReadAgent } from '../harness/read/agents.ts'
import { alsoReadBy, matchPlace } from '../harness/recognise/places.ts'
import { notAnAgent } from '../harness/recognise/recognise.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness, HarnessScope } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import type { Component } from '../model/component.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { carrierLike } from './check.ts'
import { type Candidate, type LoadedFile, type OtherFile, readFileText } from './file.ts'
import { lockKeyOf, type SourceOfOutput } from './lock-file.ts'
import { type Merging, owningDefinition } from './merge.ts'
import { nameInHarness } from './naming.ts'

export interface FoundAgent extends ReadAgent {
  readonly file: LoadedFile
  /** The name its harness uses. */
  readonly name: string
  /** Path as shown. */
  readonly path: string
  readonly scope: HarnessScope
  readonly plugin: string | null
  readonly alsoReadBy: readonly string[]
  /** The file of the agent that hides this one. */
  readonly shadowedBy: string | null
  /** The file that it was built from, where Troupe wrote it. */
  readonly builtFrom: string | null
  /** Defined, but switched off. */
  readonly disabled: boolean
  /** Its harness loads it, but nothing in it shows that it is meant as an agent. */
  readonly unclear: boolean
  /** Other files that define it too: its harness merges them with this one. */
  readonly mergedWith: readonly string[]
  /** Other files of its name in the same folder, where it is unknown which of them its harness uses. */
  readonly twins: readonly string[]
}

export interface Inventory {
  /** Files with agents, outputs among them. */
  readonly files: readonly LoadedFile[]
  readonly agents: readonly FoundAgent[]
  /** The outputs Troupe built from them: listed, but not counted as agents of their own. */
  readonly outputs: readonly FoundAgent[]
  /** Those that belong to no agent: unreadable files and folders, and files among agents that are not agents. */
  readonly diagnostics: readonly Diagnostic[]
  /** Files that were examined and are not agents. */
  readonly otherFiles: readonly OtherFile[]
  /** Projects further down with agents of their own. */
  readonly nested: () => readonly string[]
  /** What else harnesses read here. */
  readonly components: () => ListedComponents
}

export interface ListedComponents {
  readonly components: readonly Component[]
  /** Those that Troupe wrote. */
  readonly outputs: readonly Component[]
  readonly problems: readonly Diagnostic[]
  /** The absolute paths of all their files. */
  readonly files: readonly string[]
}

export function asOtherFile({ path, harness }: Candidate): OtherFile {
  const seems = 'is a document: nothing in it marks it as an agent'
  return { path, recognised: { kind: 'document', by: 'folder', seems, leftOutBy: harness } }
}

/** A README among agents is nothing to worry about. */
export function notAnAgentHere(candidate: Candidate, shown: string): Diagnostic {
  const { recognised } = asOtherFile(candidate)
  const problem = fileProblem('not-an-agent', shown, notAnAgent('This file', recognised))
  return /(?:^|\/)readme\.\w+$/i.test(shown) ? { ...problem, severity: 'info' } : problem
}

export function foundAgentsIn(
  registry: Registry,
  files: readonly LoadedFile[],
  unclear: ReadonlySet<LoadedFile>,
  below: (path: string) => string,
  outputOf: SourceOfOutput,
  isOff: IsOff,
): FoundAgent[] {
  return files.flatMap((file) => {
    const { candidate } = file
    const place = below(candidate.path)
    const readers = alsoReadBy(registry, candidate.harness, candidate.path)
    return file.read.agents.map((read) => ({
      ...read,
      file,
      name: nameInHarness(candidate, read.agent.name),
      path: file.path,
      scope: candidate.scope,
      plugin: candidate.plugin?.name ?? null,
      alsoReadBy: readers,
      shadowedBy: null,
      builtFrom: outputOf(lockKeyOf(place, candidate.carrier, read.agent.name)),
      disabled: isOff(candidate, read.agent),
      unclear: unclear.has(file),
      mergedWith: [],
      twins: [],
    }))
  })
}

/** One agent from several definitions; a single definition stays as it is. */
export function mergeFound(merging: Merging, all: readonly FoundAgent[]): FoundAgent {
  const owner = owningDefinition(all, ({ file }) => file.candidate)
  if (owner === undefined) throw new Error('there is nothing to merge')
  if (all.length === 1) return owner
  const read = merging.merge(all, owner)
  const twins = new Set(merging.twinsAmong(all, owner).map(({ path }) => path))
  const others = new Set(all.filter((found) => found !== owner).map(({ path }) => path))
  const mergedWith = [...others].filter((path) => !twins.has(path))
  return { ...owner, ...read, disabled: owner.disabled || isSwitchedOff(read.agent), mergedWith, twins: [...twins] }
}

/** Which of several agents of one name counts: by declarations, by scopes, and by distance. */
export function withShadowing(registry: Registry, agents: readonly FoundAgent[]): FoundAgent[] {
  const winners = new Map<string, FoundAgent>()
  const declared = new Map<string, FoundAgent>()
  const keyOf = ({ agent, name }: FoundAgent) => `${agent.harness}\n${name}`
  for (const one of agents) {
    const rival = winners.get(keyOf(one))
    if (rival === undefined || rank(one) < rank(rival) || isNearer(one, rival)) winners.set(keyOf(one), one)
    if (one.file.candidate.carrier.declares === true && !declared.has(one.name)) declared.set(one.name, one)
  }
  return agents.map((one) => {
    const winner = winners.get(keyOf(one))
    const hides = one.file.candidate.harness.layers.merge === 'shadow'
    if (winner !== undefined && winner !== one && hides) return { ...one, shadowedBy: winner.path }
    const by = isUndeclared(registry, one.file.candidate) ? declared.get(one.name) : undefined
    return by === undefined ? one : { ...one, shadowedBy: by.path }
  })
}

/** A file that no program reads where it is: a declaration of the same name wins over it. */
export function isUndeclared(registry: Registry, { harness, carrier, path }: Candidate): boolean {
  if (carrier.declares === true) return false
  return harness.oracle === undefined || matchPlace(registry, path)?.harness !== harness
}

/** Position of the agent's scope in its harness's order: the lowest wins. */
function rank({ file, scope }: FoundAgent): number {
  const position = file.candidate.harness.layers.order.indexOf(scope)
  return position < 0 ? Number.POSITIVE_INFINITY : position
}

/** Whether one is in a folder of the project further down, in a harness where that counts. */
function isNearer(one: FoundAgent, other: FoundAgent): boolean {
  const { harness, carrier, path, relativePath } = one.file.candidate
  const rival = other.file.candidate
  const isSameKind = one.scope === other.scope && carrier.id === rival.carrier.id
  const folder = path.length - relativePath.length
  return isSameKind && harness.layers.above === 'nearest-wins' && folder > rival.path.length - rival.relativePath.length
}

/** Those of plugins are left out: a harness has them only where the plugin is installed. */
export function agentsReadBy(registry: Registry, harness: Harness, inventory: Inventory): FoundAgent[] {
  const agents = [...inventory.agents, ...inventory.outputs].filter(({ plugin }) => plugin === null)
  const isOwn = ({ file, shadowedBy }: FoundAgent) => file.candidate.harness.id === harness.id && shadowedBy === null
  // Of a source and its output, the harness reads the output.
  const built = new Set(inventory.outputs.filter(isOwn).map(({ agent }) => agent.name))
  const isRead = (found: FoundAgent) => inventory.outputs.includes(found) || !built.has(found.agent.name)
  const own = agents.filter((found) => isOwn(found) && isRead(found))
  const names = new Set(own.map(({ agent }) => agent.name))
  const others = agents
    .filter((found) => found.alsoReadBy.includes(harness.id))
    .flatMap((found) => readAs(registry, harness, found))
    .filter(({ agent }) => !names.has(agent.name))
  return [...own, ...others]
}

/** Agents of plugins that the harness would have if the plugins were installed. */
export function pluginAgentsOf({ id }: Harness, { agents }: Inventory): FoundAgent[] {
  return agents.filter(
    ({ plugin, file, disabled, shadowedBy }) =>
      plugin !== null && file.candidate.harness.id === id && !disabled && shadowedBy === null,
  )
}

/** The same file as another harness reads it. */
function readAs(registry: Registry, harness: Harness, found: FoundAgent): FoundAgent[] {
  const carrier = carrierLike(harness, found.file.candidate.carrier)
  if (carrier === null) return []
  const { source, surroundings, candidate } = found.file
  const file = readFileText(registry, { ...candidate, harness, carrier }, found.path, source, surroundings)
  return file.read.agents.map((read) => ({ ...found, ...read, file }))
}

export type IsOff = (candidate: Candidate, agent: Agent) => boolean

export function isSwitchedOff({ fields }: Agent): boolean {
  return fields.disabled?.value === true
}
