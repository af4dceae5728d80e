/** What a program prints: plain text is its answer; lines of JSON with a `type` are events. */
import { type Context, cleanText, LONGEST } from './message.ts'

export type OutputEvent =
  | ({
      readonly type: 'message' | 'handoff'
      readonly to: string
      readonly observers: readonly string[]
      readonly text: string
    } & Context)
  /** `text`: its answer, as if it were printed plainly; whatever stands in it is no event. */
  | { readonly type: 'result' | 'error' | 'text'; readonly text: string }
  | { readonly type: 'progress'; readonly text: string; readonly files: readonly string[] }
  | { readonly type: 'usage'; readonly turns: number; readonly cost: number }

export interface Output {
  readonly events: readonly OutputEvent[]
  /** All that is no event. */
  readonly text: string
}

/** Anything a program can print is read without an exception; what has no known type is passed over. */
export function readOutput(printed: string): Output {
  const events: OutputEvent[] = []
  const text: string[] = []
  for (const line of printed.split('\n')) {
    const data = line.startsWith('{') ? parse(line) : null
    if (data === null) text.push(line)
    else {
      const event = eventOf(data)
      if (event !== null) events.push(event)
    }
  }
  return { events, text: cleanText(text.join('\n')) }
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const data = JSON.parse(line)
    return typeof data === 'object' && data !== null && typeof data.type === 'string' ? data : null
  } catch {
    return null
  }
}

function eventOf(data: Record<string, unknown>): OutputEvent | null {
  const text = cleanText(words(data.text))
  switch (data.type) {
    case 'message':
    case 'handoff':
      if (typeof data.to !== 'string' || text === '') return null
      return { type: data.type, to: data.to, observers: list(data.observers), text, ...contextOf(data) }
    case 'result':
    case 'error':
    case 'text':
      return { type: data.type, text }
    case 'progress':
      return { type: 'progress', text, files: list(data.files) }
    case 'usage':
      return { type: 'usage', turns: amount(data.turns), cost: amount(data.cost) }
    default:
      return null
  }
}

/** What was done, which files, which decisions; nothing where nothing is said. */
export function contextOf({ done, files, decisions }: Readonly<Record<string, unknown>>): Context {
  return {
    ...(words(done) === '' ? {} : { done: cleanText(words(done)) }),
    ...(list(files).length === 0 ? {} : { files: list(files) }),
    ...(words(decisions) === '' ? {} : { decisions: cleanText(words(decisions)) }),
  }
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Texts, and not without end. */
export function list(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  let room = LONGEST
  return value
    .filter((one): one is string => typeof one === 'string')
    .slice(0, 500)
    .map(cleanText)
    .filter((one) => {
      room -= one.length
      return room >= 0
    })
}

function amount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
