/** Harnesses that run as a server: a session is opened, asked once, and its questions are answered meanwhile. */
import type { Embody } from '../harness/schema/embody.ts'
import type { Json } from '../model/agent.ts'
import { follow } from '../proof/extract.ts'
import { type Fill, fill, fillJson } from '../proof/template.ts'
import { wholeSlice } from '../text/whole-slice.ts'
import { type Child, onLines, POLITE, startChild } from './child.ts'
import type { Driver, Ended, Turn } from './driver.ts'
import { hear, post, type Server } from './http.ts'
import { valueIn } from './lines-driver.ts'

type Recipe = NonNullable<Embody['server']>

/** How long it may take to be there (ms). */
const READY = 60_000

export const driveServer: Driver = async (turn) => {
  const { server: recipe } = turn.embody
  if (recipe === undefined) return { trouble: 'its harness file does not say how it is asked', untouched: true }
  const child = startChild(turn.launch, turn.signal, POLITE)
  const over = new AbortController()
  try {
    const address = await addressOf(child, recipe)
    if (address === null) return { trouble: `it did not start: ${child.complaint()}`, untouched: true }
    const login = recipe.login === undefined ? null : fill(recipe.login, turn.launch.values)
    const died = child.ended.then(
      (code): Ended => ({
        trouble: `it ended in the middle of its turn (exit code ${code}): ${child.complaint()}`,
        untouched: false,
      }),
    )
    return await Promise.race([converse(turn, recipe, { address, login }, over.signal), died])
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

async function converse(turn: Turn, recipe: Recipe, server: Server, over: AbortSignal): Promise<Ended> {
  const { listener, prompt, signal } = turn
  const { open, prompt: ask, cancel } = recipe
  let values: Fill = { ...turn.launch.values, prompt }
  const say = ({ post: path, body }: { readonly post: string; readonly body: Json }) =>
    post(server, fill(path, values), fillJson(body, values), over)
  let session = turn.resume
  if (session === null) {
    const opened = await say(open)
    if ('trouble' in opened) return { ...opened, untouched: true }
    const id = follow(opened.data, open.id.split('.'))[0]
    if (typeof id !== 'string') return { trouble: 'it opened no session', untouched: true }
    session = id
  }
  values = { ...values, session }
  listener.session(session)
  let steps = 0
  await hear(
    server,
    fill(recipe.events, values),
    (event) => {
      if (valueIn(recipe.step, event) !== null) {
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
  const [failure] = ask.failed === undefined ? [] : follow(reply.data, ask.failed.split('.'))
  if (failure !== undefined && failure !== null)
    return {
      trouble: typeof failure === 'string' ? failure : wholeSlice(JSON.stringify(failure), 0, 400),
      untouched: steps === 0,
    }
  const cost = Number(ask.cost === undefined ? 0 : follow(reply.data, ask.cost.split('.'))[0])
  if (cost > 0) listener.spent(cost)
  const said = follow(reply.data, ask.said.split('.')).filter((one): one is string => typeof one === 'string')
  return { answer: said.join('\n') }
}

async function answerQuestion(
  { listener }: Turn,
  { question }: Recipe,
  server: Server,
  values: Fill,
  event: Json,
  over: AbortSignal,
): Promise<void> {
  if (question === undefined) return
  const request = valueIn({ where: question.where, at: question.id }, event)
  // Questions of its children come from sessions of their own, and are asked all the same.
  if (request === null) return
  const textsAt = (path: string) =>
    follow(event, path.split('.')).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  const [tool = ''] = textsAt(question.tool)
  const subjects = textsAt(question.subjects)
  const yes = await listener.mayI({ tool, subjects, about: `${tool}: ${subjects.join(', ')}` })
  const { post: path, body, yes: affirm, no: refuse } = question.answer
  const filled = { ...values, request, answer: yes ? affirm : refuse }
  await post(server, fill(path, filled), fillJson(body, filled), over)
}
