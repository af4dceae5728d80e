/** Which component a file is, or is part of, decided by the path alone: from the parts of harness files. */
import type { PartKind } from '../../model/component.ts'
import { expandBraces, globBase, suffixPattern, wholePattern } from '../../model/path-glob.ts'
import type { Registry } from '../registry.ts'
import type { Harness } from '../schema/harness.ts'
import { partOfKind } from '../schema/parts.ts'

/** Kinds of files besides agents: a component, or a part of one, and what no conversion needs. */
export type OtherKind = PartKind | 'settings' | 'manifest'

export type ComponentScope = 'project' | 'user' | 'plugin'
export type ComponentPart = NonNullable<Harness['servers']>
export type Holder = ComponentPart['project'][number]

/** One glob of a part: where a harness reads components of a kind. */
export interface ComponentPlace {
  readonly kind: PartKind
  readonly harness: Harness
  readonly part: ComponentPart
  readonly holder: Holder
  /** A plain glob, relative to the scope's root or absolute after expansion. */
  readonly pattern: string
  readonly base: string
  /** It is a place of this harness, and not one of another that it reads too. */
  readonly isOwn: boolean
}

export const partKinds = Object.keys(partOfKind) as PartKind[]

/** All that a harness reads in a scope; what only another edition of it reads counts as its place. */
export function componentPlacesOf(harness: Harness, scope: ComponentScope): ComponentPlace[] {
  return partKinds.flatMap((kind) => {
    const part = harness[partOfKind[kind]]
    if (part === undefined) return []
    const places = (holders: readonly Holder[], isOwn: boolean) =>
      holders.flatMap((holder) =>
        holder.read
          .flatMap(expandBraces)
          .map((pattern) => ({ kind, harness, part, holder, pattern, base: globBase(pattern), isOwn })),
      )
    const also = scope === 'plugin' ? [] : part.also[scope]
    return [...places(part[scope], true), ...places(also, false)]
  })
}

interface Compiled {
  readonly kind: OtherKind
  readonly matches: RegExp
}

const compiled = new WeakMap<Registry, readonly Compiled[]>()

/** The kind of a file in a place of some harness, for any project root. */
export function componentAt(registry: Registry, path: string): OtherKind | null {
  let patterns = compiled.get(registry)
  if (patterns === undefined) {
    patterns = registry.all.flatMap((harness) => [
      ...manifestsOf(harness),
      ...settingsOf(harness),
      ...componentPlacesOf(harness, 'project')
        // The folder of sources has no mark of its own.
        .filter(({ pattern, kind }) => kind !== 'skill' || pattern.startsWith('.'))
        .map((place) => ({ kind: place.kind, matches: suffixPattern(ownedPattern(place)) })),
    ])
    compiled.set(registry, patterns)
  }
  return patterns.find(({ matches }) => matches.test(path))?.kind ?? null
}

const compiledPlugins = new WeakMap<Harness, readonly Compiled[]>()

/** The component of a plugin that a file is part of, relative to the plugin's folder; null: none that is known. */
export function pluginComponent(harness: Harness, relativePath: string): OtherKind | null {
  let patterns = compiledPlugins.get(harness)
  if (patterns === undefined) {
    // Relative to the plugin's folder, not to any folder.
    patterns = componentPlacesOf(harness, 'plugin').map((place) => {
      return { kind: place.kind, matches: wholePattern(ownedPattern(place)) }
    })
    compiledPlugins.set(harness, patterns)
  }
  return patterns.find(({ matches }) => matches.test(relativePath))?.kind ?? null
}

/** Everything beside a SKILL.md belongs to the skill. */
function ownedPattern({ kind, pattern, base }: ComponentPlace): string {
  return kind === 'skill' && base !== '' ? `${base}/**` : pattern
}

function manifestsOf({ plugins }: Harness): Compiled[] {
  // A bare plugin.json is a name that many programs use.
  const files = [...(plugins?.manifests ?? []), ...(plugins?.marketplaces ?? [])]
  const telling = files.filter((file) => file.includes('/') || plugins?.marked === undefined)
  return telling.map((file) => ({ kind: 'manifest', matches: suffixPattern(file) }))
}

/** Settings hold components too, but a file with components of several kinds is none of them. */
function settingsOf(harness: Harness): Compiled[] {
  const named = harness.settings.flatMap(({ files }) =>
    files.map((file) => (typeof file === 'string' ? file : file.root)),
  )
  const shared = new Map<string, Set<PartKind>>()
  for (const { kind, pattern, holder } of componentPlacesOf(harness, 'project'))
    if (holder.at !== undefined) shared.set(pattern, (shared.get(pattern) ?? new Set()).add(kind))
  const several = [...shared].flatMap(([pattern, kinds]) => (kinds.size > 1 ? [pattern] : []))
  const files = [...named, ...several, ...(harness.sources?.files ?? [])].filter((file) => /^[^~$/]/.test(file))
  return files.map((file) => ({ kind: 'settings', matches: suffixPattern(file) }))
}
