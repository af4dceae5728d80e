/** Finds the files that hold agents: in the folders that harness files name, in plugins, in loose folders, and by path. */
import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expandPlace, foldersUp, isInside } from '../disk/roots.ts'
import { findByExtension, findByGlob, type ShowPath } from '../disk/walk.ts'
import { pluginComponent } from '../harness/recognise/components.ts'
import { agentExtensions } from '../harness/recognise/dialect.ts'
import { carrierPlaces, matchPlace } from '../harness/recognise/places.ts'
import { type Declared, kindByFolder, type Recognised, recognise } from '../harness/recognise/recognise.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness, HarnessScope } from '../harness/schema/harness.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import type { Candidate, OtherFile } from '../workbench/file.ts'
import {
  declaredFiles,
  type FindPlugins,
  type Plugin,
  type PluginAgent,
  pluginFinder,
  pluginsAround,
  pluginsNamedAbove,
} from './manifests.ts'
import { readHead, readTextFile, readTextOrNull } from './read-text.ts'

export interface Discovery {
  readonly candidates: readonly Candidate[]
  readonly diagnostics: readonly Diagnostic[]
  readonly otherFiles: readonly OtherFile[]
}

export interface Search {
  readonly registry: Registry
  readonly show: ShowPath
  /** Look only for this harness, or force it. */
  readonly harness?: Harness
  /** The dialect of a file that is already known, so that it need not be read to find out. */
  readonly recall?: (path: string) => Pick<Candidate, 'harness' | 'carrier'> | null
  /** How Markdown with a name or a description is treated where its dialect is unclear; absent: as no agent. */
  readonly otherwise?: Harness
  /** Files of a source that are excluded. */
  readonly isLeftOut?: (path: string) => boolean
  /** The variables that name places outside the project, where they are not those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The contents of manifests, read once for the whole search. */
  readonly plugins?: FindPlugins
}

export function openSearch(search: Search): Search {
  return { ...search, plugins: pluginFinder(search.registry, search.show) }
}

function pluginsOf({ plugins, registry, show }: Search): FindPlugins {
  return plugins ?? pluginFinder(registry, show)
}

/** The agents of a scope, by the places that harness files name. */
export function discoverPlaces(search: Search, scope: HarnessScope, root: string): Discovery {
  const candidates: Candidate[] = []
  const diagnostics: Diagnostic[] = []
  const taken = new Set<string>()
  for (const { harness, carrier, pattern, base, ignore } of carrierPlaces(search.registry, scope)) {
    if (search.harness !== undefined && harness.id !== search.harness.id) continue
    const outside = scope === 'project' ? null : expandPlace(pattern, search.environment)
    const folder = outside === null ? join(root, base) : expandPlace(base, search.environment)
    if (!existsSync(folder)) continue
    const walk =
      outside === null ? findByGlob(root, pattern, search.show) : findByGlob('/', outside.slice(1), search.show)
    diagnostics.push(...walk.problems)
    for (const path of walk.files) {
      const relativePath = path.slice(folder.length + 1)
      if (taken.has(path) || ignore.some((passed) => passed.test(relativePath))) continue
      taken.add(path)
      candidates.push({ path, harness, carrier, relativePath, scope })
    }
  }
  return { candidates, diagnostics, otherFiles: [] }
}

/** A project: what its manifests name, and what is in the places of harnesses. */
export function discoverProject(search: Search, root: string, around: readonly Plugin[] = []): Discovery {
  const { plugins, problems } = pluginsOf(search)(root)
  const known = new Set(around.map((plugin) => plugin.root))
  const all = [...around, ...plugins.filter((plugin) => !known.has(plugin.root))]
  const members = all
    .filter(({ harness }) => search.harness === undefined || harness.id === search.harness.id)
    .flatMap(({ agents, ...plugin }) => agents.filter(({ path }) => isInside(root, path)).map(membersOf(plugin)))
  const places = discoverPlaces(search, 'project', root)
  // A plugin defines what is in it; only harnesses with a folder of their own add to that.
  const isInPlugin = belowAnyOf(all.map((plugin) => plugin.root))
  const isFree = ({ path, carrier }: Candidate) =>
    matchPlace(search.registry, path)?.carrier === carrier || !isInPlugin(path)
  const free = places.candidates.filter(isFree)
  return { candidates: [...members, ...free], diagnostics: [...problems, ...places.diagnostics], otherFiles: [] }
}

function membersOf({ harness, name, root }: Omit<Plugin, 'agents'>): (agent: PluginAgent) => Candidate {
  const plugin = { name, root }
  return ({ path, carrier, relativePath }) => ({ path, harness, carrier, relativePath, scope: 'project', plugin })
}

/** A path given by hand: a project, a plugin or a part of one, a folder of loose files, or a file. */
export function discoverPath(search: Search, path: string): Discovery {
  if (!statSync(path).isDirectory()) return discoverFile(search, path)
  const around = pluginsAround(pluginsOf(search), path)
  const project = discoverProject(search, path, around)
  if (project.candidates.length > 0 && !project.candidates.some(isOfAnother(search))) return project
  const loose = discoverLoose(search, path, around)
  return { ...loose, diagnostics: [...project.diagnostics, ...loose.diagnostics] }
}

/** A harness's own folder looks like a project with a folder of agents, but its files are still that harness's. */
function isOfAnother({ registry, harness }: Search): (candidate: Candidate) => boolean {
  return ({ path, carrier, plugin }) => {
    const place = harness === undefined && plugin === undefined ? matchPlace(registry, path) : null
    return place !== null && place.carrier !== carrier
  }
}

/** A folder that belongs to no harness: plugins anywhere in it, and files that identify themselves. */
function discoverLoose(search: Search, folder: string, around: readonly Plugin[]): Discovery {
  const walk = findByExtension(folder, agentExtensions, search.show)
  const files =
    search.isLeftOut === undefined ? walk.files : walk.files.filter((path) => search.isLeftOut?.(path) === false)
  const plugins = [...around, ...pluginsAmong(search, folder, walk.folders)]
  const skills = walk.files.filter((path) => path.endsWith('/SKILL.md')).map(dirname)
  const isPartOfSkill = belowAnyOf(skills.filter((one) => one !== folder))
  const found: OpenDiscovery = { candidates: [], diagnostics: [...walk.problems], otherFiles: [] }
  const inPlugins = agentsOf(plugins)
  const declaredBy = declaredKindFinder(plugins)
  const roots = belowAnyOf(plugins.map(({ root }) => root))
  for (const path of files) {
    const members = inPlugins.get(path)
    if (members !== undefined) {
      found.candidates.push(
        ...members.filter(({ harness }) => search.harness === undefined || harness === search.harness),
      )
      continue
    }
    const kind = isPartOfSkill(path) ? 'skill' : kindByFolder(path.slice(folder.length + 1))
    const declared = declaredBy(path) ?? (kind === null || kind === 'document' ? null : { kind })
    const isDocument = kind === 'document' || (declared === null && roots(path))
    classifyFile(search, path, matchPlace(search.registry, path) === null ? declared : null, isDocument, found)
  }
  return found
}

type OpenDiscovery = { candidates: Candidate[]; diagnostics: Diagnostic[]; otherFiles: OtherFile[] }

function classifyFile(
  search: Search,
  path: string,
  declared: Declared | null,
  isDocument: boolean,
  found: OpenDiscovery,
): void {
  const recognised =
    isDocument && matchPlace(search.registry, path) === null
      ? ({ kind: 'document', by: 'folder', seems: 'belongs to the files around it', leftOutBy: null } as const)
      : recogniseFile(search, path, declared)
  const problem = recognised.kind === 'agent' ? null : problemWith(search, path, recognised)
  if (recognised.kind === 'agent') found.candidates.push(candidateOf(path, recognised))
  else if (problem !== null) found.diagnostics.push(problem)
  else found.otherFiles.push({ path, recognised })
}

/** Plugins below a folder, recognised by their manifests. */
function pluginsAmong(search: Search, folder: string, folders: readonly string[]): Plugin[] {
  const find = pluginsOf(search)
  const isManifest = manifestPlaces(search.registry)
  const holders = folders.filter((one) => one !== folder && isManifest.some((file) => existsSync(join(one, file))))
  const named = [...find(folder).plugins, ...pluginsNamedAbove(find, folder)]
  const known = new Set(named.map(({ root }) => root))
  const others = holders.flatMap((holder) => find(holder).plugins.filter(({ root }) => !known.has(root)))
  const found = new Map([...named, ...others].map((one) => [`${one.harness.id}\n${one.root}\n${one.name}`, one]))
  return [...found.values()]
}

function manifestPlaces({ all }: Registry): string[] {
  return all.flatMap(({ plugins }) => [...(plugins?.marketplaces ?? []), ...(plugins?.manifests ?? [])])
}

function agentsOf(plugins: readonly Plugin[]): ReadonlyMap<string, readonly Candidate[]> {
  const found = new Map<string, Candidate[]>()
  for (const { agents, ...plugin } of plugins)
    for (const agent of agents) {
      const member = membersOf(plugin)(agent)
      found.set(agent.path, [...(found.get(agent.path) ?? []), member])
    }
  return found
}

/** Whether a path is below one of many folders, without comparing it with each. */
function belowAnyOf(folders: readonly string[]): (path: string) => boolean {
  const known = new Set(folders)
  if (known.size === 0) return () => false
  return (path) => foldersUp(dirname(path)).some((folder) => known.has(folder))
}

/** How a plugin declares a file that is none of its agents: the nearest plugin first. */
function declaredKindFinder(plugins: readonly Plugin[]): (path: string) => Declared | null {
  const byRoot = new Map<string, Harness[]>()
  for (const { root, harness } of plugins) byRoot.set(root, [...(byRoot.get(root) ?? []), harness])
  if (byRoot.size === 0) return () => null
  return (path) => {
    for (const folder of foldersUp(dirname(path))) {
      for (const harness of byRoot.get(folder) ?? []) {
        const kind = pluginComponent(harness, path.slice(folder.length + 1))
        if (kind !== null) return { kind }
      }
    }
    return null
  }
}

/** The user named this very file, so it gets an answer. */
function discoverFile(search: Search, path: string): Discovery {
  const { registry, harness } = search
  const found: OpenDiscovery = { candidates: [], diagnostics: [], otherFiles: [] }
  const declares = declaredFiles(registry, path)
  if (declares.length > 0)
    return { ...found, candidates: declares.map((one) => ({ ...one, scope: 'project' as const })) }
  const plugins = pluginsAround(pluginsOf(search), path)
  const members = agentsOf(plugins)
    .get(path)
    ?.filter((one) => harness === undefined || one.harness.id === harness.id)
  if (members !== undefined && members.length > 0) return { ...found, candidates: members }
  classifyFile(search, path, harness === undefined ? declaredKindFinder(plugins)(path) : null, false, found)
  return found
}

/** What cannot be read may be an agent: a dangling link, a file that is too large. Null: it can be read. */
function problemWith({ show }: Search, path: string, { kind }: OtherFile['recognised']): Diagnostic | null {
  if (kind !== 'unknown' || readHead(path) !== null) return null
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(path)) {
    const problem = fileProblem(
      'unreadable-file',
      show(path),
      `The target of this link does not exist: ${readlinkSync(path)}.`,
    )
    return { ...problem, hint: 'Fix the link or remove it.' }
  }
  const read = readTextFile(path, show(path))
  return 'problem' in read ? read.problem : null
}

function recogniseFile(search: Search, path: string, declared: Declared | null): Recognised {
  const { registry, harness, otherwise, recall } = search
  const known = declared === null ? (recall?.(path) ?? null) : null
  if (known !== null) {
    const parts = path.split('/').slice(known.carrier.name.path === 'folder' ? -2 : -1)
    const place = matchPlace(registry, path)
    const relativePath = place?.carrier === known.carrier ? place.relativePath : parts.join('/')
    return { kind: 'agent', by: 'content', ...known, relativePath, isUnclear: false }
  }
  return recognise({ registry, path, text: () => readTextOrNull(path), declared, harness, otherwise })
}

function candidateOf(
  path: string,
  { harness, carrier, relativePath }: Extract<Recognised, { kind: 'agent' }>,
): Candidate {
  return { path, harness, carrier, relativePath, scope: 'project' }
}
