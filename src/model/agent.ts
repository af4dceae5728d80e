/** The agent: one neutral description that every dialect can be read into and written from. */
import type { Access } from './access/rules.ts'
import type { Range } from './range.ts'

/** Plain data that YAML, TOML and JSON can represent. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** How the value of a concept is understood, in any spelling. */
export type ConceptType = 'text' | 'number' | 'flag' | 'words' | 'model' | 'data'

/** What is lost with a concept: a label, a tuning, a part of how the agent works, or a guard that limits it. */
export type ConceptWeight = 'label' | 'tuning' | 'working' | 'guard'

/**
 * Everything an agent definition can contain besides its name, its prompt and its access. A harness file maps its own
 * keys to these names; a key that no concept covers is kept as an extra key.
 */
export const concepts = {
  displayName: { type: 'text', weight: 'label', meaning: 'the name people see, where it differs from the identifier' },
  description: { type: 'text', weight: 'label', meaning: 'what the agent is for and when to use it' },
  model: { type: 'model', weight: 'tuning', meaning: 'the model, a list of models in order of preference, or a tier' },
  mode: { type: 'text', weight: 'working', meaning: 'main session, subagent, or both' },
  temperature: { type: 'number', weight: 'tuning', meaning: 'sampling temperature' },
  topP: { type: 'number', weight: 'tuning', meaning: 'nucleus sampling' },
  maxTurns: { type: 'number', weight: 'guard', meaning: 'how many turns the agent may take' },
  timeoutMinutes: { type: 'number', weight: 'guard', meaning: 'how long the agent may run' },
  color: { type: 'text', weight: 'label', meaning: 'colour in the interface' },
  hidden: { type: 'flag', weight: 'label', meaning: 'not offered to people' },
  disabled: { type: 'flag', weight: 'guard', meaning: 'defined but switched off' },
  skills: { type: 'words', weight: 'working', meaning: 'skills that are loaded with the agent' },
  mcpServers: { type: 'data', weight: 'working', meaning: 'MCP servers of its own, or names of configured ones' },
  hooks: { type: 'data', weight: 'guard', meaning: 'commands that run at events' },
  memory: { type: 'text', weight: 'working', meaning: 'where the agent keeps notes between runs' },
  permissionMode: { type: 'text', weight: 'guard', meaning: 'how the harness asks before acting' },
  effort: { type: 'text', weight: 'tuning', meaning: 'how much the model should reason' },
  variant: { type: 'text', weight: 'tuning', meaning: 'a named variant of the model' },
  options: { type: 'data', weight: 'tuning', meaning: 'options handed to the model provider' },
  background: { type: 'flag', weight: 'working', meaning: 'runs without blocking its parent' },
  isolation: { type: 'text', weight: 'guard', meaning: 'works in a copy of the repository' },
  handoffs: { type: 'data', weight: 'working', meaning: 'agents that this one can pass its work to' },
  triggers: { type: 'words', weight: 'label', meaning: 'words or situations that start the agent' },
  role: { type: 'text', weight: 'label', meaning: 'the part the agent plays in a team' },
  persistent: { type: 'flag', weight: 'working', meaning: 'runs all the time' },
  handoffDuty: { type: 'text', weight: 'working', meaning: 'whether its work must be handed on' },
  initialPrompt: { type: 'text', weight: 'working', meaning: 'what is sent first when it is the main session' },
  tags: { type: 'words', weight: 'label', meaning: 'labels' },
  context: { type: 'words', weight: 'working', meaning: 'files that are put into its context' },
  rules: { type: 'words', weight: 'working', meaning: 'rule files that apply to it' },
} as const satisfies Record<string, { type: ConceptType; weight: ConceptWeight; meaning: string }>

export type Concept = keyof typeof concepts

interface ConceptTypeValues {
  text: string
  number: number
  flag: boolean
  words: readonly string[]
  model: string | readonly string[]
  data: Json
}

export type ConceptValue<C extends Concept> = ConceptTypeValues[(typeof concepts)[C]['type']]

/** A value and its position in the file; the range is null if it comes from the file name or a default. */
export interface Sourced<T> {
  readonly value: T
  readonly key: string | null
  readonly range: Range | null
}

export type Fields = { readonly [C in Concept]?: Sourced<ConceptValue<C>> }

/** A key that no concept covers: kept unchanged, never dropped. */
export interface ExtraKey {
  readonly key: string
  readonly value: Json
  readonly range: Range
  /** Whether the harness itself knows the key. */
  readonly known: boolean
  /** Whether it accepts such a value for it. */
  readonly fits: boolean
}

export interface Prompt {
  readonly text: string
  /** The position in the agent's own file; null if the text comes from another file or was assembled. */
  readonly range: Range | null
  /** The file of the prompt, if it is not the agent's own. */
  readonly from: string | null
}

export interface Agent {
  readonly name: string
  readonly nameRange: Range | null
  readonly harness: string
  /** Which of the harness's kinds of file this is (see `carriers` in the harness file). */
  readonly carrier: string
  readonly fields: Fields
  readonly prompt: Prompt
  readonly access: Access
  /** The neutral tools the definition itself names; null if it names none and the defaults decide. */
  readonly tools: readonly string[] | null
  readonly extras: readonly ExtraKey[]
  /** Whether the text had to be recovered to be read. */
  readonly recovered: boolean
}
