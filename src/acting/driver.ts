/** What drives a harness through one turn, whatever it speaks. */
import type { Embody } from '../harness/schema/embody.ts'
import type { Launch } from './launch.ts'

/** The harness asks whether it may do something. */
export interface PermissionRequest {
  /** The tool as the harness calls it, or as near as it comes. */
  readonly tool: string
  /** What it is about: commands, paths; all of them must be allowed. None: nothing is said about it. */
  readonly subjects: readonly string[]
  /** For people. */
  readonly about: string
}

/** What a driver tells while it goes on. */
export interface Listener {
  /** Before the first prompt. */
  readonly session: (id: string) => void
  /** The model was asked once more. */
  readonly step: () => void
  readonly spent: (cost: number) => void
  readonly mayI: (request: PermissionRequest) => Promise<boolean>
}

export interface Turn {
  readonly embody: Embody
  readonly launch: Launch
  readonly prompt: string
  /** The session that goes on; null: a new one. */
  readonly resume: string | null
  /** The server of the team, where the protocol hands it over. */
  readonly server: {
    readonly command: string
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
  }
  readonly listener: Listener
  /** Ends it, politely first. */
  readonly signal: AbortSignal
}

export type Ended =
  | { readonly answer: string }
  /** `untouched`: the model was never asked. */
  | { readonly trouble: string; readonly untouched: boolean }

export type Driver = (turn: Turn) => Promise<Ended>
