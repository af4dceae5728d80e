/** How a harness compares a call with its rules, where it was seen deciding: what it cuts out of a call and looks up. */
import * as v from 'valibot'
import { roles } from '../../model/access.ts'
import { pattern, text, texts } from './atoms.ts'

export const calls = v.strictObject({
  /** Tools whose paths are compared as seen from the root of the project (`effective.root`). */
  paths: v.strictObject({ tools: texts }),
  /** Every command of a line is compared by itself, but these are not. */
  commands: v.strictObject({ uncompared: texts }),
  /** What calls need besides that reach out of the project: a unit, asked for the folder. */
  outside: v.strictObject({
    unit: text,
    /** Commands whose arguments are taken for paths. */
    commands: texts,
    /** By command: arguments that look like paths and are none. */
    notPaths: v.optional(v.record(text, pattern), {}),
  }),
  /** What the rules of one agent do not say, for people. */
  notes: v.array(
    v.strictObject({
      /** Absent: whatever is called. */
      tools: v.optional(texts),
      role: v.optional(v.picklist(roles)),
      note: text,
    }),
  ),
})
