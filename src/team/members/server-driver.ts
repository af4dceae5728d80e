/** Drives harnesses that run as a server: opens a session, prompts it once, and answers its questions meanwhile. */

import { request as httpRequest } from 'node:http'
import { wholeSlice } from '../../formats/text.ts'
import type { Embody, EventMatch } from '../../harness/schema/embody.ts'
import type { Json } from '../../model/agent.ts'
import { type Fill, fill, fillJson, parseOutput, valuesAt } from '../../verify/extract.ts'
import {
  type Child,
  type MemberTurn,
  onLines,
  STOP_GRACE,
  startChild,
  type TurnDriver,
  type TurnEnd,
} from './driver.ts'

/** Harnesses that run one turn and report it in JSON lines. */
export const driveLines: TurnDriver = async ({ embody, launch, listener, signal }) => {
  const { session, step, said, cost, failed } = embody.tells
  const child = startChild(launch, signal)
  let answer = ''
  let failure: string | null = null
  let steps = 0
  onLines(child.process.stdout, (line) => {
    const event = parseLine(line)
    if (event === null) return
    const id = eventValue(session, event)
    if (id !== null) listener.session(id)
    if (eventValue(step, event) !== null) {
      steps++
      listener.step()
    }
    answer = eventValue(said, event) ?? answer
    const spent = Number(eventValue(cost, event) ?? 0)
    if (spent > 0) listener.spent(spent)
    failure = eventValue(failed, event) ?? failure
  })
  child.process.stdin.end(launch.stdin ?? '')
  const code = await child.ended
  if (code === 0 && failure === null) return { answer }
  const how = code === null ? 'it was killed' : `it ended with exit code ${code}`
  const complaint = failure ?? child.complaint()
  return { trouble: complaint === '' ? how : `${how}: ${complaint}`, untouched: steps === 0 }
}

/** The value of a matching event; its mere presence if no path is given. */
function eventValue(onEvent: EventMatch | undefined, event: Json): string | null {
  if (onEvent === undefined) return null
  const fits = Object.entries(onEvent.where).every(
    ([key, value]) => String(valuesAt(event, key.split('.'))[0]) === value,
  )
  if (!fits) return null
  if (onEvent.at === undefined) return ''
  const found = valuesAt(event, onEvent.at.split('.')).filter((one) => one !== null && one !== undefined)
  return found.length === 0
    ? null
    : found.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
}

function parseLine(line: string): Json {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

type Recipe = NonNullable<Embody['server']>

/** How long its start may take (ms). */
const READY = 60_000

export const driveServer: TurnDriver = async (turn) => {
  const { server: recipe } = turn.embody
  if (recipe === undefined) return { trouble: 'its harness file does not say how to prompt it', untouched: true }
  const child = startChild(turn.launch, turn.signal, STOP_GRACE)
  const over = new AbortController()
  try {
    const address = await addressOf(child, recipe)
    if (address === null) return { trouble: `it did not start: ${child.complaint()}`, untouched: true }
    const login = recipe.login === undefined ? null : fill(recipe.login, turn.launch.values)
    const died = child.ended.then(
      (code): TurnEnd => ({
        trouble: `it ended during its turn (exit code ${code}): ${child.complaint()}`,
        untouched: false,
      }),
    )
    return await Promise.race([conductTurn(turn, recipe, { address, login }, over.signal), died])
  } finally {
    over.abort()
    child.end()
    await child.ended
  }
}

async function addressOf(child: Child, recipe: Recipe): Promise<string | null> {
  const ready = new RegExp(recipe.ready)
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), READY)
    const look = (line: string) => {
      const address = ready.exec(line)?.[1]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    }
    onLines(child.process.stdout, look)
    onLines(child.process.stderr, look)
    void child.ended.then(() => resolve(null))
  })
}

async function conductTurn(
  turn: MemberTurn,
  recipe: Recipe,
  server: ServerAddress,
  over: AbortSignal,
): Promise<TurnEnd> {
  const { listener, prompt, signal } = turn
  const { open, prompt: ask, cancel } = recipe
  let values: Fill = { ...turn.launch.values, prompt }
  const say = ({ post: path, body }: { readonly post: string; readonly body: Json }) =>
    postToServer(server, fill(path, values), fillJson(body, values), over)
  let session = turn.resume
  if (session === null) {
    const opened = await say(open)
    if ('trouble' in opened) return { ...opened, untouched: true }
    const id = valuesAt(opened.data, open.id.split('.'))[0]
    if (typeof id !== 'string') return { trouble: 'it opened no session', untouched: true }
    session = id
  }
  values = { ...values, session }
  listener.session(session)
  let steps = 0
  await listenToServer(
    server,
    fill(recipe.events, values),
    (event) => {
      if (eventValue(recipe.step, event) !== null) {
        steps++
        listener.step()
      }
      void answerQuestion(turn, recipe, server, values, event, over)
    },
    over,
  )
  if (cancel !== undefined) signal.addEventListener('abort', () => void say(cancel), { once: true })
  const reply = await say(ask)
  if ('trouble' in reply) return { ...reply, untouched: steps === 0 }
  const [failure] = ask.failed === undefined ? [] : valuesAt(reply.data, ask.failed.split('.'))
  if (failure !== undefined && failure !== null)
    return {
      trouble: typeof failure === 'string' ? failure : wholeSlice(JSON.stringify(failure), 0, 400),
      untouched: steps === 0,
    }
  const cost = Number(ask.cost === undefined ? 0 : valuesAt(reply.data, ask.cost.split('.'))[0])
  if (cost > 0) listener.spent(cost)
  const said = valuesAt(reply.data, ask.said.split('.')).filter((one): one is string => typeof one === 'string')
  return { answer: said.join('\n') }
}

async function answerQuestion(
  { listener }: MemberTurn,
  { question }: Recipe,
  server: ServerAddress,
  values: Fill,
  event: Json,
  over: AbortSignal,
): Promise<void> {
  if (question === undefined) return
  const request = eventValue({ where: question.where, at: question.id }, event)
  // Questions of its children come from their own sessions, and are asked anyway.
  if (request === null) return
  const textsAt = (path: string) =>
    valuesAt(event, path.split('.')).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  const [tool = ''] = textsAt(question.tool)
  const subjects = textsAt(question.subjects)
  const yes = await listener.requestPermission({ tool, subjects, about: `${tool}: ${subjects.join(', ')}` })
  const { post: path, body, yes: affirm, no: refuse } = question.answer
  const filled = { ...values, request, answer: yes ? affirm : refuse }
  await postToServer(server, fill(path, filled), fillJson(body, filled), over)
}

/** Requests to a server on this machine that may take as long as a turn. */
interface ServerAddress {
  readonly address: string
  /** `user:password`, or null. */
  readonly login: string | null
}

type ServerReply = { readonly data: Json } | { readonly trouble: string }

/** Not `fetch`: that times out after five minutes without an answer, and a turn may take an hour. */
function postToServer(
  { address, login }: ServerAddress,
  path: string,
  body: Json,
  signal: AbortSignal,
): Promise<ServerReply> {
  return new Promise((resolve) => {
    const request = httpRequest(
      address + path,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        signal,
        ...(login === null ? {} : { auth: login }),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', (error) => resolve({ trouble: `it did not finish its answer (${error.message})` }))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const { statusCode = 0 } = response
          if (statusCode >= 300)
            resolve({ trouble: `it answered ${statusCode} to ${path}: ${wholeSlice(text, 0, 300)}` })
          else resolve({ data: parseOutput(text) })
        })
      },
    )
    request.on('error', (error) => resolve({ trouble: `it did not answer ${path} (${error.message})` }))
    request.end(JSON.stringify(body))
  })
}

/** Listens to a server's events; ready when the stream is open. */
function listenToServer(
  { address, login }: ServerAddress,
  path: string,
  onEvent: (event: Json) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const request = httpRequest(address + path, { signal, ...(login === null ? {} : { auth: login }) }, (response) => {
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line.startsWith('data:')) onEvent(parseOutput(line))
      })
      response.on('error', () => {})
      resolve()
    })
    request.on('error', () => resolve())
    request.end()
  })
}
