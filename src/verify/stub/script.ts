/** The script of the stub model: what it answers to which input, so that a real harness does what a test needs. */
import type { Answer, WireRequest } from './wire.ts'

export interface Cue {
  /** Words that must be in the latest message to the model; none: any request matches. */
  readonly contains?: string
  /** Words that must not be in any message. */
  readonly lacks?: string
  /** Words that must be in the system prompt. */
  readonly sees?: string
  /** Words that must not be in it. */
  readonly misses?: string
  /** Only requests that offer tools: titles and summaries are requested without any. */
  readonly equipped?: boolean
  readonly answer: Answer
  /** Messages that must have reached the model before this is answered, unless a while has passed. */
  readonly after?: readonly string[]
  /** How often the cue may be used; once by default. */
  readonly times?: number
}

export interface StubScript {
  /** The answer to a request, and the cue that gave it (null: none matched, so the stub just ends the turn). */
  readonly next: (request: WireRequest) => {
    readonly answer: Answer
    readonly after: readonly string[]
    readonly cue: number | null
  }
}

const endOfTurn: Answer = { text: 'Done.' }

/** Cues are tried in order. When none matches, the turn ends with a short text, so that no harness loops. */
export function createScript(cues: readonly Cue[]): StubScript {
  const used = cues.map(() => 0)
  return {
    next: (request) => {
      const index = cues.findIndex((cue, at) => (used[at] ?? 0) < (cue.times ?? 1) && fits(cue, request))
      const cue = cues[index]
      if (cue === undefined) return { answer: endOfTurn, after: [], cue: null }
      used[index] = (used[index] ?? 0) + 1
      return { answer: cue.answer, after: cue.after ?? [], cue: index }
    },
  }
}

function fits({ contains, lacks, sees, misses, equipped }: Cue, request: WireRequest): boolean {
  if (lacks !== undefined && request.said.some((text) => text.includes(lacks))) return false
  if (contains !== undefined && !request.said.some((text) => text.includes(contains))) return false
  if (sees !== undefined && !request.system.some((text) => text.includes(sees))) return false
  if (misses !== undefined && request.system.some((text) => text.includes(misses))) return false
  return equipped !== true || request.tools.length > 0
}
