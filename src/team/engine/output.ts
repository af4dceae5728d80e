/** Parses the output of a program: plain text is its answer, JSON lines with a `type` are events. */

import { wholeSlice } from '../../formats/text.ts'
import { cleanText, type HandoffContext, MESSAGE_LIMIT } from '../state/message.ts'
import type { SessionDriver } from './engine.ts'

type OutputEvent =
  | ({
      readonly type: 'message' | 'handoff'
      readonly to: string
      readonly observers: readonly string[]
      readonly text: string
    } & HandoffContext)
  /** `text`: its answer, as if printed plainly; it contains no events. */
  | { readonly type: 'result' | 'error' | 'text'; readonly text: string }
  | { readonly type: 'progress'; readonly text: string; readonly files: readonly string[] }
  | { readonly type: 'usage'; readonly turns: number; readonly cost: number }

interface ProgramOutput {
  readonly events: readonly OutputEvent[]
  /** Everything that is not an event. */
  readonly text: string
}

/** Any output is parsed without an exception; unknown types are skipped. */
function parseOutputLines(printed: string): ProgramOutput {
  const events: OutputEvent[] = []
  const text: string[] = []
  for (const line of printed.split('\n')) {
    const data = line.startsWith('{') ? parseEvent(line) : null
    if (data === null) text.push(line)
    else {
      const event = outputEvent(data)
      if (event !== null) events.push(event)
    }
  }
  return { events, text: cleanText(text.join('\n')) }
}

function parseEvent(line: string): Record<string, unknown> | null {
  try {
    const data = JSON.parse(line)
    return typeof data === 'object' && data !== null && typeof data.type === 'string' ? data : null
  } catch {
    return null
  }
}

function outputEvent(data: Record<string, unknown>): OutputEvent | null {
  const text = cleanText(stringOrEmpty(data.text))
  switch (data.type) {
    case 'message':
    case 'handoff':
      if (typeof data.to !== 'string' || text === '') return null
      return { type: data.type, to: data.to, observers: stringList(data.observers), text, ...handoffContext(data) }
    case 'result':
    case 'error':
    case 'text':
      return { type: data.type, text }
    case 'progress':
      return { type: 'progress', text, files: stringList(data.files) }
    case 'usage':
      return { type: 'usage', turns: positiveNumber(data.turns), cost: positiveNumber(data.cost) }
    default:
      return null
  }
}

/** What was done, which files, which decisions; empty if not given. */
export function handoffContext({ done, files, decisions }: Readonly<Record<string, unknown>>): HandoffContext {
  return {
    ...(stringOrEmpty(done) === '' ? {} : { done: cleanText(stringOrEmpty(done)) }),
    ...(stringList(files).length === 0 ? {} : { files: stringList(files) }),
    ...(stringOrEmpty(decisions) === '' ? {} : { decisions: cleanText(stringOrEmpty(decisions)) }),
  }
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Strings, limited in number and length. */
export function stringList(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  let room = MESSAGE_LIMIT
  return value
    .filter((one): one is string => typeof one === 'string')
    .slice(0, 500)
    .map(cleanText)
    .filter((one) => {
      room -= one.length
      return room >= 0
    })
}

function positiveNumber(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}

/** The output of a run as it arrives: each event once, identified by its position, and the end of the plain text. */
interface LocatedEvent {
  readonly event: OutputEvent
  /** The end of its line in bytes: the same after a restart. */
  readonly at: number
}

export class OutputReader {
  readonly #read: (from: number) => Buffer
  readonly #heard: () => number
  #offset = 0
  #rest = Buffer.alloc(0)
  #text = ''
  #result: string | null = null
  #error: string | null = null
  turns = 0
  cost = 0

  /** `heard`: how much of it is journalled; earlier events are not repeated. */
  constructor(driver: SessionDriver, run: string, heard: () => number) {
    this.#read = (from) => driver.printed(run, from)
    this.#heard = heard
  }

  /** How far complete lines were read, in bytes. */
  get place(): number {
    return this.#offset
  }

  /** The result was not kept: everything is read again. */
  readAgain(): void {
    this.#offset = 0
    this.#rest = Buffer.alloc(0)
    this.#text = ''
    this.#result = null
    this.#error = null
    this.turns = 0
    this.cost = 0
  }

  /** What is new. `last`: the run is over, so a line without an end counts too. */
  more(last = false): LocatedEvent[] {
    const found: LocatedEvent[] = []
    for (;;) {
      const bytes = this.#read(this.#offset + this.#rest.length)
      const all = Buffer.concat([this.#rest, bytes])
      const isOver = bytes.length === 0
      // A line of more than a megabyte is not an event; it is read in pieces.
      const end = (isOver && last) || all.length > 1024 * 1024 ? all.length : all.lastIndexOf(10) + 1
      this.#take(all.subarray(0, end), found)
      this.#offset += end
      this.#rest = Buffer.from(all.subarray(end))
      if (isOver) return found
    }
  }

  #take(bytes: Buffer, found: LocatedEvent[]): void {
    for (let start = 0; start < bytes.length; ) {
      const next = bytes.indexOf(10, start)
      const end = next < 0 ? bytes.length : next + 1
      // Only possible events are parsed line by line: programs can print a lot.
      if (bytes[start] === 123)
        this.#line(bytes.toString('utf8', start, next < 0 ? end : next), this.#offset + end, found)
      else this.#add(bytes.toString('utf8', start, end))
      start = end
    }
  }

  #line(line: string, at: number, found: LocatedEvent[]): void {
    const { events, text } = parseOutputLines(line)
    if (text !== '') this.#add(`${line}\n`)
    for (const event of events) {
      if (event.type === 'result') this.#result = event.text
      else if (event.type === 'error') this.#error = event.text
      else if (event.type === 'text') this.#add(`${event.text.replace(/^\{/gm, ' {')}\n`)
      else if (event.type === 'usage') {
        this.turns += event.turns
        this.cost += event.cost
      } else if (at > this.#heard()) found.push({ event, at })
    }
  }

  #add(text: string): void {
    this.#text += text
    if (this.#text.length > 2 * MESSAGE_LIMIT) this.#text = wholeSlice(this.#text, -MESSAGE_LIMIT)
  }

  get text(): string {
    return parseOutputLines(this.#text).text
  }

  get result(): string | null {
    return this.#result
  }

  get error(): string | null {
    return this.#error
  }
}
