/** Who calls a team tool: a member at work, by its token, or somebody outside of a run who must say who they are. */
import type { Places } from '../runtime/places.ts'
import { bearerOf, TOKEN } from '../runtime/token.ts'

export interface Caller {
  /** Null: not known, so every call must say it. */
  readonly agent: string | null
  readonly run: string | null
  /** The tools it is given; null: all of them. */
  readonly tools: readonly string[] | null
  readonly rehearsal: boolean
}

const stranger: Caller = { agent: null, run: null, tools: null, rehearsal: false }

/** `problem`: there is a token, and it is not worth anything. */
export function callerIn(places: Places | null, environment: NodeJS.ProcessEnv): Caller | { readonly problem: string } {
  const token = environment[TOKEN]
  if (token === undefined || token === '') return stranger
  const bearer = places === null ? null : bearerOf(places, token)
  return bearer ?? { problem: 'The token is not valid: its run is over, or it was never issued.' }
}
