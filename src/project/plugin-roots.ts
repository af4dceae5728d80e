/** The folders that are plugins for some harness, as manifests and marketplaces name them, whatever is in them. */
import { existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { realInside } from '../disk/roots.ts'
import type { ShowPath } from '../disk/walk.ts'
import { getNode, toData } from '../formats/data.ts'
import { parseJson } from '../formats/json/parse.ts'
import { insidePath, MOST_PATHS, readMarketplace, readPluginManifest } from '../harness/recognise/manifests.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness, PluginsSpec } from '../harness/schema/harness.ts'
import type { ComponentKind } from '../model/component.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { readTextOrNull } from './read-text.ts'

export interface PluginRoot {
  readonly harness: Harness
  readonly name: string
  /** Its folder. */
  readonly root: string
  /** Null: only a marketplace names it. */
  readonly manifest: string | null
  /** By kind: what the manifest names itself. */
  readonly named: ReadonlyMap<ComponentKind, NamedParts>
}

export interface NamedParts {
  /** Below the plugin's folder. */
  readonly paths: readonly string[]
  /** The key that holds the components themselves. */
  readonly inline: string | null
  /** The usual places count too. */
  readonly adds: boolean
}

interface FoundMarketplace {
  readonly harness: Harness
  readonly name: string
  readonly path: string
}

export interface FoundRoots {
  readonly roots: readonly PluginRoot[]
  readonly marketplaces: readonly FoundMarketplace[]
  readonly problems: readonly Diagnostic[]
}

/** The plugin that a folder is, and those that it names. */
export function findPluginRoots({ all }: Registry, folder: string, show: ShowPath): FoundRoots {
  const roots = new Map<string, PluginRoot>()
  const marketplaces: FoundMarketplace[] = []
  const problems: Diagnostic[] = []
  for (const harness of all) {
    const { plugins } = harness
    if (plugins === undefined) continue
    // A marketplace may name one folder thousands of times.
    const manifests = new Map<string, Manifest | null>()
    const add = (root: string, entry: string | null) => {
      let manifest = manifests.get(root)
      if (manifest === undefined) {
        manifest = manifestIn(plugins, root, show, problems)
        manifests.set(root, manifest)
      }
      const found = rootAt(harness, plugins, root, entry, manifest)
      if (found !== null) roots.set(`${harness.id}\n${root}\n${found.name}`, found)
    }
    const file = plugins.marketplaces.map((one) => join(folder, one)).find((one) => existsSync(one))
    if (file === undefined) {
      add(folder, null)
      continue
    }
    const text = readTextOrNull(file) ?? ''
    const { entries } = readMarketplace(plugins, text)
    const said = toData(parseJson(text).root) as { readonly name?: unknown } | null
    marketplaces.push({ harness, name: typeof said?.name === 'string' ? said.name : basename(folder), path: file })
    for (const entry of entries) {
      if (entry.folder === null) continue
      const root = entry.folder === '' ? folder : join(folder, entry.folder)
      if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true || realInside(folder, root) === null)
        problems.push(
          fileProblem('broken-manifest', show(file), `The folder of the plugin "${entry.name}" is not here.`),
        )
      else add(root, entry.name)
    }
    add(folder, null)
  }
  return { roots: [...roots.values()], marketplaces, problems }
}

interface Manifest {
  readonly path: string
  readonly isMarked: boolean
  readonly name: string | null
  readonly named: ReadonlyMap<ComponentKind, NamedParts>
}

function manifestIn(plugins: PluginsSpec, root: string, show: ShowPath, problems: Diagnostic[]): Manifest | null {
  const path = plugins.manifests.map((one) => join(root, one)).find((one) => existsSync(one))
  if (path === undefined) return null
  const text = readTextOrNull(path) ?? ''
  const { named, left } = partsNamed(plugins, text)
  if (left > 0) {
    const message = `${left} paths are left out: Troupe reads at most ${MOST_PATHS} for each kind of component.`
    problems.push(fileProblem('broken-manifest', show(path), message))
  }
  return { path, isMarked: isMarked(plugins, text), name: readPluginManifest(plugins, text).name, named }
}

/** `entry`: its name in a marketplace; then it may have no manifest. Null: this harness has no such plugin. */
function rootAt(
  harness: Harness,
  plugins: PluginsSpec,
  root: string,
  entry: string | null,
  manifest: Manifest | null,
): PluginRoot | null {
  if (manifest === null) {
    const isNamed = entry !== null && plugins.unmarked
    return isNamed ? { harness, name: entry, root, manifest: null, named: new Map() } : null
  }
  if (!manifest.isMarked) return null
  const name = manifest.name ?? entry ?? basename(root)
  return { harness, name, root, manifest: manifest.path, named: manifest.named }
}

function isMarked({ marked }: PluginsSpec, text: string): boolean {
  if (marked === undefined) return true
  const node = getNode(parseJson(text).root, marked.at.split('.'))
  const value = node?.kind === 'scalar' ? String(node.value) : ''
  return new RegExp(marked.pattern, 'u').test(value) !== marked.not
}

/** Paths that lead out of the plugin are left out: a harness does not follow them either. `left`: those beyond the limit. */
function partsNamed({ keys }: PluginsSpec, text: string) {
  const { root } = parseJson(text)
  const named = new Map<ComponentKind, NamedParts>()
  let left = 0
  for (const [kind, { key, adds }] of Object.entries(keys)) {
    const node = getNode(root, [key])
    if (node === undefined) continue
    const values = node.kind === 'list' ? node.items : [node]
    const paths = values.slice(0, MOST_PATHS).flatMap((one) => {
      const path = one.kind === 'scalar' && typeof one.value === 'string' ? insidePath(one.value) : null
      return path === null ? [] : [path]
    })
    left += Math.max(0, values.length - MOST_PATHS)
    named.set(kind as ComponentKind, { paths, inline: node.kind === 'map' ? key : null, adds })
  }
  return { named, left }
}
