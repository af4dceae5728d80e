/** The stub model: a server on 127.0.0.1 that speaks four protocols, records everything, and shuts down by itself. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from '../../model/agent.ts'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openaiChat, openaiResponses } from './openai.ts'
import { type Cue, createScript } from './script.ts'
import type { WireRequest } from './wire.ts'

const protocols = [anthropic, openaiChat, openaiResponses, gemini]

export interface StubOptions {
  readonly cues?: readonly Cue[]
  /** After this many answers only errors follow: a harness must not loop forever. */
  readonly mostAnswers?: number
  /** The server closes after this many milliseconds without a request. */
  readonly idle?: number
  /** How many milliseconds an answer waits for what should come before it. */
  readonly patience?: number
}

export interface Stub {
  readonly url: string
  /** Every request for an answer, in the order of arrival. */
  readonly requests: readonly WireRequest[]
  /** Requests for anything else, by method and path. */
  readonly others: readonly string[]
  readonly close: () => Promise<void>
}

export async function startStub(options: StubOptions = {}): Promise<Stub> {
  const { cues = [], mostAnswers = 200, idle = 120_000, patience = 5000 } = options
  const script = createScript(cues)
  const requests: WireRequest[] = []
  const others: string[] = []
  let timer: NodeJS.Timeout | undefined
  const server = createServer((request, response) => {
    wait()
    answer(request, response).catch(() => response.destroy())
  })

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '/'
    const body = parseJson(await readBody(request))
    const protocol = request.method === 'POST' ? protocols.find(({ matches }) => matches(path)) : undefined
    if (protocol === undefined) {
      others.push(`${request.method} ${path}`)
      send(response, ...incidental(path))
      return
    }
    if (requests.length >= mostAnswers) {
      send(response, 429, {
        error: { type: 'stub', message: `The stub model answers at most ${mostAnswers} requests.` },
      })
      return
    }
    const wire = protocol.parse(body, path, headersOf(request))
    requests.push(wire)
    const next = script.next(wire)
    await received(next.after)
    if (next.answer.status !== undefined) {
      const message = 'The stub model is set to fail.'
      send(response, next.answer.status, {
        error: { type: 'invalid_request_error', code: next.answer.status, message },
      })
      return
    }
    const { type, text } = protocol.render(next.answer, wire)
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
    response.end(text)
  }

  const received = async (words: readonly string[]) => {
    const isSaid = (word: string) => requests.some(({ said }) => said.some((text) => text === word))
    for (let left = patience; left > 0 && !words.every(isSaid); left -= 50) await pause(50)
  }

  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => server.close(), idle)
    timer.unref()
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  wait()
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    others,
    close: () =>
      new Promise((resolve) => {
        clearTimeout(timer)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Other requests of harnesses: token counts, lists of models. Anything else is not found. */
function incidental(path: string): [number, Json] {
  if (/count_tokens|:countTokens/i.test(path)) return [200, { input_tokens: 10, totalTokens: 10 }]
  if (/\/models(\?|$)/.test(path)) return [200, { object: 'list', data: [{ id: 'stub-model', object: 'model' }] }]
  return [404, { error: { type: 'not_found_error', message: `The stub model has no ${path}.` } }]
}

function send(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
}
