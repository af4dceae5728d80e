/** Who is to be played: the agent, its harness and its program, as the workplace around it says. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { TeamTool } from '../model/team-tools.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { type RenderedMember, renderMember } from '../project/render-member.ts'
import { findProgram } from '../proof/find-program.ts'
import { openConfig, openTeam } from '../runtime/open.ts'
import type { Places } from '../runtime/places.ts'
import { agentsIn } from '../runtime/roster.ts'
import { fillPlace } from '../workplace/prompt.ts'
import type { Member } from '../workplace/roster.ts'
import { notInstalled } from './installed.ts'
import type { Stage } from './launch.ts'

export interface Cast {
  readonly registry: Registry
  readonly member: Member
  readonly stage: Stage
  readonly rendered: RenderedMember
  readonly tools: readonly TeamTool[]
}

/** `problem`: why it cannot be played, as a sentence; trying again would not help. */
export async function castMember(
  places: Places,
  name: string,
  cwd: string,
): Promise<Cast | { readonly problem: string }> {
  const { root } = places
  const { registry, roster } = await openTeam(places)
  const member = roster.get(name)
  const found = agentsIn(root, registry).get(name)
  if (member === undefined || found === undefined) return { problem: `there is no agent "${name}" any more` }
  const stage = stageOf(registry, member)
  if ('problem' in stage) return stage
  const tools = toolsFor(member)
  const rendered = renderFor(places, registry, found, stage.harness, tools, cwd)
  return 'problem' in rendered ? rendered : { registry, member, stage, rendered, tools }
}

function stageOf(registry: Registry, { playedIn, name }: Member): Stage | { readonly problem: string } {
  const harness = playedIn === null ? undefined : registry.byId(playedIn)
  const { embody, oracle } = harness ?? {}
  if (harness === undefined || embody === undefined || oracle === undefined)
    return { problem: `nothing says in which harness ${name} is played` }
  const program = findProgram(oracle.program.name)
  if (program === null) return { problem: notInstalled(harness).message }
  return { harness, embody, oracle, program }
}

/** Who may hand on is given the tools for it; the others answer with their last words. */
export function toolsFor({ handoffTo }: Member): readonly TeamTool[] {
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
export function renderFor(
  places: Places,
  registry: Registry,
  found: FoundAgent,
  harness: Harness,
  tools: readonly TeamTool[],
  cwd: string,
): RenderedMember | { readonly problem: string } {
  const { uuid, name } = openConfig(places)
  const fill = (prompt: string) => fillPlace(prompt, { uuid, name, path: cwd })
  return renderMember(places.root, registry, found, harness, { tools, fill })
}
