/** Prepares a member: its agent, its harness, its program and its login, as configured in the workplace. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expandPlace } from '../../disk/roots.ts'
import { findProgram } from '../../disk/run-program.ts'
import type { Registry } from '../../harness/registry.ts'
import type { LoginSpec } from '../../harness/schema/embody.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Oracle } from '../../harness/schema/oracle.ts'
import type { TeamTool } from '../../model/tools.ts'
import type { FoundAgent } from '../../workbench/inventory.ts'
import type { WorkplacePaths } from '../engine/paths.ts'
import { openTeam, readWorkplaceConfig } from '../runtime/open.ts'
import { teamAgents } from '../runtime/read-team.ts'
import { fillWorkplace } from '../state/prompt.ts'
import type { Login, Member } from '../state/roster.ts'
import type { HarnessProgram } from './launch.ts'
import { type RenderedMember, renderMember } from './render-member.ts'

/** The harnesses that can run members, and which of them are installed. */
export interface PlayableHarness {
  readonly harness: Harness
  readonly oracle: Oracle
  /** Null: not installed. */
  readonly program: string | null
}

export function playableHarnesses({ all }: Registry): PlayableHarness[] {
  return all.flatMap((harness) => {
    const { oracle, embody } = harness
    if (oracle === undefined || embody === undefined) return []
    return [{ harness, oracle, program: findProgram(oracle.program.name) }]
  })
}

/** `Claude Code is not installed: there is no `claude` on the PATH`, and how to get it. */
export function notInstalledText({ title, oracle }: Pick<Harness, 'title' | 'oracle'>): {
  readonly message: string
  readonly hint?: string
} {
  const { name, install } = oracle?.program ?? {}
  return {
    message: `${title} is not installed: there is no \`${name}\` on the PATH.`,
    ...(install === undefined ? {} : { hint: `\`${install}\` installs it.` }),
  }
}

export interface PreparedMember {
  readonly registry: Registry
  readonly member: Member
  readonly host: HarnessProgram
  readonly rendered: RenderedMember
  readonly tools: readonly TeamTool[]
}

/** `problem`: why it cannot run, as a sentence; retrying would not help. */
export async function prepareMember(
  places: WorkplacePaths,
  name: string,
  cwd: string,
): Promise<PreparedMember | { readonly problem: string }> {
  const { root } = places
  const { registry, roster } = await openTeam(places)
  const member = roster.get(name)
  const found = teamAgents(root, registry).get(name)
  if (member === undefined || found === undefined) return { problem: `the agent "${name}" no longer exists` }
  const host = harnessProgramOf(registry, member)
  if ('problem' in host) return host
  const tools = memberTools(member)
  const rendered = renderForHarness(places, registry, found, host.harness, tools, cwd)
  return 'problem' in rendered ? rendered : { registry, member, host, rendered, tools }
}

function harnessProgramOf(
  registry: Registry,
  { playedIn, name }: Member,
): HarnessProgram | { readonly problem: string } {
  const harness = playedIn === null ? undefined : registry.byId(playedIn)
  const { embody, oracle } = harness ?? {}
  if (harness === undefined || embody === undefined || oracle === undefined)
    return { problem: `no harness is set for ${name}` }
  const program = findProgram(oracle.program.name)
  if (program === null) return { problem: notInstalledText(harness).message }
  return { harness, embody, oracle, program }
}

/** A member that may hand on gets the tools for it; the others answer with their last message. */
export function memberTools({ handoffTo }: Member): readonly TeamTool[] {
  const speaking: readonly TeamTool[] = handoffTo.length === 0 ? [] : ['handoff', 'send_message']
  return [
    ...speaking,
    'read_messages',
    'roster',
    'task_create',
    'task_update',
    'task_list',
    'task_get',
    'report_status',
  ]
}

/** The definition as its harness must see it. */
export function renderForHarness(
  places: WorkplacePaths,
  registry: Registry,
  found: FoundAgent,
  harness: Harness,
  tools: readonly TeamTool[],
  cwd: string,
): RenderedMember | { readonly problem: string } {
  const { uuid, name } = readWorkplaceConfig(places)
  const fill = (prompt: string) => fillWorkplace(prompt, { uuid, name, path: cwd })
  return renderMember(places.root, registry, found, harness, { tools, fill })
}

/** Whether a harness has a login or a key: only the existence of files and variables is checked, never their content. */
export interface LoginEnvironment {
  /** The project. */
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: string
}

export function findLogin(ways: LoginSpec, { root, environment, platform }: LoginEnvironment): Login {
  const isThere = (file: string) => existsSync(resolve(root, expandPlace(file, environment)))
  const variable = ways.environment.find((name) => environment[name])
  if (variable !== undefined) return { state: 'found', where: variable }
  const file = ways.files.find(isThere)
  if (file !== undefined) return { state: 'found', where: shownPath(file, environment) }
  const perhaps = ways.perhaps.find(
    (one) => (one.platform ?? platform) === platform && (one.file === undefined || isThere(one.file)),
  )
  if (perhaps !== undefined) return { state: 'unknown', where: perhaps.why }
  return {
    state: 'none',
    where: [...ways.environment.slice(0, 1), ...ways.files].map((one) => shownPath(one, environment)).join(', '),
  }
}

/** With the home folder shown as `~`. */
function shownPath(place: string, environment: LoginEnvironment['environment']): string {
  return expandPlace(place, { ...environment, HOME: '~' })
}
