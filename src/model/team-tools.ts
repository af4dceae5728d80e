/** The tools that `troupe mcp` gives to a harness which lacks them, and what each of them stands in for. */

/** The name of the server in configurations. */
export const TEAM_SERVER = 'troupe'

/** Tool to the neutral tools of which an agent must have one to be given it; none: everybody has it. */
export const teamTools = {
  handoff: ['message', 'delegate', 'team'],
  send_message: ['message', 'team'],
  read_messages: ['message', 'team'],
  roster: ['message', 'delegate', 'team'],
  task_create: ['task'],
  task_update: ['task'],
  task_list: ['task'],
  task_get: ['task'],
  report_status: ['message', 'task', 'team'],
} as const satisfies Record<string, readonly string[]>

export type TeamTool = keyof typeof teamTools

export const teamToolNames = Object.keys(teamTools) as readonly TeamTool[]

/** As a rule of access names it. */
export function teamToolRule(tool: TeamTool): string {
  return `mcp:${TEAM_SERVER}/${tool}`
}
