/** What a model is shown when a harness runs an agent: the result of `troupe show --wire`. */
import type { Role } from './access.ts'
import type { Json } from './agent.ts'

/** A piece of text that reaches the model, and whose words they are. */
export interface WireText {
  readonly whose: 'agent' | 'project' | 'harness'
  /** In the system prompt, or in a message before the user's own. */
  readonly in: 'system' | 'message'
  readonly text: string
}

export interface Portrait {
  readonly harness: string
  readonly title: string
  readonly version: string | null
  readonly as: Role
  readonly model: string
  readonly parameters: Readonly<Record<string, Json>>
  readonly texts: readonly WireText[]
  readonly tools: readonly string[]
  /** What the descriptions of all tools take up. */
  readonly toolCharacters: number
}

/** Nobody but the model's maker can count them: four characters of English or code make about one. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}
