/** The members of a workplace, in any dialect. */

import { nearestWord } from '../../formats/text.ts'
import type { Action } from '../../model/access/rules.ts'
import type { AccessSummary } from '../../model/access/summary.ts'
import type { ProcessId } from '../../model/process-id.ts'

/** The dialect of the workplace's own agents. */
export const WORKPLACE_DIALECT = 'workplace'

export interface Member {
  readonly name: string
  readonly role: string | null
  readonly triggers: readonly string[]
  /** Members that it may hand work to; answering is always allowed. */
  readonly handoffTo: readonly string[]
  /** It must hand on, or report that it is done: a plain answer is not enough. */
  readonly mustHandOff: boolean
  readonly persistent: boolean
  /** The prompt of its definition. */
  readonly body: string
  readonly harness: string
  readonly path: string
  /** The program that runs it, and its arguments; null if none is named. */
  readonly command: readonly string[] | null
  /** The harness in which it runs, if Troupe knows its program; null: an ordinary program. */
  readonly playedIn: string | null
  /** The maximum cost of one run, as far as its harness reports it; null: unlimited. */
  readonly cost: number | null
  /** How long a question to the person waits (minutes), before the answer is no. */
  readonly patience: number
  /** How long one run may take. */
  readonly minutes: number
}

export type Roster = ReadonlyMap<string, Member>

export function unknownMemberText(name: string, roster: Roster): string {
  const close = nearestWord(name, [...roster.keys()])
  return `there is no agent "${name}"${close === null ? '' : `; did you mean ${close}?`}`
}

/** The recipient of a task that names none: the member whose trigger words occur in it. */
interface RoutedTask {
  /** The members with the most trigger words in the task; one is an answer, several are a question. */
  readonly members: readonly Member[]
  readonly words: readonly string[]
}

export function routeTask(task: string, roster: Roster): RoutedTask {
  const scored = [...roster.values()].map((member) => {
    const words = member.triggers.filter((word) => containsWords(task, word))
    return { member, words }
  })
  const most = Math.max(0, ...scored.map(({ words }) => words.length))
  if (most === 0) return { members: [], words: [] }
  const best = scored.filter(({ words }) => words.length === most)
  return { members: best.map(({ member }) => member), words: [...new Set(best.flatMap(({ words }) => words))] }
}

/** As whole words, ignoring case; `test` is in "Test it" but not in "latest". */
function containsWords(task: string, words: string): boolean {
  const pattern = words
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+')
  return pattern !== '' && new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, 'iu').test(task)
}

/** Whether a harness has a login or a key; `where`: the evidence, or why it is unknown. */
export interface Login {
  readonly state: 'found' | 'none' | 'unknown'
  readonly where: string
}

export interface Player {
  readonly member: string
  /** Null: an ordinary program. */
  readonly harness: {
    readonly id: string
    readonly title: string
    /** Null: it is missing, or does not report one. */
    readonly version: string | null
    /** The version that Troupe's data was checked with. */
    readonly checked: string | null
  } | null
  /** An ordinary program and its arguments, or a shell command; null if there is none. */
  readonly command: readonly string[] | null
  /** The path of the program; null: not found. */
  readonly program: string | null
  /** What the harness permits; null if Troupe does not limit it, or if it is unknown. */
  readonly access: AccessSummary['general'] | null
  /** In plain words, such as "reads and searches files; runs Bash unasked". */
  readonly may: string
  /** Null: it needs none that Troupe knows of. */
  readonly login: Login | null
  /** Why it cannot run; null: it can. */
  readonly problem: {
    readonly code: 'no-program' | 'not-playable' | 'no-login'
    readonly message: string
    readonly hint?: string
  } | null
}

/** The tool's own name for a capability, if the harness has one. */
type NativeToolName = (capability: string) => string | null

const permissionWords: Readonly<Record<string, string>> = {
  read: 'read files',
  write: 'write files',
  edit: 'edit files',
  shell: 'run commands',
  fetch: 'fetch pages',
  search: 'search the web',
  delegate: 'start other agents',
  'mcp:*': 'use other MCP servers',
}

/** The servers that a definition names have their own rules; the team's is always there. */
export function permissionsText({ general, exceptions }: AccessSummary, native: NativeToolName): string {
  const known = Object.entries(general).filter(([capability]) => capability in permissionWords)
  const having = (...wanted: readonly Action[]) =>
    known.filter(([, action]) => wanted.includes(action)).map(([capability]) => capability)
  const [free, asked, denied] = [having('allow', 'offer'), having('ask'), having('deny')]
  const say = (capabilities: readonly string[], last: string) =>
    joinNames(
      capabilities.map((one) => permissionWords[one] ?? one),
      last,
    )
  const rest = exceptions.length === 0 ? '' : '; some commands or paths have their own rules'
  if (asked.length === 0 && denied.length <= 2 && !denied.includes('shell') && !denied.includes('write')) {
    const named = ['shell', 'write'].flatMap((one) => native(one) ?? permissionWords[one] ?? [])
    const but = denied.length === 0 ? '' : ` except ${say(denied, 'and')}`
    return `may do everything${but}, including ${joinNames(named, 'and')}, without asking${rest}`
  }
  const parts = [
    free.length === 0 ? 'may do nothing without asking' : `may ${say(free, 'and')} without asking`,
    ...(asked.length === 0 ? [] : [`asks you before it may ${say(asked, 'or')}`]),
    ...(denied.length === 0 || denied.length > 4 ? [] : [`may not ${say(denied, 'or')}`]),
    ...(denied.length > 4 ? ['may not do anything else'] : []),
  ]
  return parts.join('; ') + rest
}

export function joinNames(items: readonly string[], last: string): string {
  const unique = [...new Set(items)]
  const [end = '', ...before] = unique.reverse()
  return before.length === 0 ? end : `${before.reverse().join(', ')} ${last} ${end}`
}

/** A persistent member: whether its program is up, and why it last ended. */
export interface ServiceState {
  readonly agent: string
  run: string | null
  process: ProcessId | null
  at: number
  why: string | null
}

export function markServiceUp(service: ServiceState, run: string, { pid, start }: ProcessId, at: number): void {
  service.run = run
  service.process = { pid, start }
  service.at = at
}

/** The end of an earlier run does not affect the current one. */
export function markServiceDown(service: ServiceState, run: string, at: number, why: string | null): void {
  if (service.run !== run) return
  service.run = null
  service.process = null
  service.at = at
  service.why = why
}

export function serviceOf(services: Map<string, ServiceState>, agent: string): ServiceState {
  const known = services.get(agent)
  if (known !== undefined) return known
  const service: ServiceState = { agent, run: null, process: null, at: 0, why: null }
  services.set(agent, service)
  return service
}
