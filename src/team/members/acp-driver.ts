/** Drives harnesses that support the Agent Client Protocol: sessions, permissions, cancelling and resuming. */
import { Readable, Writable } from 'node:stream'
import { wholeSlice } from '../../formats/text.ts'
import { type MemberTurn, STOP_GRACE, startChild, type TurnDriver, type TurnEnd } from './driver.ts'
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from './protocol.ts'

/** Only the end of an answer is kept; a harness may print anything. */
const MOST = 256 * 1024
/** How long a harness may take to open a session (ms). */
const READY = 60_000

export const driveAcp: TurnDriver = async (turn) => {
  const { launch, listener, signal } = turn
  const child = startChild(launch, signal, STOP_GRACE)
  let answer = ''
  let steps = 0
  let isReplaying = true
  const said = new Set<string>()
  const app = client({ name: 'troupe' })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (isReplaying) return
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
        answer = wholeSlice(answer + update.content.text, -MOST)
      // A tool call ends an answer of the model; the next words belong to another one.
      if (update.sessionUpdate === 'tool_call' && !said.has(update.toolCallId)) {
        said.add(update.toolCallId)
        answer = ''
        steps++
        listener.step()
      }
    })
    .onRequest(methods.client.session.requestPermission, async ({ params: { toolCall, options } }) => {
      const { kind, title, rawInput } = toolCall
      const yes = await listener.requestPermission({
        tool: kind ?? 'other',
        subjects: [subjectOf(rawInput) ?? toolCall.locations?.map(({ path }) => path) ?? []].flat(),
        about: title ?? kind ?? 'an action without a name',
      })
      const wanted = options.find((one) => one.kind === (yes ? 'allow_once' : 'reject_once'))
      return {
        outcome: wanted === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: wanted.optionId },
      }
    })
  const stream = ndJsonStream(Writable.toWeb(child.process.stdin), Readable.toWeb(child.process.stdout) as never)
  const connection = app.connect(stream)
  const { agent } = connection
  const died = child.ended.then(
    (code): TurnEnd => ({
      trouble: `it ended ${steps > 0 ? 'during its turn' : 'before its turn'} (exit code ${code}): ${child.complaint()}`,
      untouched: steps === 0,
    }),
  )
  const converse = async (): Promise<TurnEnd> => {
    const started = await within(
      READY,
      agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: {},
      }),
    )
    if (started.protocolVersion !== PROTOCOL_VERSION)
      return {
        trouble: `it speaks version ${started.protocolVersion} of the protocol, but Troupe speaks ${PROTOCOL_VERSION}`,
        untouched: true,
      }
    const session = await within(READY, openSession(turn, agent as never, started.agentCapabilities))
    listener.session(session)
    isReplaying = false
    signal.addEventListener('abort', () => void agent.notify(methods.agent.session.cancel, { sessionId: session }), {
      once: true,
    })
    listener.step()
    steps++
    const { stopReason } = await agent.request(methods.agent.session.prompt, {
      sessionId: session,
      prompt: [{ type: 'text', text: turn.prompt }],
    })
    return stopReason === 'end_turn'
      ? { answer: answer.trim() }
      : { trouble: `its turn ended with "${stopReason}"`, untouched: false }
  }
  try {
    return await Promise.race([converse(), died])
  } catch (error) {
    // A broken connection means that the program has ended: its exit is more informative.
    const gone = await Promise.race([died, new Promise<null>((resolve) => setTimeout(() => resolve(null), 500))])
    return gone ?? { trouble: reasonOf(error), untouched: steps === 0 }
  } finally {
    connection.close()
    child.end()
    await child.ended
  }
}

interface Capabilities {
  readonly loadSession?: boolean | null
  readonly sessionCapabilities?: { readonly resume?: object | null } | null
}

interface Agent {
  request<T>(method: string, params: object): Promise<T>
}

/** Resume before load before fresh. */
async function openSession(
  { launch, resume, server }: MemberTurn,
  agent: Agent,
  able: Capabilities | null | undefined,
): Promise<string> {
  const env = Object.entries(server.env).map(([name, value]) => ({ name, value }))
  const mcpServers = [{ name: 'troupe', command: server.command, args: server.args, env }]
  const given = { cwd: launch.cwd, mcpServers }
  if (resume !== null) {
    const method = able?.sessionCapabilities?.resume
      ? methods.agent.session.resume
      : able?.loadSession
        ? methods.agent.session.load
        : null
    try {
      if (method !== null) {
        await agent.request(method, { ...given, sessionId: resume })
        return resume
      }
    } catch {
      // It is gone: a new session gets the full context.
    }
  }
  const { sessionId } = await agent.request<{ sessionId?: unknown }>(methods.agent.session.new, given)
  if (typeof sessionId !== 'string') throw new Error('it opened no session')
  return sessionId
}

/** A harness that does not respond is not waited for. */
function within<T>(limit: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it did not answer within ${limit / 1000} seconds`)), limit)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** The command or path, independent of where the harness puts it. */
function subjectOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null
  const data = input as Readonly<Record<string, unknown>>
  const value = ['command', 'file_path', 'path', 'url', 'filePath']
    .map((key) => data[key])
    .find((one) => typeof one === 'string')
  return typeof value === 'string' ? value : null
}

function reasonOf(error: unknown): string {
  const { message, data } = error as { message?: string; data?: unknown }
  const more = data === undefined ? '' : ` (${wholeSlice(JSON.stringify(data), 0, 300)})`
  return `${message ?? String(error)}${more}`
}
