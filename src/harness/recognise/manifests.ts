/** What manifests of plugins and marketplaces declare about agents; they come with repositories: none is trusted. */
import { type DataNode, getNode, isMap } from '../../formats/data.ts'
import { parseJson } from '../../formats/json/parse.ts'
import type { PluginsSpec } from '../schema/harness.ts'

export interface PluginManifest {
  /** Null: it has none. */
  readonly name: string | null
  /** Agent files instead of the usual folder; null: it names none. */
  readonly agents: readonly string[] | null
  /** Why the harness does not load the plugin; null: it does. */
  readonly problem: string | null
}

export interface MarketplaceEntry {
  readonly name: string
  /** Its folder below the marketplace's; null: it is fetched from elsewhere. */
  readonly folder: string | null
  /** Agent files in addition to the plugin's own. */
  readonly agents: readonly string[]
  /** The entry is complete, and the plugin's own manifest must not declare anything else. */
  readonly isWhole: boolean
}

export interface Marketplace {
  readonly entries: readonly MarketplaceEntry[]
  readonly problems: readonly string[]
}

/** No real list comes near these; the excess is reported and left out. */
const MOST_PLUGINS = 2000
export const MOST_PATHS = 2000

export function readPluginManifest(plugins: PluginsSpec, text: string): PluginManifest {
  const { root, findings } = parseJson(text)
  const broken = (problem: string): PluginManifest => ({ name: null, agents: null, problem })
  if (findings.length > 0 || root === null || !isMap(root)) return broken('its manifest is not valid JSON')
  const name = textAt(root, 'name')
  if (name === null) return broken('its manifest has no name')
  if (plugins.name !== undefined && !new RegExp(plugins.name, 'u').test(name))
    return { name, agents: null, problem: `"${name}" is not a valid plugin name` }
  const node = plugins.agents === undefined ? undefined : getNode(root, [plugins.agents])
  if (node === undefined) return { name, agents: null, problem: null }
  const agents = pathsIn(node)
  if (agents === null)
    return { name, agents: null, problem: `\`${plugins.agents}\` is neither a path nor a list of paths` }
  const odd = agents.find((path) => !isAgentPath(plugins, path))
  if (odd !== undefined) return { name, agents: null, problem: `"${odd}" is not a path to an agent` }
  return { name, agents: agents.slice(0, MOST_PATHS), problem: null }
}

export function readMarketplace(plugins: PluginsSpec, text: string): Marketplace {
  const { root, findings } = parseJson(text)
  const list = findings.length > 0 || !isMap(root) ? undefined : getNode(root, ['plugins'])
  if (list?.kind !== 'list') return { entries: [], problems: ['This is not a list of plugins.'] }
  const below = plugins.pluginRoot === undefined ? null : textOf(getNode(root, plugins.pluginRoot.split('.')))
  const problems: string[] = []
  const entries = list.items.slice(0, MOST_PLUGINS).flatMap((item): MarketplaceEntry[] => {
    const name = textAt(item, 'name')
    if (name === null) return []
    const source = textAt(item, 'source')
    const folder = source === null ? null : folderOf(source, below)
    if (source !== null && folder === null)
      problems.push(`"${name}" is left out: its source "${source}" is not a folder in this repository.`)
    const agents = pathsIn(getNode(item, [plugins.agents ?? ''])) ?? []
    const isWhole = scalar(getNode(item, ['strict'])) === false
    return [{ name, folder, agents: agents.slice(0, MOST_PATHS), isWhole }]
  })
  const more = list.items.length - MOST_PLUGINS
  if (more > 0) problems.push(`${more} plugins are left out: Troupe reads at most ${MOST_PLUGINS}.`)
  return { entries, problems }
}

/** Whether a manifest and a marketplace entry contradict each other, so that the plugin is not loaded. */
export function isContradiction({ isWhole, agents }: MarketplaceEntry, manifest: PluginManifest | null): boolean {
  return isWhole && agents.length > 0 && manifest !== null && manifest.agents !== null
}

/** A plain name is below the folder of all plugins, if there is one. */
function folderOf(source: string, below: string | null): string | null {
  if (source.startsWith('./') || source === '.') return insidePath(source)
  return below === null ? null : insidePath(`${below}/${source}`)
}

/** The longest path that systems take. */
const MOST_CHARACTERS = 4096

/** The normalized path; null if it leads out of its folder, or is longer than any path. */
export function insidePath(path: string): string | null {
  if (path.length > MOST_CHARACTERS) return null
  if (path.startsWith('/') || path.startsWith('~') || /[\\\0]/.test(path) || /^[a-z]:/i.test(path)) return null
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null
    if (part !== '' && part !== '.' && part !== '..') parts.push(part)
  }
  return parts.join('/')
}

function isAgentPath({ agentPath }: PluginsSpec, path: string): boolean {
  return agentPath === undefined || new RegExp(agentPath, 'u').test(path)
}

function pathsIn(node: DataNode | undefined): string[] | null {
  if (node === undefined) return null
  const values = (node.kind === 'list' ? node.items : [node]).map(textOf)
  return values.every((value) => value !== null) ? values : null
}

function textAt(node: DataNode | null, key: string): string | null {
  return node === null ? null : textOf(getNode(node, [key]))
}

function textOf(node: DataNode | undefined): string | null {
  const value = scalar(node)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function scalar(node: DataNode | undefined): unknown {
  return node?.kind === 'scalar' ? node.value : undefined
}
