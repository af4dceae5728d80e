/** The MCP server of the team tools, on standard input and output. */
import { TEAM_SERVER, type TeamTool, teamToolNames } from '../../model/tools.ts'
import { findUnsafePath, findWorkplace } from '../engine/paths.ts'
import { WorkplaceError } from '../runtime/open.ts'
import { handoff, readMessages, reportStatus, roster, sendMessage } from './message-tools.ts'
import { CallToolRequestSchema, ListToolsRequestSchema, Server, StdioServerTransport } from './protocol.ts'
import { taskCreate, taskGet, taskList, taskUpdate } from './shared-tasks.ts'
import {
  checkArguments,
  identifyCaller,
  schemaOf,
  type TeamToolSpec,
  type ToolCaller,
  type ToolParameter,
  ToolRefusal,
  textArgument,
} from './tool.ts'

const tools: Readonly<Record<TeamTool, TeamToolSpec>> = {
  handoff,
  send_message: sendMessage,
  read_messages: readMessages,
  roster,
  task_create: taskCreate,
  task_update: taskUpdate,
  task_list: taskList,
  task_get: taskGet,
  report_status: reportStatus,
}

export interface TeamServerOptions {
  /** Where the workplace is looked for. */
  readonly here: string
  readonly environment: NodeJS.ProcessEnv
  readonly version: string
}

/** Serves until its input ends. */
export async function serveTeamTools(place: TeamServerOptions): Promise<void> {
  const server = new Server({ name: TEAM_SERVER, version: place.version }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offeredTools(place) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const { words, isError } = await answer(place, name, given)
    return { content: [{ type: 'text', text: words }], isError }
  })
  const ended = new Promise<void>((resolve) => {
    process.stdin.on('end', resolve)
    process.stdin.on('close', resolve)
  })
  await server.connect(new StdioServerTransport())
  await ended
  await server.close()
}

/** Those of the caller, in the protocol's format; a caller without a token must name its agent. */
export function offeredTools({ here, environment }: Pick<TeamServerOptions, 'here' | 'environment'>) {
  const caller = identifyCaller(findWorkplace(workplaceOf(here, environment)), environment)
  if ('problem' in caller) return []
  return teamToolNames
    .filter((name) => isGiven(caller, name))
    .map((name) => ({
      name,
      description: tools[name].about,
      inputSchema: schemaOf(parametersOf(tools[name], caller)),
      annotations: { readOnlyHint: tools[name].reads === true, destructiveHint: false, openWorldHint: false },
    }))
}

function isGiven({ tools: given }: ToolCaller, name: string): boolean {
  return given === null || given.includes(name)
}

const speakerParameter: ToolParameter = { type: 'string', about: 'your own name in the team', required: true }

function parametersOf({ parameters }: TeamToolSpec, { agent }: ToolCaller): TeamToolSpec['parameters'] {
  return agent === null ? { me: speakerParameter, ...parameters } : parameters
}

async function answer(
  { here, environment }: TeamServerOptions,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<{ words: string; isError: boolean }> {
  try {
    const places = findWorkplace(workplaceOf(here, environment))
    // Checked for each call: a token is invalid once its run is over.
    const caller = identifyCaller(places, environment)
    if ('problem' in caller) throw new ToolRefusal(caller.problem)
    if (places === null)
      throw new ToolRefusal(
        'There is no workplace here, so nothing can be saved. A person can create one: troupe work init.',
      )
    const strange = findUnsafePath(places)
    if (strange !== null) throw new ToolRefusal(`${strange}. Troupe does not write there.`)
    const tool = tools[name as TeamTool]
    if (tool === undefined || !isGiven(caller, name)) throw new ToolRefusal(`You have no tool "${name}".`)
    const known = checkArguments(parametersOf(tool, caller), given)
    const me = caller.agent ?? textArgument(known, 'me')
    return { words: await tool.run({ places, caller, me, given: known }), isError: false }
  } catch (error) {
    if (error instanceof ToolRefusal || error instanceof WorkplaceError) return { words: error.message, isError: true }
    const { code, message } = error as NodeJS.ErrnoException
    return { words: `Failed: ${code === undefined ? message : `${code}, ${message}`}.`, isError: true }
  }
}

function workplaceOf(here: string, { TROUPE_WORKPLACE: own }: NodeJS.ProcessEnv): string {
  return own === undefined || own === '' ? here : own
}
