/** How a harness compares a call with its rules, where it was seen deciding: what it cuts out of a call and looks up. */
import * as v from 'valibot'
import { roles } from '../../model/access.ts'
import { text, texts } from './atoms.ts'

export const calls = v.strictObject({
  paths: v.strictObject({
    tools: texts,
    /** Paths are compared as seen from the nearest folder above that holds this; without one, from the root of the disk. */
    root: text,
  }),
  /** Every command of a line is compared by itself, but these are not. */
  commands: v.strictObject({ uncompared: texts }),
  /** What calls need besides that reach out of the project: a unit, asked for the folder. */
  outside: v.strictObject({
    unit: text,
    /** Commands whose arguments are taken for paths. */
    commands: texts,
  }),
  /** What the rules of one agent do not say, for people. */
  notes: v.array(
    v.strictObject({
      /** Absent: whatever is called. */
      tools: v.optional(texts),
      role: v.optional(v.picklist(roles)),
      /** Only where one of these keys stands in one of these files of the project. */
      where: v.optional(v.strictObject({ files: texts, keys: texts })),
      note: text,
    }),
  ),
})
