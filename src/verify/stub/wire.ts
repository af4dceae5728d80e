/** Requests to a model and their answers, independent of the protocol. */
import { isJsonObject } from '../../formats/data.ts'
import type { Json, JsonObject } from '../../model/agent.ts'

export const protocolNames = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const
export type ProtocolName = (typeof protocolNames)[number]

/** One request for a model's answer, as far as all protocols agree on it. */
export interface WireRequest {
  readonly protocol: ProtocolName
  readonly model: string
  /** The parts of the system prompt (system, developer and instruction texts), in order. */
  readonly system: readonly string[]
  /** All texts that are not the model's own: what a script can match on. */
  readonly said: readonly string[]
  /** Names of the tools the model is offered, in order; a namespace precedes its tool with a dot. */
  readonly tools: readonly string[]
  readonly parameters: Readonly<Record<string, Json>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
}

export interface ToolCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, Json>>
  /** Where the protocol groups tools (Codex). */
  readonly namespace?: string
}

/** The stub's answer: a text, or tool calls; or an error with this status. */
export interface Answer {
  readonly text?: string
  readonly calls?: readonly ToolCall[]
  /** The usage it reports; little, by default. */
  readonly usage?: TokenUsage
  readonly status?: number
}

/** `input` without what came from a cache. */
export interface TokenUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

export const fewTokens: TokenUsage = { input: 10, output: 5 }

/** A protocol: how to read a request and how to write an answer. */
export interface Protocol {
  readonly name: ProtocolName
  /** Whether a request path is this protocol's request for an answer. */
  readonly matches: (path: string) => boolean
  readonly parse: (body: Json, path: string, headers: Readonly<Record<string, string>>) => WireRequest
  /** Server-sent events, or one document where the request did not ask for a stream. */
  readonly render: (answer: Answer, request: WireRequest) => { readonly type: string; readonly text: string }
}

export function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** A request without the setting wants one document. */
export function wantsStream({ body }: WireRequest): boolean {
  return isJsonObject(body) && body.stream === true
}

/** All texts in a content value: a string, or a list of parts that have a `text`. */
export function contentTexts(content: Json | undefined): string[] {
  if (typeof content === 'string') return [content]
  return objects(content).flatMap((part) => (typeof part.text === 'string' ? [part.text] : contentTexts(part.content)))
}

/** Parameters that are worth comparing, where the request has them. */
export function pickParameters(body: JsonObject, keys: readonly string[]): Record<string, Json> {
  return Object.fromEntries(keys.flatMap((key) => (body[key] === undefined ? [] : [[key, body[key] as Json]])))
}

/** Server-sent events, each with its name where the protocol has names. */
export function serverSentEvents(list: readonly (readonly [name: string | null, data: Json | string])[]): string {
  return list
    .map(([name, data]) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      return `${name === null ? '' : `event: ${name}\n`}data: ${text}\n\n`
    })
    .join('')
}

export const eventStream = 'text/event-stream'
export const jsonDocument = 'application/json'

let count = 0

/** A unique id for a message or a call. */
export function nextId(prefix: string): string {
  count++
  return `${prefix}_stub${String(count).padStart(6, '0')}`
}
