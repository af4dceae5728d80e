/** An agent as its harness runs it: every value after all layers were merged, with the place that said it. */
import type { Access } from './access/rules.ts'
import type { Concept, Json } from './agent.ts'

/** Who said something: a file, a variable of the environment, or the harness itself. */
export interface Origin {
  readonly from: 'file' | 'variable' | 'built-in' | 'default'
  /** The file as people see it, or the name of the variable; null where the harness itself says it. */
  readonly path: string | null
  readonly line: number | null
  readonly column: number | null
}

export interface EffectiveField {
  /** The harness's own key; null where no key says it. */
  readonly key: string | null
  /** Null where it is not known: a text that is the harness's own. */
  readonly value: Json
  readonly origin: Origin
  /** Who said something else and was overruled, the weakest first. */
  readonly overruled: readonly Origin[]
  /** Of a map: who said which of its keys. */
  readonly parts?: Readonly<Record<string, Origin>>
  /** The fingerprint of a text of the harness that is known, but not repeated. */
  readonly own?: string
}

/** A rule in the harness's own words. */
export interface EffectiveRule {
  readonly permission: string
  readonly pattern: string
  readonly action: 'allow' | 'ask' | 'deny'
  readonly origin: Origin
}

/** A layer that speaks of the agent. */
export interface EffectiveLayer {
  /** What kind of layer it is, for people. */
  readonly title: string
  readonly origin: Origin
  /** What comes of it: it counts, or another layer hides it whole. */
  readonly counts: boolean
}

export interface EffectiveAgent {
  /** The name that the harness knows it by. */
  readonly name: string
  readonly harness: string
  /** Whether the harness brings an agent of this name along. */
  readonly builtIn: boolean
  readonly fields: { readonly [C in Concept]?: EffectiveField }
  readonly prompt: EffectiveField
  /** All rules in their order, where the harness has one list of them; null elsewhere. */
  readonly rules: readonly EffectiveRule[] | null
  /** Null where it is not known what an agent of the harness itself may do. */
  readonly access: Access | null
  /** From the one that yields to the one that wins. */
  readonly layers: readonly EffectiveLayer[]
  readonly notes: readonly EffectiveNote[]
}

/** Something that is not in the values: a condition, a value without effect, or what only the running harness knows. */
export interface EffectiveNote {
  readonly what: string
  readonly origin: Origin | null
}

/** An agent that is defined, but that the harness does not have. */
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
  /** Switched off, left out, or kept from starting. */
  readonly absent: readonly AbsentAgent[]
  /** Why the harness does not start at all; empty where it does. */
  readonly refused: readonly StartRefusal[]
  /** The agent that a session starts with, where a layer or the harness says so. */
  readonly defaultAgent: EffectiveField | null
  /** What may change any of them. */
  readonly notes: readonly EffectiveNote[]
}
