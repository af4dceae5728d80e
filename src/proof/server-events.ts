/** What a harness that runs as a server tells by itself, as it happens: a stream of events. */
import type { Json } from '../model/agent.ts'
import { parseOutput } from './extract.ts'

/** Hears every event until it is told to stop; ready when the stream is open. */
export async function hearEvents(url: string, hear: (event: Json) => void): Promise<() => void> {
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
  // The stream ends with the program, or when nobody listens any more.
  listen().catch(() => {})
  return () => end.abort()
}
