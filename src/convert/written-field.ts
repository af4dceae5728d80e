/** A key of the target and its value. */
import type { Concept, Json } from '../model/agent.ts'

export interface WrittenField {
  readonly key: string
  readonly value: Json
  /** Null: a key of the author's own. */
  readonly concept: Concept | null
}
