/** The one inventory: every agent of a project or of paths, under the name that its harness calls it by, read in full. */
import { join } from 'node:path'
import { alsoReadBy, placeOf } from '../harness/places.ts'
import type { ReadAgent } from '../harness/read.ts'
import { judge, notAnAgent } from '../harness/recognise.ts'
import type { Registry } from '../harness/registry.ts'
import type { Scope } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { calledName } from './called.ts'
import type { Candidate, PassedOver } from './discover.ts'
import { fileProblem } from './files.ts'
import { type LoadedFile, loadFile } from './load-file.ts'
import { readLock } from './lock.ts'
import { groupMerged, type Merging, openMerging, ownerOf } from './merged.ts'
import { type OutputOf, outputsIn, placeInLock } from './outputs.ts'
import { showPath } from './roots.ts'
import { openSettings } from './settings-said.ts'
import { type SurveyOptions, survey } from './survey.ts'

export interface FoundAgent extends ReadAgent {
  readonly file: LoadedFile
  /** What its harness calls it. */
  readonly name: string
  /** Path as shown. */
  readonly path: string
  readonly scope: Scope
  readonly plugin: string | null
  readonly alsoReadBy: readonly string[]
  /** The file of the agent that hides this one. */
  readonly shadowedBy: string | null
  /** The file that it was made of, where Troupe wrote it. */
  readonly builtFrom: string | null
  /** Defined, and switched off. */
  readonly disabled: boolean
  /** Its harness loads it, but nothing in it says that it is meant as an agent. */
  readonly unclear: boolean
  /** Other files that define it too: its harness merges them with this one. */
  readonly mergedWith: readonly string[]
  /** Other files of its name in the same folder, where nobody can say which of them its harness takes. */
  readonly twins: readonly string[]
}

export interface Inventory {
  /** Files with agents, outputs among them. */
  readonly files: readonly LoadedFile[]
  readonly agents: readonly FoundAgent[]
  /** What Troupe made of them: known, and counted for themselves nowhere. */
  readonly outputs: readonly FoundAgent[]
  /** What belongs to no agent: unreadable files and folders, and files among agents that are none. */
  readonly diagnostics: readonly Diagnostic[]
  /** Files that were looked at and are no agents. */
  readonly passedOver: readonly PassedOver[]
  /** Projects further down with agents of their own. */
  readonly nested: () => readonly string[]
}

export type InventoryOptions = Omit<SurveyOptions, 'recall'>

export function takeInventory(options: InventoryOptions): Inventory {
  const { registry, here } = options
  const show = showPath(here)
  const { root, candidates, diagnostics, passedOver, sources, nested } = survey(options)
  const problems = [...diagnostics]
  const files: LoadedFile[] = []
  const unclear = new Set<LoadedFile>()
  const passed = [...passedOver]
  for (const candidate of candidates) {
    const loaded = loadFile(registry, candidate, show(candidate.path))
    if ('problem' in loaded) {
      problems.push(loaded.problem)
      continue
    }
    const verdict = judge(registry, candidate, candidate.path, loaded.source.text)
    if (verdict === 'document') {
      passed.push(leftOut(candidate))
      problems.push(notAnAgentHere(candidate, loaded.path))
    } else files.push(loaded)
    if (verdict === 'unclear') unclear.add(loaded)
  }
  const isAsked = (options.paths ?? []).length > 0 || options.harness !== undefined
  const outputOf = outputsIn(readLock(root).lock, sources)
  const sourceOf = (place: string) => {
    const source = outputOf(place)
    return source === null ? null : show(join(root, source))
  }
  const { offBy } = openSettings(registry, here, show)
  const isOff: IsOff = (candidate, agent) => isSwitchedOff(agent) || offBy(candidate, agent.name) !== null
  const all = found(registry, files, unclear, showPath(root), sourceOf, isOff)
  const merging = openMerging(registry, here)
  const outputs = isAsked ? [] : all.filter(({ builtFrom }) => builtFrom !== null)
  const keyed = all
    .filter((one) => isAsked || one.builtFrom === null)
    .map((one) => ({ one, candidate: one.file.candidate, name: one.name }))
  const agents = groupMerged(keyed).map((group) =>
    asMerged(
      merging,
      group.map(({ one }) => one),
    ),
  )
  return { files, agents: layered(registry, agents), outputs, diagnostics: problems, passedOver: passed, nested }
}

export function leftOut({ path, harness }: Candidate): PassedOver {
  const seems = 'is a document: nothing in it says that it is an agent'
  return { path, recognised: { kind: 'document', by: 'folder', seems, leftOutBy: harness } }
}

/** A README among agents is nothing to worry about. */
export function notAnAgentHere(candidate: Candidate, shown: string): Diagnostic {
  const { recognised } = leftOut(candidate)
  const problem = fileProblem('not-an-agent', shown, notAnAgent('This file', recognised))
  return /(?:^|\/)readme\.\w+$/i.test(shown) ? { ...problem, severity: 'info' } : problem
}

type IsOff = (candidate: Candidate, agent: Agent) => boolean

function isSwitchedOff({ fields }: Agent): boolean {
  return fields.disabled?.value === true
}

function found(
  registry: Registry,
  files: readonly LoadedFile[],
  unclear: ReadonlySet<LoadedFile>,
  below: (path: string) => string,
  outputOf: OutputOf,
  isOff: IsOff,
): FoundAgent[] {
  return files.flatMap((file) => {
    const { candidate } = file
    const place = below(candidate.path)
    const readers = alsoReadBy(registry, candidate.harness, candidate.path)
    return file.read.agents.map((read) => ({
      ...read,
      file,
      name: calledName(candidate, read.agent.name),
      path: file.path,
      scope: candidate.scope,
      plugin: candidate.plugin?.name ?? null,
      alsoReadBy: readers,
      shadowedBy: null,
      builtFrom: outputOf(placeInLock(place, candidate.carrier, read.agent.name)),
      disabled: isOff(candidate, read.agent),
      unclear: unclear.has(file),
      mergedWith: [],
      twins: [],
    }))
  })
}

/** One agent of several definitions; alone it stays what it is. */
function asMerged(merging: Merging, all: readonly FoundAgent[]): FoundAgent {
  const owner = ownerOf(all, ({ file }) => file.candidate)
  if (owner === undefined) throw new Error('there is nothing to merge')
  if (all.length === 1) return owner
  const read = merging.merge(all, owner)
  const twins = new Set(merging.twinsAmong(all, owner).map(({ path }) => path))
  const others = new Set(all.filter((found) => found !== owner).map(({ path }) => path))
  const mergedWith = [...others].filter((path) => !twins.has(path))
  return { ...owner, ...read, disabled: owner.disabled || isSwitchedOff(read.agent), mergedWith, twins: [...twins] }
}

/** Which of several agents of one name counts: by declarations, by scopes, and by how near they are. */
function layered(registry: Registry, agents: readonly FoundAgent[]): FoundAgent[] {
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
    const by = isOnlyFound(registry, one.file.candidate) ? declared.get(one.name) : undefined
    return by === undefined ? one : { ...one, shadowedBy: by.path }
  })
}

/** A file that no program reads where it lies: a declaration of the same name wins over it. */
export function isOnlyFound(registry: Registry, { harness, carrier, path }: Candidate): boolean {
  if (carrier.declares === true) return false
  return harness.oracle === undefined || placeOf(registry, path)?.harness !== harness
}

/** Position of the agent's scope in its harness's order: the lowest wins. */
function rank({ file, scope }: FoundAgent): number {
  const position = file.candidate.harness.layers.order.indexOf(scope)
  return position < 0 ? Number.POSITIVE_INFINITY : position
}

/** Whether one stands in a folder of the project further down, in a harness where that counts. */
function isNearer(one: FoundAgent, other: FoundAgent): boolean {
  const { harness, carrier, path, relativePath } = one.file.candidate
  const rival = other.file.candidate
  const isSameKind = one.scope === other.scope && carrier.id === rival.carrier.id
  const folder = path.length - relativePath.length
  return isSameKind && harness.layers.above === 'nearest-wins' && folder > rival.path.length - rival.relativePath.length
}
