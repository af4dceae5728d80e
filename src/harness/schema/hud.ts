/** The part of a harness file that says how status gets into its prompts, or why it cannot. */
import * as v from 'valibot'
import { text, texts } from './atoms.ts'

const json: v.GenericSchema<Json> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(json), v.record(v.string(), json)]),
)
type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

const way = v.strictObject({
  /** Folders of section files that are named after this harness. */
  sections: v.optional(v.strictObject({ project: text, user: text })),
  /** The program that does it: its name in the package, and where it goes in a project. */
  program: v.strictObject({ ships: text, write: text }),
  /** Where the harness does not find the program by itself: items that a file of settings must have, by the way to their list. */
  settings: v.optional(v.strictObject({ file: text, items: v.record(text, json) })),
  /** What reaches the model, and when. */
  says: texts,
})

export const hud = v.union([
  way,
  v.strictObject({
    /** Why Troupe has no way to do it. */
    none: text,
  }),
])
