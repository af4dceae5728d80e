/** Files of settings, beside the definitions, that say something about agents. */
import * as v from 'valibot'
import { concepts } from '../../model/agent.ts'
import { text, texts } from './atoms.ts'

const statement = v.strictObject({
  /** The keys that lead to it; `{name}` is the agent's. */
  at: text,
  /** Counts only where the list there has one of these items. */
  items: v.optional(texts),
  /** The concept that it decides; with `items` it is true, and otherwise what stands there. */
  sets: v.optional(v.picklist(Object.keys(concepts) as [keyof typeof concepts])),
  /** The key says the opposite of the concept. */
  negated: v.optional(v.boolean()),
  /** A list of tools that counts like this access key of a definition, for every agent; what has a pattern does not. */
  like: v.optional(text),
  /** What it does that cannot be shown as a value. */
  note: v.optional(text),
})

export const setting = v.strictObject({
  title: text,
  format: v.picklist(['json', 'jsonc', 'toml']),
  /** From the one that yields to the one that wins; relative ones where the harness is started, or at the project's root. */
  files: v.array(v.union([text, v.strictObject({ root: text })])),
  says: v.array(statement),
})
