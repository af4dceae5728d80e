/** What the results of several commands have in common. */
import * as v from 'valibot'
import { actions } from '../../../src/model/access/rules.ts'
import type { Json } from '../../../src/model/agent.ts'
import { catalogue, type Diagnostic, type DiagnosticCode } from '../../../src/model/findings.ts'

export const text = v.string()
export const texts = v.array(text)
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Lines and columns count from 1. */
export const ordinal = v.pipe(v.number(), v.integer(), v.minValue(1))
export const action = v.picklist(actions)
export const anything = v.unknown() as v.GenericSchema<Json>

/** Adds a description, where the name of the key does not suffice. */
export function said<S extends v.GenericSchema>(schema: S, sentence: string) {
  return v.pipe(schema, v.description(sentence))
}

/** Every document begins with its schema version. */
export function result<E extends v.ObjectEntries>(entries: E) {
  return v.object({
    schema: said(v.literal(1), 'The version of the format. Documents may gain keys, but never lose or rename any.'),
    ...entries,
  })
}

export const capabilities = said(
  v.record(text, action),
  'The decision for each capability: read, write, edit, shell, fetch, search, delegate, mcp:<server>, mcp:*.',
)

export const diagnostic = v.object({
  code: said(v.picklist(Object.keys(catalogue) as DiagnosticCode[]), 'See docs/diagnostics.md.'),
  severity: v.picklist(['error', 'warning', 'info']),
  message: text,
  path: said(text, 'Relative to the working folder, with forward slashes.'),
  line: ordinal,
  column: said(ordinal, 'The column in the file, from 1, in UTF-16 units.'),
  hint: v.exactOptional(text),
  fixable: v.exactOptional(said(v.literal(true), '`troupe check --fix` repairs it.')),
  harness: v.exactOptional(said(text, 'The harness whose behaviour is described.')),
  consequence: v.exactOptional(said(text, 'What that harness does about it, in the terms of harness.json.')),
}) satisfies v.GenericSchema<Diagnostic>

export const diagnostics = v.array(diagnostic)
export const severityCounts = { error: count, warning: count, info: count }
