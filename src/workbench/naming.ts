/** Names of agents in a target: their own, or qualified by their plugins where two would be the same. */

import { outputPath } from '../convert/agent/output.ts'
import type { Target } from '../convert/plan.ts'
import { targetName } from '../harness/write/names.ts'
import type { Candidate } from './file.ts'

/** The name of an agent in a harness, after the name of its plugin where that counts. */
export function nameInHarness({ harness, plugin, relativePath }: Candidate, name: string): string {
  const separator = harness.plugins?.separator
  if (plugin === undefined || separator === undefined) return name
  return [plugin.name, ...relativePath.split('/').slice(0, -1), name].join(separator)
}

export interface Naming {
  readonly nameOf: (candidate: Candidate, name: string) => string
  /** Names that change, old to new, as seen by an agent of this plugin. */
  readonly renamedFor: (plugin: string | undefined) => ReadonlyMap<string, string>
  readonly all: Renamed
}

/** By plugin; agents without a plugin first. */
export type Renamed = readonly (readonly [plugin: string, names: ReadonlyMap<string, string>])[]

interface Named {
  readonly candidate: Candidate
  readonly names: readonly string[]
}

/** `form`: the form of plugin agents' names, as `{plugin}-{name}`; absent: their own, as long as these differ. */
export function nameAgents(target: Target, agents: readonly Named[], form?: string): Naming {
  const ownName = (candidate: Candidate, name: string) => nameIn(target, candidate, name)
  const chosen =
    form === undefined && !agents.some(({ candidate }) => candidate.plugin) ? null : choose(target, agents, form)
  const nameOf: Naming['nameOf'] = (candidate, name) => chosen?.get(keyOf(candidate, name)) ?? ownName(candidate, name)
  const shared = new Map<string, string>()
  const byPlugin = new Map<string, Map<string, string>>()
  for (const { candidate, names } of agents) {
    for (const name of names) {
      const now = nameOf(candidate, name)
      const called = nameInHarness(candidate, name)
      if (now !== called && called !== name) shared.set(called, now)
      if (now === name) continue
      const { plugin } = candidate
      if (plugin === undefined || !shared.has(name)) shared.set(name, now)
      if (plugin !== undefined) byPlugin.set(plugin.name, (byPlugin.get(plugin.name) ?? new Map()).set(name, now))
    }
  }
  const all: Renamed = [['', shared], ...byPlugin]
  return { nameOf, renamedFor: renamedIn(all), all }
}

/** Names that change, old to new, by plugin. */
export function renamedIn(all: Renamed): Naming['renamedFor'] {
  const [first, ...byPlugin] = all
  const shared = first?.[1] ?? new Map<string, string>()
  const whole = new Map(byPlugin.map(([plugin, own]) => [plugin, new Map([...shared, ...own])]))
  return (plugin) => (plugin === undefined ? undefined : whole.get(plugin)) ?? shared
}

function keyOf({ path, plugin }: Candidate, name: string): string {
  return `${path}\n${plugin?.name ?? ''}\n${name}`
}

function choose(target: Target, agents: readonly Named[], form: string | undefined): Map<string, string> {
  const claims = new Map<string, number>()
  const wanted = agents.flatMap(({ candidate, names }) =>
    names.map((name) => {
      const formed = form === undefined ? name : formedName(form, candidate.plugin?.name, name)
      const own = formed === name ? nameIn(target, candidate, name) : targetName(target.carrier, formed)
      const claim = outputKeyIgnoringCase(target, own)
      claims.set(claim, (claims.get(claim) ?? 0) + 1)
      return { candidate, name, own }
    }),
  )
  return new Map(
    wanted.map(({ candidate, name, own }) => {
      const isApart = candidate.plugin !== undefined && (claims.get(outputKeyIgnoringCase(target, own)) ?? 0) > 1
      return [keyOf(candidate, name), isApart ? targetName(target.carrier, wholeName(candidate, name)) : own]
    }),
  )
}

/** The plugin, the folders in it, and the agent. */
function wholeName({ plugin, relativePath }: Candidate, name: string): string {
  return [plugin?.name, ...relativePath.split('/').slice(0, -1), name].join('-')
}

/** An agent that belongs to no plugin has only its name. */
function formedName(form: string, plugin: string | undefined, name: string): string {
  if (plugin === undefined && form.includes('{plugin}')) return name
  return form.replaceAll('{plugin}', plugin ?? '').replaceAll('{name}', name)
}

/** Within one dialect a file also keeps its own name. */
export function nameIn(target: Target, { harness, carrier }: Candidate, name: string): string {
  const isSame = harness.id === target.harness.id && carrier.id === target.carrier.id
  return isSame ? name : targetName(target.carrier, name)
}

/** The file, and the entry in it where it holds several agents. */
export function outputKey({ carrier }: Target, name: string): string {
  const path = outputPath(carrier, name)
  return carrier.agents === undefined ? path : `${path}#${name}`
}

/** The same for `Foo.md` and `foo.md`: on macOS and Windows these are one file. */
export function outputKeyIgnoringCase({ carrier }: Target, name: string): string {
  const path = outputPath(carrier, name).normalize('NFC').toLowerCase()
  return carrier.agents === undefined ? path : `${path}#${name}`
}
