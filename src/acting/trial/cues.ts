/** What the stand-in model says in a trial: each member hands on through the team's tools, or reports, and answers. */
import type { TeamTool } from '../../model/team-tools.ts'
import { fillCall } from '../../proof/perform.ts'
import type { Cue } from '../../proof/stub/play.ts'
import type { Answer, ToolCall } from '../../proof/stub/wire.ts'
import type { Stage } from '../launch.ts'
import { spellTeamTool } from '../wire-check.ts'

type Spelling = Pick<Stage, 'harness' | 'oracle' | 'embody'>

/** Stands at the end of a member's prompt, so that the model knows whose turn it is. */
export function markOf(member: string): string {
  return `(Troupe tries the team. This turn is the part of ${member} in it.)`
}

export function taskFor(member: string): string {
  return `Trial of the team: the part of ${member}. Change nothing.`
}

export function answerOf(member: string): string {
  return `The part of ${member} is played.`
}

export function cuesFor(member: string, hands: readonly string[], spelling: Spelling): Cue[] {
  const mine = { hears: markOf(member), equipped: true }
  const { hidden } = spelling.embody
  const search: Answer[] =
    hidden === undefined
      ? []
      : [{ calls: [fillCall(hidden.search, { tools: hands.length > 0 ? 'handoff' : 'report_status' })] }]
  const calls =
    hands.length > 0
      ? hands.map((to) => teamCall(spelling, 'handoff', { to, task: taskFor(to) }))
      : [teamCall(spelling, 'report_status', { status: 'completed', message: answerOf(member) })]
  // One call at a time: not every program takes several.
  const answers: Answer[] = [...search, ...calls.map((call) => ({ calls: [call] })), { text: answerOf(member) }]
  return answers.map((answer) => ({ ...mine, answer }))
}

function teamCall(spelling: Spelling, tool: TeamTool, given: ToolCall['arguments']): ToolCall {
  const { hidden } = spelling.embody
  if (hidden !== undefined) return { tool, namespace: hidden.namespace, arguments: given }
  return { tool: spellTeamTool(spelling, tool), arguments: given }
}
