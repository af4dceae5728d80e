/** What a member runs as: its harness or its program, with which access, and whether there is an account to run it with. */
import type { AccessSummary } from '../model/capabilities.ts'

/** Whether a harness has a login or a key; `where` says by what that is known, or why it is not. */
export interface Login {
  readonly state: 'found' | 'none' | 'unknown'
  readonly where: string
}

export interface Player {
  readonly member: string
  /** Null: an ordinary program. */
  readonly harness: {
    readonly id: string
    readonly title: string
    /** Null: it is not there, or does not say. */
    readonly version: string | null
    /** The version that Troupe's data was checked with. */
    readonly checked: string | null
  } | null
  /** An ordinary program and its words, or a line for the shell; null where there is none. */
  readonly command: readonly string[] | null
  /** Where the program is; null: not there. */
  readonly program: string | null
  /** What the harness lets it do; null where Troupe does not limit it, or where it cannot be told. */
  readonly access: AccessSummary['general'] | null
  /** In plain words, such as "reads and searches files; runs Bash unasked". */
  readonly may: string
  /** Null: it needs none that Troupe knows of. */
  readonly login: Login | null
  /** Why it cannot run; null: it can. */
  readonly problem: {
    readonly code: 'no-program' | 'not-playable' | 'no-login'
    readonly message: string
    readonly hint?: string
  } | null
}
