/** Settings that every agent of the project sees: written only where no other agent gains access, or where that was accepted. */

import type { ConfigSetting } from '../../convert/agent/output.ts'
import type { ConversionRecord } from '../../convert/agent/record.ts'
import { showPath } from '../../disk/roots.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { decideByOwnRules } from '../../harness/write/intent.ts'
import { mcpName } from '../../harness/write/names.ts'
import { globMatches } from '../../model/access/glob.ts'
import type { Access, Rule } from '../../model/access/rules.ts'
import type { CapabilityChange } from '../../model/conversion.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import { anyToolOf, mcpServerOf } from '../../model/tools.ts'
import { discoverPlaces } from '../../project/discover.ts'
import { loadFile } from '../../project/read-text.ts'
import { lockKeyOf } from '../../workbench/lock-file.ts'
import { type AcceptedWidening, howToAccept, isAccepted } from '../../workbench/refusal.ts'
import type { TargetSettings } from './target-settings.ts'

interface SharedSettings {
  /** The settings to write: a server that the user has already set identically needs no guard. */
  readonly settings: readonly ConfigSetting[]
  /** What others would gain. */
  readonly gains: readonly ServerGain[]
}

interface ServerGain {
  readonly server: string
  readonly file: string
  /** Null: all agents of the project. */
  readonly agents: readonly string[] | null
}

export function findServerGains(
  harness: Harness,
  all: readonly ConfigSetting[],
  configs: TargetSettings,
  others: AgentsGainingServer,
): SharedSettings {
  const gains: ServerGain[] = []
  const unneeded = new Set<ConfigSetting>()
  for (const setting of all) {
    const { server } = setting
    if (server === undefined) continue
    const guard = all.find(({ guards }) => guards === server)
    const place = configs.placeOf(setting)
    // Where it is already set, no agent gains anything; where nothing can be set neither.
    if (place === 'same' || place === 'closed') {
      if (guard !== undefined && configs.placeOf(guard) !== 'same') unneeded.add(guard)
      continue
    }
    const agents = others.gaining(harness, setting, guard)
    if (agents !== null && agents.length === 0) continue
    gains.push({ server, file: configs.fileOf(setting), agents })
    // A gain accepted for all needs no rule against it.
    if (guard !== undefined && agents === null) unneeded.add(guard)
  }
  return { settings: all.filter((setting) => !unneeded.has(setting)), gains }
}

/** In the form of an agent's own gain in its record. */
export function withGains(
  record: ConversionRecord,
  { gains, settings }: SharedSettings,
  all: readonly ConfigSetting[],
): ConversionRecord {
  const left = new Set(all.filter((one) => !settings.includes(one)).map(({ path }) => path.join('.')))
  const config = record.config.map(({ path, set }) => ({
    path,
    set: Object.fromEntries(Object.entries(set).filter(([key]) => !left.has(key))),
  }))
  const widened = gains.map(
    (gain): CapabilityChange => ({
      capability: `mcp:${gain.server}`,
      pattern: null,
      before: 'deny',
      after: 'allow',
      why: `${gain.file} also gives ${gain.server} to ${othersText(gain)}`,
    }),
  )
  return { ...record, config, access: { ...record.access, widened: [...record.access.widened, ...widened] } }
}

/** Null: no agent gains anything, or nothing that was not accepted. */
export function serverRefusal(
  target: Harness,
  { name, source }: ConversionRecord,
  { gains }: SharedSettings,
  accepted: AcceptedWidening,
): Diagnostic | null {
  const open = gains.filter(({ server }) => !isAccepted(accepted, `mcp:${server}`))
  const [first] = open
  if (first === undefined) return null
  const servers = open.map(({ server }) => server)
  const message = `"${name}" needs ${servers.join(', ')}, which ${target.title} would also give to ${othersText(first)}.`
  const accept = howToAccept(
    target,
    servers.map((server) => `mcp:${server}`),
    accepted,
  )
  const hint = `${accept}, or deny it to those agents.`
  return { ...fileProblem('wider-access', source.path, message), hint }
}

/** How many are named. */
const NAMED = 8

function othersText({ agents }: ServerGain): string {
  if (agents === null) return 'every agent in the project'
  const rest = agents.length - NAMED
  return `${agents.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/**
 * The other agents: a setting that all agents of a project see changes what each of them can do, so it is checked for
 * all of them, existing ones and those of this run.
 */
export interface AgentsGainingServer {
  /** An agent that this run writes, by its file or by the place of its entry. */
  readonly note: (harness: Harness, place: string, name: string, access: Access) => void
  /** Names of agents that would have the server too, although their own rules do not name it; null: all of them. */
  readonly gaining: (
    harness: Harness,
    setting: ConfigSetting,
    guard: ConfigSetting | undefined,
  ) => readonly string[] | null
}

type Group = Map<Access, string[]>

/** They are rarely needed, so they are collected only then. */
interface WrittenAgents {
  readonly all: { readonly place: string; readonly name: string; readonly access: Access }[]
  group: Group | null
}

export function openAgentsGainingServer(
  registry: Registry,
  root: string,
  configs: TargetSettings,
): AgentsGainingServer {
  const written = new Map<Harness, WrittenAgents>()
  const there = new Map<Harness, Group>()
  const writtenFor = (harness: Harness) => {
    const found = written.get(harness) ?? { all: [], group: null }
    written.set(harness, found)
    return found
  }
  const thereFor = (harness: Harness) => {
    const places = () => new Set(writtenFor(harness).all.map(({ place }) => place))
    const found = there.get(harness) ?? agentsInProject(registry, harness, root, places())
    there.set(harness, found)
    return found
  }
  return {
    note: (harness, place, name, access) => {
      const agents = writtenFor(harness)
      agents.all.push({ place, name, access })
      agents.group = null
    },
    gaining: (harness, setting, guard) => {
      const { server } = setting
      if (server === undefined) return []
      if (guard === undefined || !isGuardEffective(harness, setting, guard, configs)) return null
      const all = [...thereFor(harness), ...groupOf(writtenFor(harness))]
      return all.flatMap(([access, names]) => (gainsServer(access, server) ? names : []))
    },
  }
}

/** The guard can be set, and denies nothing but its own server. */
function isGuardEffective(
  harness: Harness,
  setting: ConfigSetting,
  guard: ConfigSetting,
  configs: TargetSettings,
): boolean {
  if (configs.problemWith(guard) !== null) return false
  const word = guard.path.at(-1) ?? ''
  const own = mcpName(harness, anyToolOf(setting.server ?? '')) ?? word
  // The last matching rule wins, also among those of the project.
  if (configs.behind(guard).some((rule) => globMatches(rule, own))) return false
  const tools = configs.besides(setting).flatMap((server) => mcpName(harness, anyToolOf(server)) ?? [])
  return ![...tools, ...Object.keys(harness.units)].some((name) => globMatches(word, name))
}

/** By a wildcard, or by a pattern that happens to match the server's name. */
function gainsServer(access: Access, server: string): boolean {
  const answer = decideByOwnRules(access, anyToolOf(server))
  return answer !== null && answer.action !== 'deny' && answer.rule !== null && !isNamed(answer.rule, server)
}

function isNamed({ tools }: Rule, server: string): boolean {
  return tools.some((tool) => mcpServerOf(tool) === server || tool.startsWith(`mcp:${server}/`))
}

/** The agents of the harness that are in the project and stay as they are. */
function agentsInProject(registry: Registry, harness: Harness, root: string, written: ReadonlySet<string>): Group {
  const group: Group = new Map()
  const show = showPath(root)
  for (const candidate of discoverPlaces({ registry, show, harness }, 'project', root).candidates) {
    const path = show(candidate.path)
    const loaded = written.has(path) ? null : loadFile(registry, candidate, path)
    if (loaded === null || 'problem' in loaded) continue
    for (const { agent } of loaded.read.agents) {
      const isWritten = written.has(lockKeyOf(path, candidate.carrier, agent.name))
      if (!isWritten) add(group, agent.access, agent.name)
    }
  }
  return group
}

function groupOf(agents: WrittenAgents): Group {
  if (agents.group === null) {
    agents.group = new Map()
    for (const { access, name } of agents.all) add(agents.group, access, name)
  }
  return agents.group
}

function add(group: Group, access: Access, name: string): void {
  const names = group.get(access)
  if (names === undefined) group.set(access, [name])
  else names.push(name)
}
