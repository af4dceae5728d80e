/** Kinds of agents that a harness brings along, where nobody can define others: an agent runs as one of them. */
import * as v from 'valibot'
import { text, texts } from './atoms.ts'

export const agentType = v.strictObject({
  name: text,
  /** The agents it is meant for: those that may change or reach something, or those that only look. */
  for: v.picklist(['full', 'read-only']),
  /** Its tools, by native name; absent: all there are. */
  tools: v.optional(texts),
  note: v.optional(text),
})
