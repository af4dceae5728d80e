/** Reads the team: every agent that Troupe finds in the project, with its settings as a member in troupe.yaml. */
import type { Registry } from '../../harness/registry.ts'
import type { Json } from '../../model/agent.ts'
import { takeInventory } from '../../project/inventory.ts'
import { readTroupeFile, TROUPE_FILE } from '../../project/troupe-file.ts'
import type { FoundAgent } from '../../workbench/inventory.ts'
import { WORKPLACE_FOLDER, workplacePaths } from '../engine/paths.ts'
import { KERNEL } from '../state/message.ts'
import { type Member, type Roster, WORKPLACE_DIALECT } from '../state/roster.ts'
import { defaultTeamRules, QUESTION_MINUTES, RUN_MINUTES, type TeamRules } from '../state/team-rules.ts'

export interface ReadTeam {
  readonly roster: Roster
  readonly rules: TeamRules
  /** Problems of what was read, as sentences. */
  readonly problems: readonly string[]
}

type Data = Readonly<Record<string, unknown>>

/** No system accepts much longer arguments. */
const LONGEST_WORD = 100_000
/** More minutes or handoffs than this are a mistake. */
const LARGEST = 1_000_000

export function readTeam(root: string, registry: Registry): ReadTeam {
  const { file, problems: broken } = readTroupeFile(root)
  const problems = broken.map(({ message }) => message)
  const work = asMap(file.work, `${TROUPE_FILE}: work`, problems)
  const members = asMap(work.members, `${TROUPE_FILE}: work.members`, problems)
  const rules = readRules(work, problems)
  const roster = new Map<string, Member>([[KERNEL, builtInKernel]])
  for (const [name, agent] of teamAgents(root, registry)) {
    const own = asMap(members[name], `${TROUPE_FILE}: work.members.${name}`, problems)
    roster.set(name, memberOf(name, agent, own, { work, root, registry }, problems))
  }
  for (const name of Object.keys(members)) {
    if (!roster.has(name)) problems.push(`${TROUPE_FILE} names a member "${name}", but there is no such agent.`)
  }
  return { roster, rules, problems }
}

/** The agents that are members, by name. */
export function teamAgents(root: string, registry: Registry): ReadonlyMap<string, FoundAgent> {
  const inventory = takeInventory({ registry, here: root })
  const found = inventory.agents.filter(
    ({ shadowedBy, disabled, unclear }) => shadowedBy === null && !disabled && !unclear,
  )
  const own = new Map<string, number>()
  for (const { agent } of found) own.set(agent.name, (own.get(agent.name) ?? 0) + 1)
  const agents = new Map<string, FoundAgent>()
  for (const one of byPrecedence(found)) {
    // If two plugins have agents with the same name, it is prefixed with the plugin's.
    const isApart = one.plugin !== null && (own.get(one.agent.name) ?? 0) > 1
    const name = isApart ? `${one.plugin}-${one.agent.name}` : one.agent.name
    if (!agents.has(name)) agents.set(name, one)
  }
  return agents
}

/** Of several agents with one name, the workplace's own is the member, else the first one found. */
function byPrecedence(agents: readonly FoundAgent[]): FoundAgent[] {
  const isOwn = ({ path }: FoundAgent) => path.startsWith(`${WORKPLACE_FOLDER}/`)
  return [...agents.filter(isOwn), ...agents.filter((agent) => !isOwn(agent))]
}

const builtInKernel: Member = {
  name: KERNEL,
  role: 'Keeper of the project structure',
  triggers: [],
  handoffTo: [],
  mustHandOff: false,
  persistent: true,
  body: '',
  harness: WORKPLACE_DIALECT,
  path: '',
  command: null,
  playedIn: null,
  cost: null,
  patience: QUESTION_MINUTES,
  minutes: RUN_MINUTES,
}

interface TeamContext {
  readonly work: Data
  readonly root: string
  readonly registry: Registry
}

function memberOf(
  name: string,
  { agent, path }: FoundAgent,
  own: Data,
  around: TeamContext,
  problems: string[],
): Member {
  const { work } = around
  const { fields, harness } = agent
  const where = `${TROUPE_FILE}: work.members.${name}`
  const role = textOf(own.role) ?? fields.role?.value ?? fields.description?.value ?? null
  return {
    name,
    role,
    triggers: own.triggers === undefined ? (fields.triggers?.value ?? []) : toWords(own.triggers),
    handoffTo: own.handoff_to === undefined ? handoffNames(fields.handoffs?.value ?? null) : toWords(own.handoff_to),
    mustHandOff:
      own.handoff === undefined
        ? mustHandOffFrom(fields.handoffDuty?.value, `${path}: handoff`, problems)
        : mustHandOffFrom(own.handoff, `${where}.handoff`, problems),
    persistent: typeof own.persistent === 'boolean' ? own.persistent : (fields.persistent?.value ?? false),
    body: agent.prompt.text,
    harness,
    path,
    ...playerOf(harness, own, around, where, problems),
    cost: own.cost === undefined ? null : positive(own.cost, Number.POSITIVE_INFINITY, `${where}.cost`, problems),
    patience: positive(own.patience ?? work.patience, QUESTION_MINUTES, `${where}.patience`, problems),
    minutes: positive(own.minutes ?? work.minutes, RUN_MINUTES, `${where}.minutes`, problems),
  }
}

/**
 * The member's own setting comes first, then a program for all. An agent written for a harness runs there; the harness for
 * all applies to the others.
 */
function playerOf(
  dialect: string,
  own: Data,
  { work, root, registry }: TeamContext,
  where: string,
  problems: string[],
): Pick<Member, 'command' | 'playedIn'> {
  const isWritten = registry.byId(dialect)?.embody !== undefined
  for (const [from, at] of [
    [own, where],
    [work, `${TROUPE_FILE}: work`],
  ] as const) {
    if (from.command !== undefined && from.command !== null)
      return { command: commandOf(from.command, at, problems), playedIn: null }
    if (from.harness === undefined || from.harness === null) continue
    if (from === work && isWritten) continue
    const id = textOf(from.harness)
    if (id !== null && registry.byId(id)?.embody !== undefined) return playInHarness(root, id)
    const known = registry.all.filter(({ embody }) => embody !== undefined).map(({ id: one }) => one)
    problems.push(`${at}.harness: members can run in ${known.join(', ')}, but not in "${String(from.harness)}".`)
    return { command: null, playedIn: null }
  }
  return isWritten ? playInHarness(root, dialect) : { command: null, playedIn: null }
}

/** Run by Troupe itself, one process per run. */
function playInHarness(root: string, id: string): Pick<Member, 'command' | 'playedIn'> {
  return { command: [workplacePaths(root).program, 'work', 'act'], playedIn: id }
}

function mustHandOffFrom(value: unknown, where: string, problems: string[]): boolean {
  if (value !== undefined && value !== null && value !== 'required' && value !== 'optional')
    problems.push(`${where} must be required or optional; optional is used.`)
  return value === 'required'
}

/** Other dialects specify more about a handoff than its recipient. */
function handoffNames(value: Json): string[] {
  if (!Array.isArray(value)) return typeof value === 'string' ? [value] : []
  return value.flatMap((one) => {
    if (typeof one === 'string') return [one]
    const target = (one as { readonly agent?: Json } | null)?.agent
    return typeof target === 'string' ? [target] : []
  })
}

/** A list is a program and its arguments; a string is a shell command. */
function commandOf(value: unknown, where: string, problems: string[]): readonly string[] | null {
  if (value === undefined || value === null) return null
  const command = typeof value === 'string' ? ['/bin/sh', '-c', value] : value
  const isUsable =
    Array.isArray(command) && command.length > 0 && command.every((one) => typeof one === 'string' && one.trim() !== '')
  if (!isUsable) problems.push(`${where}.command must be a shell command or a list of words.`)
  else if (command.some((one) => one.includes('\0') || one.length > LONGEST_WORD))
    problems.push(
      `${where}.command cannot be run: one of its words has a NUL character or more than ${LONGEST_WORD} characters.`,
    )
  else return command
  return null
}

function readRules(work: Data, problems: string[]): TeamRules {
  const budget = asMap(work.budget, `${TROUPE_FILE}: work.budget`, problems)
  const number = (from: Data, key: string, otherwise: number, path: string) =>
    positive(from[key], otherwise, `${TROUPE_FILE}: ${path}${key}`, problems)
  const { budget: usual } = defaultTeamRules
  return {
    budget: {
      handoffs: number(budget, 'handoffs', usual.handoffs, 'work.budget.'),
      minutes: number(budget, 'minutes', usual.minutes, 'work.budget.'),
      turns: number(budget, 'turns', usual.turns, 'work.budget.'),
      cost: budget.cost === undefined ? usual.cost : number(budget, 'cost', Number.POSITIVE_INFINITY, 'work.budget.'),
    },
    attempts: Math.max(1, Math.round(number(work, 'attempts', defaultTeamRules.attempts, 'work.'))),
    backoff: number(work, 'backoff', defaultTeamRules.backoff, 'work.'),
    parallel: Math.max(1, Math.round(number(work, 'parallel', defaultTeamRules.parallel, 'work.'))),
    megabytes: number(work, 'megabytes', defaultTeamRules.megabytes, 'work.'),
  }
}

function positive(value: unknown, otherwise: number, where: string, problems: string[]): number {
  if (value === undefined || value === null) return otherwise
  if (typeof value === 'number' && value > 0 && value <= LARGEST) return value
  problems.push(`${where} must be a number above zero and at most ${LARGEST}; ${otherwise} is used.`)
  return otherwise
}

function asMap(value: unknown, where: string, problems: string[]): Data {
  if (value === undefined || value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Data
  problems.push(`${where} must be a set of keys and values.`)
  return {}
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function toWords(value: unknown): string[] {
  return [value].flat().filter((word): word is string => typeof word === 'string' && word !== '')
}
