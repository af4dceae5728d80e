/** A harness that runs as a server: started once, queried many times. */

import { startServerProcess } from '../disk/run-program.ts'
import type { Oracle } from '../harness/schema/oracle.ts'
import type { Json } from '../model/agent.ts'
import { type Fill, fill, fillJson, parseOutput, valuesAt } from './extract.ts'
import type { IsolatedProject } from './isolate.ts'
import { prepareRun, type Runnable } from './run-recipe.ts'
import type { Stub } from './stub/server.ts'

type Main = NonNullable<Oracle['main']>

interface WarmServer {
  /** Makes it take one turn; null on success, otherwise what went wrong. */
  readonly turn: (values: Fill) => Promise<string | null>
  readonly get: (path: string) => Promise<ServerAnswer>
  readonly post: (path: string, body: Json) => Promise<ServerAnswer>
  /** Listens to the events of the server, as long as it runs. */
  readonly listen: (path: string, hear: (event: Json) => void) => Promise<void>
  readonly close: () => void
}

export async function startWarmServer(
  runnable: Runnable,
  place: IsolatedProject,
  main: Main,
  server: NonNullable<Main['server']>,
  stub: Stub,
  hashes: string,
): Promise<WarmServer> {
  const { program, args, environment } = prepareRun(runnable, place, main, stub, { hashes })
  const { limit } = runnable
  const run = { program, args, cwd: place.cwd, environment, limit }
  const { address, trouble, close } = await startServerProcess(run, new RegExp(server.ready))
  const absent = trouble ?? 'it did not start'
  const silences: (() => void)[] = []
  return {
    turn: async (values) =>
      address === null ? absent : takeSteps(address, server.steps, { folder: place.cwd, ...values }, limit),
    get: async (path) => (address === null ? { trouble: absent } : getJson(address, path, limit)),
    post: async (path, body) => (address === null ? { trouble: absent } : postJson(address, path, body, limit)),
    listen: async (path, hear) => {
      if (address !== null) silences.push(await listenToEvents(address + path, hear))
    },
    close: () => {
      for (const silence of silences) silence()
      close()
    },
  }
}

/** Null when every step was answered. */
async function takeSteps(
  address: string,
  steps: NonNullable<NonNullable<Oracle['main']>['server']>['steps'],
  first: Fill,
  limit: number,
): Promise<string | null> {
  let values = first
  for (const { post, body, save } of steps) {
    const answer = await postJson(address, fill(post, values), fillJson(body, values), limit)
    if ('trouble' in answer) return answer.trouble
    const { data } = answer
    const saved = Object.entries(save).map(([name, path]) => [name, String(valuesAt(data, path.split('.'))[0] ?? '')])
    values = { ...values, ...Object.fromEntries(saved) }
  }
  return null
}

type ServerAnswer = { readonly data: Json } | { readonly trouble: string }

export async function postJson(address: string, path: string, body: Json, limit: number): Promise<ServerAnswer> {
  try {
    const answer = await fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(limit),
    })
    const text = await answer.text()
    if (!answer.ok) return { trouble: `it answered ${answer.status} to ${path}: ${text.slice(0, 300)}` }
    return { data: JSON.parse(text) as Json }
  } catch (error) {
    return { trouble: `it did not answer ${path} (${(error as Error).message})` }
  }
}

/** The answer to a request that changes nothing. */
async function getJson(address: string, path: string, limit: number): Promise<ServerAnswer> {
  try {
    const answer = await fetch(address + path, { signal: AbortSignal.timeout(limit) })
    if (!answer.ok) return { trouble: `it answered ${answer.status} to ${path}` }
    return { data: (await answer.json()) as Json }
  } catch (error) {
    return { trouble: `it did not answer ${path} (${(error as Error).message})` }
  }
}

/** Listens to every event until it is stopped; resolves when the stream is open. */
async function listenToEvents(url: string, hear: (event: Json) => void): Promise<() => void> {
  const end = new AbortController()
  const { body } = await fetch(url, { signal: end.signal })
  const listen = async () => {
    let rest = ''
    for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data:')) hear(parseOutput(line))
    }
  }
  // The stream ends with the program, or when it is no longer listened to.
  listen().catch(() => {})
  return () => end.abort()
}
