/**
 * The part of a harness file that says how a person gives the program an account, and how to tell that it has one without
 * asking it: only whether files and variables are there is looked at, never what they hold. Paths begin with `~`, with a
 * variable (`${CODEX_HOME:-~/.codex}`), or in the project.
 */
import * as v from 'valibot'
import { text, texts } from './atoms.ts'

export const login = v.strictObject({
  /** What to type to log in. */
  command: text,
  /** What to type in it. */
  type: v.optional(text),
  /** What to set instead, where it is more than the first variable. */
  key: v.optional(text),
  /** Files that hold a login. */
  files: texts,
  /** Variables of which one is enough; the first is the one for a key. */
  environment: v.pipe(texts, v.minLength(1)),
  /** Where else a login or a key can be, or why none is needed: then nobody can tell from outside. */
  perhaps: v.optional(
    v.array(
      v.strictObject({
        /** Half a sentence. */
        why: text,
        /** Only where this file is there. */
        file: v.optional(text),
        /** Only on this system. */
        platform: v.optional(v.picklist(['darwin', 'linux', 'win32'])),
      }),
    ),
    [],
  ),
})

export type LoginWays = v.InferOutput<typeof login>
