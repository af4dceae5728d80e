/**
 * Who else is there: a setting that all agents of a project see changes what each of them can do, so it is looked at for
 * all of them, those that are there already and those of this run.
 */
import type { Setting } from '../../convert/setting.ts'
import { mcpName } from '../../harness/encode.ts'
import { ownAnswer } from '../../harness/own-rules.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Access, Rule } from '../../model/access.ts'
import { globMatches } from '../../model/glob.ts'
import { anyToolOf, mcpServerOf } from '../../model/tools.ts'
import { discoverPlaces } from '../discover.ts'
import { loadFile } from '../load-file.ts'
import { partKey } from '../lock.ts'
import { showPath } from '../roots.ts'
import type { Configs } from './configs.ts'

export interface Others {
  /** An agent that this run writes, by its file or by the place of its entry. */
  readonly note: (harness: Harness, place: string, name: string, access: Access) => void
  /** Names of agents that would have the server too, although their own rules do not name it; null: all there are. */
  readonly gaining: (harness: Harness, setting: Setting, guard: Setting | undefined) => readonly string[] | null
}

type Group = Map<Access, string[]>

/** Seldom does anybody ask about them, so they are put together only then. */
interface WrittenAgents {
  readonly all: { readonly place: string; readonly name: string; readonly access: Access }[]
  group: Group | null
}

export function openOthers(registry: Registry, root: string, configs: Configs): Others {
  const written = new Map<Harness, WrittenAgents>()
  const there = new Map<Harness, Group>()
  const writtenFor = (harness: Harness) => {
    const found = written.get(harness) ?? { all: [], group: null }
    written.set(harness, found)
    return found
  }
  const thereFor = (harness: Harness) => {
    const places = () => new Set(writtenFor(harness).all.map(({ place }) => place))
    const found = there.get(harness) ?? existing(registry, harness, root, places())
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
      if (guard === undefined || !isHeld(harness, setting, guard, configs)) return null
      const all = [...thereFor(harness), ...groupOf(writtenFor(harness))]
      return all.flatMap(([access, names]) => (gains(access, server) ? names : []))
    },
  }
}

/** The guard can be set, and takes nothing from anybody that is there without it. */
function isHeld(harness: Harness, setting: Setting, guard: Setting, configs: Configs): boolean {
  if (configs.problemWith(guard) !== null) return false
  const word = guard.path.at(-1) ?? ''
  const own = mcpName(harness, anyToolOf(setting.server ?? '')) ?? word
  // The last rule that matches wins, also among those of the project.
  if (configs.behind(guard).some((rule) => globMatches(rule, own))) return false
  const tools = configs.besides(setting).flatMap((server) => mcpName(harness, anyToolOf(server)) ?? [])
  return ![...tools, ...Object.keys(harness.units)].some((name) => globMatches(word, name))
}

/** By a rule for everything, or for names that the server's happen to be among. */
function gains(access: Access, server: string): boolean {
  const answer = ownAnswer(access, anyToolOf(server))
  return answer !== null && answer.action !== 'deny' && answer.rule !== null && !isNamed(answer.rule, server)
}

function isNamed({ tools }: Rule, server: string): boolean {
  return tools.some((tool) => mcpServerOf(tool) === server || tool.startsWith(`mcp:${server}/`))
}

/** The agents of the harness that are in the project and stay as they are. */
function existing(registry: Registry, harness: Harness, root: string, written: ReadonlySet<string>): Group {
  const group: Group = new Map()
  const show = showPath(root)
  for (const candidate of discoverPlaces({ registry, show, harness }, 'project', root).candidates) {
    const path = show(candidate.path)
    const loaded = written.has(path) ? null : loadFile(registry, candidate, path)
    if (loaded === null || 'problem' in loaded) continue
    const at = candidate.carrier.agents?.at.split('.') ?? null
    for (const { agent } of loaded.read.agents) {
      const isWritten = at !== null && written.has(partKey(path, [...at, agent.name]))
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
