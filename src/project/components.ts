/** Finds everything in a project or a plugin that a harness reads besides agents: reads the files and hands them to the workbench. */
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expandPlace, realInside, realPathOrNull } from '../disk/roots.ts'
import { type FolderLimit, findByGlob, type ShowPath } from '../disk/walk.ts'
import { type ComponentPlace, type ComponentScope, componentPlacesOf } from '../harness/recognise/components.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type Component, componentKinds } from '../model/component.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import { globBase } from '../model/path-glob.ts'
import { type ComponentFile, componentsIn, type FoundComponent } from '../workbench/components.ts'
import { findPluginRoots, type NamedParts, type PluginRoot } from './plugin-roots.ts'
import { readTextFile } from './read-text.ts'

export interface ComponentSearch {
  readonly registry: Registry
  readonly show: ShowPath
  /** The folders to look in: the project's, from its root down, or those given by hand. */
  readonly folders: readonly string[]
  readonly scope: 'project' | 'user' | 'all'
}

export interface ComponentsFound {
  /** Those with files of their own, or a part of one. */
  readonly parts: readonly FoundComponent[]
  /** Plugins and marketplaces. */
  readonly holders: readonly Component[]
  readonly plugins: readonly PluginRoot[]
  readonly problems: readonly Diagnostic[]
}

/** Folders that are read for one list. A repository with hundreds of plugins has a few thousand. */
const MOST_FOLDERS = 20_000

export function findComponents({ registry, show, folders, scope }: ComponentSearch): ComponentsFound {
  const context: Context = {
    registry,
    show,
    limit: { most: MOST_FOLDERS, left: MOST_FOLDERS },
    taken: new Set(),
    parts: [],
    problems: [],
  }
  const holders: Component[] = []
  const plugins: PluginRoot[] = []
  if (scope !== 'user') {
    for (const folder of folders) {
      const found = findPluginRoots(registry, folder, show)
      context.problems.push(...found.problems)
      plugins.push(...found.roots)
      for (const { harness, name, path } of found.marketplaces)
        holders.push(holderOf(context, 'marketplace', harness, name, path))
    }
    const byFolder = new Map<string, PluginRoot[]>()
    for (const one of plugins) byFolder.set(one.root, [...(byFolder.get(one.root) ?? []), one])
    for (const [root, some] of byFolder) {
      for (const one of some) holders.push(holderOf(context, 'plugin', one.harness, one.name, one.manifest ?? root))
      // Whatever it is called by others: the manifest is the same.
      const distinct = [...new Map(some.map((one) => [one.harness, one])).values()]
      collect(context, 'plugin', root, placesInPlugin(registry, distinct), some[0]?.name ?? null)
    }
    const roots = new Set(byFolder.keys())
    for (const folder of folders)
      collect(context, 'project', folder, placesInProject(registry, roots.has(folder)), null)
  }
  if (scope !== 'project') collect(context, 'user', '/', placesOfUser(registry), null)
  const parts = context.parts.sort((a, b) => componentKinds.indexOf(a.kind) - componentKinds.indexOf(b.kind))
  return { parts, holders, plugins, problems: context.problems }
}

interface Context {
  readonly registry: Registry
  readonly show: ShowPath
  readonly limit: FolderLimit
  /** Files and the keys in them that belong to a component already. */
  readonly taken: Set<string>
  readonly parts: FoundComponent[]
  readonly problems: Diagnostic[]
}

/** A harness and one glob that it reads: `isReader` is false where only another edition of it does. */
interface Reading {
  readonly reader: Harness
  readonly place: ComponentPlace
}

function placesInProject({ all }: Registry, isPlugin: boolean): Reading[] {
  const places = all.flatMap((reader) => componentPlacesOf(reader, 'project').map((place) => ({ reader, place })))
  // A plugin defines what is in it; only folders and files with a harness's mark add to that.
  return isPlugin
    ? places.filter(({ place }) => place.kind === 'instructions' || place.pattern.startsWith('.'))
    : places
}

function placesOfUser({ all }: Registry): Reading[] {
  return all.flatMap((reader) =>
    componentPlacesOf(reader, 'user').map((place) => {
      const pattern = expandPlace(place.pattern).slice(1)
      return { reader, place: { ...place, pattern, base: globBase(pattern) } }
    }),
  )
}

/** What the harnesses of its manifests read in it, and those that load plugins of theirs. */
function placesInPlugin({ all }: Registry, roots: readonly PluginRoot[]): Reading[] {
  const readings: Reading[] = []
  for (const { harness, named, manifest } of roots) {
    for (const reader of all) {
      const loads = reader === harness ? null : (reader.plugins?.loads[harness.id] ?? [])
      for (const place of componentPlacesOf(reader, 'plugin')) {
        if (loads !== null && !loads.includes(place.kind)) continue
        const own = named.get(place.kind)
        if (own === undefined || own.adds || own.paths.length + (own.inline === null ? 0 : 1) === 0)
          readings.push({ reader, place })
        if (own !== undefined)
          readings.push(...namedPlaces(place, own, manifest).map((one) => ({ reader, place: one })))
      }
    }
  }
  return readings
}

/** What a manifest names: a folder is read like the usual one. */
function namedPlaces(place: ComponentPlace, { paths, inline }: NamedParts, manifest: string | null): ComponentPlace[] {
  const at = (pattern: string, more: object = {}): ComponentPlace => {
    const holder = { ...place.holder, read: [pattern], ...more }
    return { ...place, holder, pattern, base: globBase(pattern) }
  }
  const ending = place.base === '' ? '' : place.pattern.slice(place.base.length + 1)
  const named = paths.flatMap((path) => {
    if (/\.\w+$/.test(path)) return [at(path)]
    const below = path === '' ? '' : `${path}/`
    if (place.kind === 'skill') return [at(`${below}${ending}`), at(`${below}SKILL.md`)]
    return ending === '' ? [] : [at(`${below}${ending}`)]
  })
  if (inline === null || manifest === null) return named
  return [...named, at(`\0${manifest}`, { at: inline, bare: false })]
}

function collect(
  context: Context,
  scope: ComponentScope,
  root: string,
  readings: readonly Reading[],
  plugin: string | null,
): void {
  const { show, limit, registry } = context
  const walked = new Map<string, readonly string[]>()
  const filesOf = (pattern: string) => {
    let files = walked.get(pattern)
    if (files === undefined) {
      const walk = pattern.startsWith('\0')
        ? { files: [pattern.slice(1)], problems: [] }
        : findByGlob(root, pattern, show, { folders: limit, within: scope === 'user' ? null : root })
      context.problems.push(...walk.problems)
      files = walk.files
      walked.set(pattern, files)
    }
    return files
  }
  const claims = new Map<string, { readonly path: string; readonly readings: Reading[] }>()
  for (const reading of readings) {
    const { kind, holder, pattern } = reading.place
    for (const path of filesOf(pattern)) {
      const key = `${kind}\n${holder.at ?? ''}\n${path}`
      const claim = claims.get(key) ?? { path, readings: [] }
      claims.set(key, claim)
      claim.readings.push(reading)
    }
  }
  const skills = new Set(
    [...claims.values()].flatMap(({ path, readings: [first] }) =>
      first?.place.kind === 'skill' ? [dirname(path)] : [],
    ),
  )
  for (const [key, { path, readings: some }] of claims) {
    if (context.taken.has(key)) continue
    context.taken.add(key)
    const file = readFile(context, { scope, root, path, readings: some, plugin, skills })
    if (file === null) continue
    const { components, problems } = componentsIn(registry, file)
    context.parts.push(...components)
    context.problems.push(...problems)
  }
}

interface Claimed {
  readonly scope: ComponentScope
  readonly root: string
  readonly path: string
  readonly readings: readonly Reading[]
  readonly plugin: string | null
  readonly skills: ReadonlySet<string>
}

function readFile(context: Context, { scope, root, path, readings, plugin, skills }: Claimed): ComponentFile | null {
  const { show, problems } = context
  const shown = show(path)
  const { place } = readings.find((one) => one.place.isOwn) ?? (readings[0] as Reading)
  if (scope !== 'user' && realPathOrNull(path) !== path && realInside(root, path) === null) {
    problems.push(fileProblem('unreadable-file', shown, 'This is a link to something outside, so it is not read.'))
    return null
  }
  const read = readTextFile(path, shown)
  if ('problem' in read) {
    problems.push(read.problem)
    return null
  }
  const beside = place.kind === 'skill' ? filesBeside(dirname(path), skills) : null
  const readBy = readings.filter((one) => isRead(one, dirname(path))).map(({ reader }) => reader.id)
  return {
    place,
    scope,
    absolute: path,
    relative: path.slice(root === '/' ? 1 : root.length + 1),
    path: shown,
    root,
    plugin,
    readBy: [...new Set(readBy)].sort(),
    files: beside === null ? [shown] : beside.files.map(show),
    beside: beside?.files ?? [],
    text: read.file.text,
    diagnostics: beside === null ? [] : besideProblems(beside, shown),
  }
}

/** A format is read by no program; and some files are read only where others are absent. */
function isRead({ reader, place: { holder } }: Reading, folder: string): boolean {
  if (reader.sourceFormat || holder.edition !== undefined) return false
  return !holder.unless.some((other) => existsSync(join(folder, other)))
}

interface Beside {
  readonly files: readonly string[]
  readonly links: readonly string[]
  readonly isMore: boolean
}

/** The files of a skill, without following links, and without skills further down. */
export function filesBeside(folder: string, skills: ReadonlySet<string>): Beside {
  const files: string[] = []
  const links: string[] = []
  const waiting = [folder]
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    let entries: Dirent[]
    try {
      entries = readdirSync(here, { withFileTypes: true })
    } catch {
      continue
    }
    for (const entry of entries) {
      const path = join(here, entry.name)
      if (entry.isSymbolicLink()) links.push(path)
      else if (entry.isFile()) files.push(path)
      else if (entry.isDirectory() && entry.name !== '.git' && !skills.has(path)) waiting.push(path)
      if (files.length + links.length + waiting.length > limits.skillFiles)
        return { files: files.sort(), links, isMore: true }
    }
  }
  return { files: files.sort(), links, isMore: false }
}

function besideProblems({ links, isMore }: Beside, shown: string): Diagnostic[] {
  const many = isMore
    ? [fileProblem('file-too-large', shown, `The skill has more than ${limits.skillFiles} files, so it is not copied.`)]
    : []
  const linked = links.slice(0, 5).map((link) => {
    const message = `${basename(link)} beside it is a link. Troupe copies no links.`
    return fileProblem('unreadable-file', shown, message)
  })
  return [...many, ...linked.map((one) => ({ ...one, severity: 'warning' as const }))]
}

function holderOf(
  { registry, show }: Context,
  kind: 'plugin' | 'marketplace',
  harness: Harness,
  name: string,
  path: string,
): Component {
  const isLoaded = ({ id, plugins, sourceFormat }: Harness) =>
    !sourceFormat && (id === harness.id || plugins?.loads[harness.id]?.includes(kind) === true)
  const readBy = registry.all.filter(isLoaded).map(({ id }) => id)
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  return {
    kind,
    name,
    harness: harness.id,
    plugin: null,
    path: show(path),
    files: isFile ? [show(path)] : [],
    readBy: readBy.sort(),
    diagnostics: [],
  }
}
