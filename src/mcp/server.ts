/** The team tools as a server of the Model Context Protocol, on standard input and output. */
import { TEAM_SERVER, type TeamTool, teamToolNames } from '../model/team-tools.ts'
import { NoWorkplace } from '../runtime/open.ts'
import { strangePlace } from '../runtime/own-places.ts'
import { findWorkplace } from '../runtime/places.ts'
import { type Caller, callerIn } from './caller.ts'
import { handoff, readMessages, reportStatus, roster, sendMessage } from './message-tools.ts'
import { CallToolRequestSchema, ListToolsRequestSchema, Server, StdioServerTransport } from './protocol.ts'
import { taskCreate, taskGet, taskList, taskUpdate } from './task-tools.ts'
import { checkArguments, type Parameter, Refusal, schemaOf, type Tool, text } from './tool.ts'

const tools: Readonly<Record<TeamTool, Tool>> = {
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

export interface Place {
  /** Where the workplace is looked for. */
  readonly here: string
  readonly environment: NodeJS.ProcessEnv
  readonly version: string
}

/** Serves until its input ends. */
export async function serve(place: Place): Promise<void> {
  const server = new Server({ name: TEAM_SERVER, version: place.version }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered(place) }))
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

/** Those of the caller, as the protocol tells them; somebody without a token must say in whose name it is. */
export function offered({ here, environment }: Pick<Place, 'here' | 'environment'>) {
  const caller = callerIn(findWorkplace(workplaceOf(here, environment)), environment)
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

function isGiven({ tools: given }: Caller, name: string): boolean {
  return given === null || given.includes(name)
}

const speaker: Parameter = { type: 'string', about: 'your own name in the team', required: true }

function parametersOf({ parameters }: Tool, { agent }: Caller): Tool['parameters'] {
  return agent === null ? { me: speaker, ...parameters } : parameters
}

async function answer(
  { here, environment }: Place,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<{ words: string; isError: boolean }> {
  try {
    const places = findWorkplace(workplaceOf(here, environment))
    // Looked at anew for each call: a token is worth nothing once its run is over.
    const caller = callerIn(places, environment)
    if ('problem' in caller) throw new Refusal(caller.problem)
    if (places === null)
      throw new Refusal('There is no workplace here, so nothing can be kept. A person can make one: troupe work init.')
    const strange = strangePlace(places)
    if (strange !== null) throw new Refusal(`${strange}, and Troupe does not write there.`)
    const tool = tools[name as TeamTool]
    if (tool === undefined || !isGiven(caller, name)) throw new Refusal(`There is no tool "${name}" for you.`)
    const known = checkArguments(parametersOf(tool, caller), given)
    const me = caller.agent ?? text(known, 'me')
    return { words: await tool.run({ places, caller, me, given: known }), isError: false }
  } catch (error) {
    if (error instanceof Refusal || error instanceof NoWorkplace) return { words: error.message, isError: true }
    const { code, message } = error as NodeJS.ErrnoException
    return { words: `It could not be done: ${code === undefined ? message : `${code}, ${message}`}.`, isError: true }
  }
}

function workplaceOf(here: string, { TROUPE_WORKPLACE: own }: NodeJS.ProcessEnv): string {
  return own === undefined || own === '' ? here : own
}
