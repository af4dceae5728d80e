/** An agent as its harness runs it: every value after merging all layers, with its origin. */
import type { Access } from './access/rules.ts'
import type { Concept, Json } from './agent.ts'

/** Where something was set: a file, an environment variable, or the harness itself. */
export interface Origin {
  readonly from: 'file' | 'variable' | 'built-in' | 'default'
  /** The file as shown to people, or the name of the variable; null for the harness itself. */
  readonly path: string | null
  readonly line: number | null
  readonly column: number | null
}

export interface EffectiveField {
  /** The harness's own key; null if no key sets it. */
  readonly key: string | null
  /** Null if it is not known: one of the harness's own texts. */
  readonly value: Json
  readonly origin: Origin
  /** The origins of overridden values, weakest first. */
  readonly overruled: readonly Origin[]
  /** For a map: the origin of each key. */
  readonly parts?: Readonly<Record<string, Origin>>
  /** The hash of a text of the harness that is known, but not repeated. */
  readonly own?: string
}

/** A rule in the harness's own words. */
export interface EffectiveRule {
  readonly permission: string
  readonly pattern: string
  readonly action: 'allow' | 'ask' | 'deny'
  readonly origin: Origin
}

/** A layer that mentions the agent. */
export interface EffectiveLayer {
  /** The kind of layer, for people. */
  readonly title: string
  readonly origin: Origin
  /** Whether it counts, or another layer hides it completely. */
  readonly counts: boolean
}

export interface EffectiveAgent {
  /** Its name in the harness. */
  readonly name: string
  readonly harness: string
  /** Whether the harness has a built-in agent of this name. */
  readonly builtIn: boolean
  readonly fields: { readonly [C in Concept]?: EffectiveField }
  readonly prompt: EffectiveField
  /** All rules in order, if the harness has one list of them; otherwise null. */
  readonly rules: readonly EffectiveRule[] | null
  /** Null if it is not known what a built-in agent may do. */
  readonly access: Access | null
  /** From lowest to highest precedence. */
  readonly layers: readonly EffectiveLayer[]
  readonly notes: readonly EffectiveNote[]
}

/** A fact that is not in the values: a condition, a value without effect, or one known only at run time. */
export interface EffectiveNote {
  readonly what: string
  readonly origin: Origin | null
}

/** An agent that is defined, but missing in the harness. */
export interface AbsentAgent {
  readonly name: string
  readonly why: string
  readonly origin: Origin
}

export interface StartRefusal {
  readonly message: string
  readonly origin: Origin
}

export interface EffectiveAgents {
  readonly harness: string
  readonly agents: readonly EffectiveAgent[]
  /** Disabled, skipped, or prevented from starting. */
  readonly absent: readonly AbsentAgent[]
  /** Why the harness does not start at all; empty if it does. */
  readonly refused: readonly StartRefusal[]
  /** The agent that a session starts with, if a layer or the harness defines it. */
  readonly defaultAgent: EffectiveField | null
  /** What may change any of them. */
  readonly notes: readonly EffectiveNote[]
}
