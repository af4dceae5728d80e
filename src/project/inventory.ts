/** The agents of a project or a path, read, with what is wrong with them and who else reads them. */
import { resolve } from 'node:path'
import { alsoReadBy } from '../harness/places.ts'
import { type ReadAgent, type ReadResult, readAgents } from '../harness/read.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness, Scope } from '../harness/schema/harness.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { locate } from '../text/locate.ts'
import { type Candidate, type Discovery, discoverPath, discoverPlaces, type Search } from './discover.ts'
import { readTextFile, surroundingsOf, type TextFile } from './files.ts'
import { projectFolders, showPath } from './roots.ts'

export interface FoundAgent extends ReadAgent {
  readonly file: LoadedFile
  /** Path as shown. */
  readonly path: string
  readonly scope: Scope
  readonly alsoReadBy: readonly string[]
  /** The file of the agent that hides this one. */
  readonly shadowedBy: string | null
}

/** A file that was read, whole, with the agents in it. */
export interface LoadedFile {
  readonly candidate: Candidate
  readonly path: string
  readonly source: TextFile
  readonly read: ReadResult
  readonly diagnostics: readonly Diagnostic[]
}

export interface Inventory {
  readonly files: readonly LoadedFile[]
  readonly agents: readonly FoundAgent[]
  /** What belongs to no agent: unreadable files and folders. */
  readonly diagnostics: readonly Diagnostic[]
  readonly passedOver: readonly string[]
}

export interface InventoryOptions {
  readonly registry: Registry
  /** The folder that paths are relative to. */
  readonly here: string
  /** Paths by hand; none: the project around `here`. */
  readonly paths?: readonly string[]
  readonly harness?: Harness
  /** What Markdown at a path by hand is taken for where nothing tells its dialect. */
  readonly otherwise?: Harness
  readonly scope?: 'project' | 'user' | 'all'
}

export function takeInventory(options: InventoryOptions): Inventory {
  const show = showPath(options.here)
  const search: Search = {
    registry: options.registry,
    show,
    ...(options.harness ? { harness: options.harness } : {}),
    ...(options.otherwise ? { otherwise: options.otherwise } : {}),
  }
  const discoveries = discover(options, search)
  const diagnostics = discoveries.flatMap((one) => one.diagnostics)
  const files: LoadedFile[] = []
  const seen = new Set<string>()
  for (const candidate of discoveries.flatMap((one) => one.candidates)) {
    if (seen.has(candidate.path)) continue
    seen.add(candidate.path)
    const loaded = loadFile(options.registry, candidate, show(candidate.path))
    if ('problem' in loaded) diagnostics.push(loaded.problem)
    else files.push(loaded)
  }
  const passedOver = discoveries.flatMap((one) => one.passedOver.map(show))
  return { files, agents: layered(options.registry, files), diagnostics, passedOver }
}

function discover(options: InventoryOptions, search: Search): Discovery[] {
  const paths = options.paths ?? []
  if (paths.length > 0) return paths.map((path) => discoverPath(search, resolve(options.here, path)))
  const discoveries: Discovery[] = []
  const scope = options.scope ?? 'project'
  if (scope !== 'user') {
    for (const folder of projectFolders(options.here)) discoveries.push(discoverPlaces(search, 'project', folder))
  }
  if (scope !== 'project') {
    discoveries.push(discoverPlaces(search, 'user', options.here), discoverPlaces(search, 'managed', options.here))
  }
  return discoveries
}

export function loadFile(
  registry: Registry,
  candidate: Candidate,
  path: string,
): LoadedFile | { readonly problem: Diagnostic } {
  const result = readTextFile(candidate.path, path)
  return 'problem' in result ? result : fileOf(registry, candidate, path, result.file)
}

/** As if the file held this. */
export function fileOf(registry: Registry, candidate: Candidate, path: string, source: TextFile): LoadedFile {
  const { harness, carrier, relativePath } = candidate
  const { text, findings } = source
  const surroundings = surroundingsOf(candidate.path)
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const diagnostics = locate([...findings, ...read.findings], path, text)
  return { candidate, path, source, read, diagnostics }
}

function layered(registry: Registry, files: readonly LoadedFile[]): FoundAgent[] {
  const agents = files.flatMap((file) =>
    file.read.agents.map((read) => ({
      ...read,
      file,
      path: file.path,
      scope: file.candidate.scope,
      alsoReadBy: alsoReadBy(registry, file.candidate.harness, file.candidate.path),
      shadowedBy: null,
    })),
  )
  const winners = new Map<string, FoundAgent>()
  const keyOf = ({ agent }: FoundAgent) => `${agent.harness}\n${agent.name}`
  for (const one of agents) {
    const rival = winners.get(keyOf(one))
    if (rival === undefined || rank(one) < rank(rival) || isNearer(one, rival)) winners.set(keyOf(one), one)
  }
  return agents.map((one) => {
    const winner = winners.get(keyOf(one))
    const hides = one.file.candidate.harness.layers.merge === 'shadow'
    return winner !== undefined && winner !== one && hides ? { ...one, shadowedBy: winner.path } : one
  })
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
