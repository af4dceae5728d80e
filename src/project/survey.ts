/** Decides where agents are looked for, the same for every command: given paths, or a project with its plugins and sources. */
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { foldersUp, isInside, projectFolders, showPath } from '../disk/roots.ts'
import { carrierPlaces, placesIn } from '../harness/recognise/places.ts'
import { type Registry, UNIVERSAL } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Diagnostic } from '../model/findings.ts'
import type { Candidate, OtherFile } from '../workbench/file.ts'
import { excludedFiles, expandSources, readBuildConfig } from './build-config.ts'
import { type Discovery, discoverPath, discoverPlaces, discoverProject, openSearch, type Search } from './discover.ts'

export interface SurveyOptions extends Pick<Search, 'recall'> {
  readonly registry: Registry
  /** The folder that paths are relative to. */
  readonly here: string
  /** Paths given by hand; none: the project around `here`. */
  readonly paths?: readonly string[]
  readonly harness?: Harness | undefined
  /** How Markdown at a path given by hand is treated where its dialect is unclear. */
  readonly otherwise?: Harness | undefined
  readonly scope?: 'project' | 'user' | 'all'
}

interface Survey {
  /** The root of the project. */
  readonly root: string
  /** Each once, except that a file of several plugins is an agent of each. */
  readonly candidates: readonly Candidate[]
  readonly diagnostics: readonly Diagnostic[]
  readonly otherFiles: readonly OtherFile[]
  /** The sources that the project names, below its root. */
  readonly sources: readonly string[]
  /** Projects further down with agents of their own, which are not among the candidates. */
  readonly nested: () => readonly string[]
}

export function survey(options: SurveyOptions): Survey {
  const { registry, here, harness, recall, otherwise } = options
  const folders = projectFolders(here)
  const root = folders[0] ?? here
  const { file } = readBuildConfig(registry, root)
  const sources = expandSources(root, file)
  const search = openSearch({
    registry,
    show: showPath(here),
    isLeftOut: excludedFiles(root, file),
    ...(harness === undefined ? {} : { harness }),
    ...(recall === undefined ? {} : { recall }),
  })
  const universal = registry.byId(UNIVERSAL)
  const asSource = universal === undefined ? search : { ...search, otherwise: universal }
  const universalPlaces = folders.flatMap((folder) => placesBelow(folder, universal))
  const meant = [...sources.map((one) => join(root, one)), ...universalPlaces]
  const isSource = (path: string) => meant.some((one) => isInside(one, path))
  const paths = (options.paths ?? []).map((path) => resolve(here, path))
  const found =
    paths.length > 0
      ? paths.map((path) =>
          discoverPath(isSource(path) ? asSource : otherwise === undefined ? search : { ...search, otherwise }, path),
        )
      : [
          ...sources
            .filter((one) => existsSync(join(root, one)) && options.scope !== 'user')
            .map((one) => discoverPath(asSource, join(root, one))),
          ...inProject(search, folders, options),
        ]
  const candidates = distinct(found.flatMap((one) => one.candidates))
  const isWhole = paths.length === 0 && options.scope !== 'user'
  const named = new Set(paths)
  const ofPlugins = () =>
    folders.flatMap((one) => search.plugins?.(one).plugins.map(({ root: folder }) => `${folder}/x`) ?? [])
  const taken = new Set(candidates.map(({ path }) => path))
  return {
    root,
    candidates: candidates.filter(({ path }) => named.has(path) || search.isLeftOut?.(path) !== true),
    diagnostics: found.flatMap((one) => one.diagnostics),
    otherFiles: found.flatMap((one) => one.otherFiles).filter(({ path }) => !taken.has(path)),
    sources,
    nested: () => (isWhole ? nestedProjects(registry, here, [...taken, ...ofPlugins()]).map(search.show) : []),
  }
}

/** Where a project keeps agents for every harness: named by hand, they are the same agents. */
function placesBelow(folder: string, universal: Harness | undefined): string[] {
  return (universal?.carriers ?? []).flatMap((carrier) =>
    universal === undefined ? [] : placesIn(universal, carrier, 'project').map(({ base }) => join(folder, base)),
  )
}

function inProject(
  search: Search,
  folders: readonly string[],
  { here, scope = 'project' }: SurveyOptions,
): Discovery[] {
  const found: Discovery[] = []
  if (scope !== 'user') for (const folder of folders) found.push(discoverProject(search, folder))
  if (scope !== 'project') found.push(discoverPlaces(search, 'user', here), discoverPlaces(search, 'managed', here))
  return found
}

function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ path, plugin }) => {
    const key = plugin === undefined ? path : `${path}\n${plugin.name}`
    if (seen.has(key)) return false
    seen.add(key).add(path)
    return true
  })
}

/** Search depth: packages are near the top, and a hint must not take long. */
const DEEPEST = 3
const MOST_FOLDERS = 2000

const skipped = new Set(['node_modules', 'dist', 'build', 'target', 'vendor'])

/** `known`: files that were already found. */
function nestedProjects(registry: Registry, here: string, known: readonly string[]): string[] {
  const marks = marksOf(registry)
  const covered = new Set(known.flatMap((path) => foldersUp(dirname(path), here)))
  const found: string[] = []
  let level = [here]
  let room = MOST_FOLDERS
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = []
    for (const folder of level) {
      if (room-- <= 0) return found.sort()
      const names = foldersIn(folder)
      const isMarked = names.some((name) => marks.get(name)?.some((mark) => existsSync(join(folder, mark))))
      if (folder !== here && isMarked && !covered.has(folder)) found.push(folder)
      else if (depth < DEEPEST)
        next.push(
          ...names.filter((name) => !name.startsWith('.') && !skipped.has(name)).map((name) => join(folder, name)),
        )
    }
    level = next
  }
  return found.sort()
}

/** Folders of harnesses, and manifests: what makes a folder a project of its own, by the first part of their path. */
function marksOf(registry: Registry): Map<string, string[]> {
  const folders = carrierPlaces(registry, 'project')
    .filter(({ base, carrier }) => base.startsWith('.') && carrier.agents === undefined)
    .map(({ base }) => base)
  const manifests = registry.all.flatMap(({ plugins }) =>
    (plugins?.manifests ?? []).filter((file) => file.includes('/')),
  )
  const marks = new Map<string, string[]>()
  for (const mark of new Set([...folders, ...manifests])) {
    const [first = ''] = mark.split('/')
    marks.set(first, [...(marks.get(first) ?? []), mark])
  }
  return marks
}

function foldersIn(folder: string): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.filter((one) => one.isDirectory()).map(({ name }) => name)
}
