/** The plugins of a repository, as its manifests name them, and the agents in each. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { foldersUp, realInside, realPathOrNull } from '../disk/roots.ts'
import { findByGlob, type ShowPath } from '../disk/walk.ts'
import { getEntry, getNode, isMap } from '../formats/data.ts'
import { dataFormat } from '../formats/data-formats.ts'
import {
  insidePath,
  isContradiction,
  type MarketplaceEntry,
  type PluginManifest,
  readMarketplace,
  readPluginManifest,
} from '../harness/recognise/manifests.ts'
import { placesIn } from '../harness/recognise/places.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness, PluginsSpec } from '../harness/schema/harness.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { readTextOrNull } from './read-text.ts'

export interface Plugin {
  readonly harness: Harness
  readonly name: string
  /** Its folder. */
  readonly root: string
  readonly agents: readonly PluginAgent[]
}

export interface PluginAgent {
  readonly path: string
  readonly carrier: Carrier
  /** Below the folder of agents, or the bare file name where a manifest names it. */
  readonly relativePath: string
}

interface FoundPlugins {
  readonly plugins: readonly Plugin[]
  readonly problems: readonly Diagnostic[]
}

const nothing: FoundPlugins = { plugins: [], problems: [] }

/** Agents of all plugins of a repository together; what exceeds it is reported. */
const MOST_AGENTS = 20_000

/** What the manifests in a folder declare: it is a plugin, or names plugins below it, or both. */
function readPlugins({ all }: Registry, folder: string, show: ShowPath): FoundPlugins {
  let found = nothing
  for (const harness of all) {
    const { plugins } = harness
    if (plugins === undefined) continue
    const some = pluginsOfHarness(harness, plugins, folder, show)
    if (some.plugins.length === 0 && some.problems.length === 0) continue
    found = { plugins: [...found.plugins, ...some.plugins], problems: [...found.problems, ...some.problems] }
  }
  return found
}

export type FindPlugins = (folder: string) => FoundPlugins

/** A marketplace with hundreds of plugins is read once, however many of their files are looked up. */
export function pluginFinder(registry: Registry, show: ShowPath): FindPlugins {
  const known = new Map<string, FoundPlugins>()
  return (folder) => {
    let found = known.get(folder)
    if (found === undefined) {
      found = readPlugins(registry, folder, show)
      known.set(folder, found)
    }
    return found
  }
}

/** The plugins that a path belongs to, by manifests in the folders above it, up to the repository root. */
export function pluginsAround(find: FindPlugins, path: string): readonly Plugin[] {
  let near: readonly Plugin[] = []
  for (const folder of repositoryFolders(path)) {
    const holding = find(folder).plugins.filter(({ root }) => path === root || path.startsWith(`${root}/`))
    // What a marketplace declares for a plugin is added to what the plugin declares itself.
    if (near.length === 0 || holding.some(({ root }) => root === near[0]?.root)) near = holding
  }
  return near
}

/** The plugins below a folder that a marketplace further up names. */
export function pluginsNamedAbove(find: FindPlugins, path: string): readonly Plugin[] {
  for (const folder of repositoryFolders(path)) {
    const below = find(folder).plugins.filter(({ root }) => root.startsWith(`${path}/`))
    if (below.length > 0) return below
  }
  return []
}

/** From a path upwards, to the repository root. */
function repositoryFolders(path: string): string[] {
  const folders = foldersUp(path)
  const root = folders.findIndex((folder) => existsSync(join(folder, '.git')))
  return root < 0 ? folders : folders.slice(0, root + 1)
}

function pluginsOfHarness(harness: Harness, plugins: PluginsSpec, folder: string, show: ShowPath): FoundPlugins {
  const marketplace = plugins.marketplaces.map((file) => join(folder, file)).find((file) => existsSync(file))
  if (marketplace === undefined) {
    if (!plugins.manifests.some((file) => existsSync(join(folder, file)))) return nothing
    return readPlugin(harness, plugins, rootReader(harness, plugins, show)(folder), null, show)
  }
  const shown = show(marketplace)
  const { entries, problems } = readMarketplace(plugins, readTextOrNull(marketplace) ?? '')
  const said = problems.map((message) => fileProblem('broken-manifest', shown, message))
  const found: Plugin[] = []
  const read = rootReader(harness, plugins, show)
  let room = MOST_AGENTS
  for (const entry of entries) {
    if (entry.folder === null) continue
    const root = entry.folder === '' ? folder : join(folder, entry.folder)
    const problem = problemWith(folder, root)
    if (problem !== null) {
      said.push(fileProblem('broken-manifest', shown, `The plugin "${entry.name}" is left out: ${problem}.`))
      continue
    }
    const { plugins: some, problems: wrong } = readPlugin(harness, plugins, read(root), entry, show)
    said.push(...wrong)
    for (const plugin of some) {
      room -= plugin.agents.length
      if (room >= 0) found.push(plugin)
    }
  }
  if (room < 0)
    said.push(fileProblem('broken-manifest', shown, `Troupe reads at most ${MOST_AGENTS} agents of a marketplace.`))
  return { plugins: found, problems: said }
}

function problemWith(folder: string, root: string): string | null {
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) return 'its folder does not exist'
  return realInside(folder, root) === null ? 'its folder is outside the repository' : null
}

/** What a folder holds, whatever a marketplace says about it. */
interface PluginFolder {
  readonly root: string
  /** The path of its manifest. */
  readonly file: string | undefined
  readonly manifest: PluginManifest | null
  /** The agents in the usual places. */
  readonly usual: readonly PluginAgent[]
  readonly problems: readonly Diagnostic[]
}

/** A marketplace may name one folder thousands of times: it is read once. */
function rootReader(harness: Harness, plugins: PluginsSpec, show: ShowPath): (root: string) => PluginFolder {
  const known = new Map<string, PluginFolder>()
  return (root) => {
    let folder = known.get(root)
    if (folder === undefined) {
      const file = plugins.manifests.map((one) => join(root, one)).find((one) => existsSync(one))
      const manifest = file === undefined ? null : readPluginManifest(plugins, readTextOrNull(file) ?? '')
      const problems: Diagnostic[] = []
      const carrier = carrierOf(harness, plugins)
      const isUsual = carrier !== undefined && manifest?.agents == null
      folder = {
        root,
        file,
        manifest,
        usual: isUsual ? usualAgents(harness, carrier, root, show, problems) : [],
        problems,
      }
      known.set(root, folder)
    }
    return folder
  }
}

/** `entry`: what a marketplace declares for it; null: only its own manifest names it. */
function readPlugin(
  harness: Harness,
  plugins: PluginsSpec,
  { root, file, manifest, usual, problems: known }: PluginFolder,
  entry: MarketplaceEntry | null,
  show: ShowPath,
): FoundPlugins {
  if (manifest === null && !plugins.unmarked) return nothing
  const shown = show(file ?? root)
  const name = manifest?.name ?? entry?.name ?? basename(root)
  const wrong = manifest?.problem ?? null
  const isAtOdds = entry !== null && isContradiction(entry, manifest)
  if (wrong !== null || isAtOdds) {
    const why = wrong ?? 'its manifest and its entry in the marketplace both name agents'
    const message = `${harness.title} does not load the plugin "${name}": ${why}.`
    // It is a plugin anyway: nothing in it belongs to anything else.
    return {
      plugins: [{ harness, name, root, agents: [] }],
      problems: [fileProblem('broken-manifest', shown, message)],
    }
  }
  const carrier = carrierOf(harness, plugins)
  if (carrier === undefined) return nothing
  const problems = [...known]
  const named = [...(manifest?.agents ?? []), ...(entry?.agents ?? [])]
  const agents = new Map(usual.map((agent) => [agent.path, agent]))
  for (const word of named) {
    const inside = insidePath(word)
    const path = inside === null ? null : join(root, inside)
    const say = (why: string) => problems.push(fileProblem('broken-manifest', shown, `"${word}" is left out: ${why}.`))
    if (path === null) say('it is outside the plugin')
    else if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) say('the file does not exist')
    else if (realInside(root, path) === null) say('it is outside the plugin')
    else if (!agents.has(path)) agents.set(path, { path, carrier, relativePath: basename(path) })
  }
  return { plugins: [{ harness, name, root, agents: [...agents.values()] }], problems }
}

function carrierOf({ carriers }: Harness, plugins: PluginsSpec): Carrier | undefined {
  return carriers.find(({ id }) => id === plugins.carrier)
}

function usualAgents(
  harness: Harness,
  carrier: Carrier,
  root: string,
  show: ShowPath,
  problems: Diagnostic[],
): PluginAgent[] {
  return placesIn(harness, carrier, 'project').flatMap(({ pattern, base, ignore }) => {
    const folder = base === '' ? root : join(root, base)
    if (!existsSync(folder)) return []
    const walk = findByGlob(root, pattern, show)
    problems.push(...walk.problems)
    return walk.files.flatMap((path) => {
      if (ignore.some((one) => one.test(path.slice(folder.length + 1)))) return []
      if (realPathOrNull(path) !== path && realInside(root, path) === null) {
        problems.push(
          fileProblem('broken-manifest', show(path), 'This file is left out: it links to a file outside the plugin.'),
        )
        return []
      }
      return [{ path, carrier, relativePath: path.slice(folder.length + 1) }]
    })
  })
}

/** A settings file that declares agents in files of their own represents those agents. */
interface DeclaredFile {
  readonly path: string
  readonly harness: Harness
  readonly carrier: Carrier
  readonly relativePath: string
}

/** Empty where the file declares none. */
export function declaredFiles({ all }: Registry, path: string): DeclaredFile[] {
  return all.flatMap((harness) =>
    harness.carriers.flatMap((carrier): DeclaredFile[] => {
      const { declared } = carrier
      if (declared === undefined || basename(path) !== declared.file) return []
      const root = getNode(dataFormat(declared.format).parse(readTextOrNull(path) ?? '').root, [declared.at])
      if (!isMap(root)) return []
      return root.entries.flatMap(({ value }) => {
        const named = getEntry(value, declared.by)?.value
        const inside = named?.kind === 'scalar' ? insidePath(String(named.value)) : null
        if (inside === null || !inside.startsWith(declared.folder)) return []
        const file = join(dirname(path), inside)
        const relativePath = inside.slice(declared.folder.length)
        return existsSync(file) ? [{ path: file, harness, carrier, relativePath }] : []
      })
    }),
  )
}
