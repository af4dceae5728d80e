/** A harness that runs as a server: started once, asked many times. */
import type { Oracle } from '../harness/schema/recipe.ts'
import type { Json } from '../model/agent.ts'
import type { Place } from './isolate.ts'
import { prepare, type Runnable } from './perform.ts'
import { startServerProcess } from './process.ts'
import { hearEvents } from './server-events.ts'
import { getJson, postJson, type ServerAnswer, takeSteps } from './server-steps.ts'
import type { Stub } from './stub/server.ts'
import type { Fill } from './template.ts'

type Main = NonNullable<Oracle['main']>

export interface WarmServer {
  /** Makes it do one turn; null when it did, otherwise what went wrong. */
  readonly turn: (values: Fill) => Promise<string | null>
  readonly get: (path: string) => Promise<ServerAnswer>
  readonly post: (path: string, body: Json) => Promise<ServerAnswer>
  /** Hears what the server tells by itself, as long as it runs. */
  readonly hear: (path: string, hear: (event: Json) => void) => Promise<void>
  readonly close: () => void
}

export async function startWarmServer(
  runnable: Runnable,
  place: Place,
  main: Main,
  server: NonNullable<Main['server']>,
  stub: Stub,
  hashes: string,
): Promise<WarmServer> {
  const { program, args, environment } = prepare(runnable, place, main, stub, { hashes })
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
    hear: async (path, hear) => {
      if (address !== null) silences.push(await hearEvents(address + path, hear))
    },
    close: () => {
      for (const silence of silences) silence()
      close()
    },
  }
}
