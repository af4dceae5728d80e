/** Requests to a server on this machine that may take as long as a turn takes. */
import { request as httpRequest } from 'node:http'
import type { Json } from '../model/agent.ts'
import { parseOutput } from '../proof/extract.ts'
import { wholeSlice } from '../text/whole-slice.ts'

export interface Server {
  readonly address: string
  /** `user:password`, or null. */
  readonly login: string | null
}

export type Reply = { readonly data: Json } | { readonly trouble: string }

/** Not `fetch`: that gives up after five minutes without an answer, and a turn may take an hour. */
export function post({ address, login }: Server, path: string, body: Json, signal: AbortSignal): Promise<Reply> {
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

/** Hears what a server tells by itself; ready when the stream is open. */
export function hear(
  { address, login }: Server,
  path: string,
  told: (event: Json) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const request = httpRequest(address + path, { signal, ...(login === null ? {} : { auth: login }) }, (response) => {
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line.startsWith('data:')) told(parseOutput(line))
      })
      response.on('error', () => {})
      resolve()
    })
    request.on('error', () => resolve())
    request.end()
  })
}
