/** Rule maps as one list, and that list as access. */

import { fromData, type MapEntry } from '../../formats/data.ts'
import type { Access, Layer, Rule } from '../../model/access/rules.ts'
import type { EffectiveRule, Origin } from '../../model/effective.ts'
import { limits } from '../../model/limits.ts'
import { closedLayer } from '../read/access.ts'
import { codecs, statedRule } from '../read/codecs.ts'
import type { EffectiveSpec, Harness } from '../schema/harness.ts'
import { type Tracked, type TrackedMap, trackData } from './tracked.ts'

/** The folders that rules refer to, on this machine. */
export interface RuleFolders {
  readonly home: string
  /** Name to absolute path. */
  readonly places: Readonly<Record<string, string>>
  /** The same, relative to the project's root. */
  readonly relative: Readonly<Record<string, string>>
  /** Folders of skills, in the order in which they are found. */
  readonly skills: readonly string[]
}

/** The rules of files: a home folder at the start of a pattern is expanded. */
export function rulesFrom(
  map: TrackedMap | null,
  spec: EffectiveSpec['rules'],
  { home }: RuleFolders,
): EffectiveRule[] {
  return listRules(map, (pattern) => [atHome(pattern, spec, home)])
}

/** The harness's own rules: a pattern can expand to one rule per folder. */
export function ownRules(map: EffectiveSpec['rules']['first'], origin: Origin, folders: RuleFolders): EffectiveRule[] {
  const tracked = trackData(map, origin)
  return listRules(tracked.kind === 'map' ? tracked : null, (pattern) => fillFolders(pattern, folders))
}

function listRules(map: TrackedMap | null, write: (pattern: string) => readonly string[]): EffectiveRule[] {
  return Object.entries(map?.entries ?? {}).flatMap(([permission, rule]) => {
    if (rule.kind === 'value') return [{ permission, pattern: '*', action: actionOf(rule), origin: rule.origin }]
    return Object.entries(rule.entries).flatMap(([pattern, answer]) =>
      write(pattern).map((one) => ({ permission, pattern: one, action: actionOf(answer), origin: answer.origin })),
    )
  })
}

function actionOf(answer: Tracked): EffectiveRule['action'] {
  const word = answer.kind === 'value' ? answer.value : null
  // With any other value the harness does not start.
  return word === 'allow' || word === 'ask' ? word : 'deny'
}

function atHome(pattern: string, { home: { folder, prefix } }: EffectiveSpec['rules'], home: string): string {
  const word = folder.find((one) => pattern === one || pattern.startsWith(`${one}/`))
  const start = word ?? prefix.find((one) => pattern.startsWith(one))
  return start === undefined ? pattern : home + pattern.slice(start.length)
}

function fillFolders(pattern: string, { places, relative, skills }: RuleFolders): string[] {
  if (pattern.includes('{skill}')) return skills.map((skill) => pattern.replace('{skill}', skill))
  return [
    pattern.replace(/\{(\w+)(:relative)?\}/g, (whole, name: string, from?: string) => {
      return (from === undefined ? places : relative)[name] ?? whole
    }),
  ]
}

/** A list of native rules as neutral access, so that every call can be decided by it. */
export function accessOfRules(harness: Harness, all: readonly Harness[], rules: readonly EffectiveRule[]): Access {
  return sourcedAccess(harness, all, rules).access
}

/** The same, with the origin of each rule. */
export function sourcedAccess(
  harness: Harness,
  all: readonly Harness[],
  rules: readonly EffectiveRule[],
): { readonly access: Access; readonly origins: ReadonlyMap<Rule, Origin> } {
  const spec = harness.access.layers.find(({ codec }) => codec === 'rule-map')
  if (spec === undefined) return { access: [], origins: new Map() }
  if (rules.length > limits.rules) return { access: [closedLayer(spec.key, nowhere)], origins: new Map() }
  const origins = new Map<Rule, Origin>()
  const said = rules.flatMap((rule) => {
    const node = { kind: 'map', entries: [entryOf(rule)], range: nowhere } as const
    const keyed = codecs['rule-map']({ harness, all, spec, text: '', node, servers: () => [] })?.keyed ?? []
    const native = nativeOf(rule)
    const neutral = keyed.flatMap((one) => one.rules).map((one) => ({ ...one, native }))
    for (const one of neutral) origins.set(one, rule.origin)
    return neutral
  })
  const named = new Set(rules.map(({ permission }) => permission))
  const after = harness.access.after.filter(({ unlessKey }) => !named.has(unlessKey))
  const layer: Layer = {
    origin: spec.key,
    resolution: harness.access.resolution,
    rules: [...said, ...after.map((rule) => statedRule(rule, 'default', null))],
    otherwise: 'ask',
    enforced: spec.enforced ?? { main: 'observed', child: 'observed' },
  }
  return { access: [layer], origins }
}

/** On one line, as people write it. */
function nativeOf({ permission, pattern }: EffectiveRule): string {
  return permission === '*' && pattern === '*' ? '*' : `${permission}: ${pattern}`
}

const nowhere = { start: 0, end: 0 }

/** One entry per rule: a key may be repeated. */
function entryOf({ permission, pattern, action }: EffectiveRule): MapEntry {
  const value = fromData(pattern === '*' ? action : { [pattern]: action })
  return { key: permission, keyRange: nowhere, value, range: nowhere }
}
