/** An agent: as a row of a list, and in full. */
import * as v from 'valibot'
import { syntaxes } from '../../../src/model/access/patterns.ts'
import { type Layer, type Rule, resolutions, roles, sandboxes, subjects } from '../../../src/model/access/rules.ts'
import type { AgentRow } from '../../../src/report/agents.ts'
import { action, anything, capabilities, count, diagnostics, said, text, texts } from './atoms.ts'

export const exceptions = said(
  v.array(v.object({ capability: text, pattern: text, action })),
  'Arguments with a decision that differs from `access`.',
)

const row = {
  name: text,
  harness: text,
  path: text,
  scope: v.picklist(['project', 'user', 'managed']),
  description: v.nullable(text),
  model: said(v.nullable(v.union([text, texts])), 'The model, or several in order of preference.'),
  mode: v.nullable(text),
  tools: said(v.nullable(texts), 'Neutral names of the tools; null: the definition names none, and defaults decide.'),
  access: capabilities,
  exceptions,
  alsoReadBy: said(texts, 'Other harnesses that load this file too.'),
  shadowedBy: said(v.nullable(text), 'The file that the harness uses instead.'),
  plugin: said(v.nullable(text), 'The plugin that contains it.'),
  builtFrom: said(v.nullable(text), 'The file that Troupe built it from; null: it was not built.'),
  disabled: said(v.boolean(), 'Switched off in its own harness: it is not converted.'),
  mergedWith: said(texts, 'Other files that define it too, and that the harness merges with this one.'),
  recovered: said(v.boolean(), 'The file is not valid, and Troupe recovered what it could.'),
  diagnostics,
}

export const agentRow = v.object(row) satisfies v.GenericSchema<AgentRow>

const enforcement = v.picklist(['observed', 'claimed', 'no'])

const rule = v.object({
  tools: texts,
  subject: v.picklist(subjects),
  pattern: v.nullable(text),
  syntax: v.picklist(syntaxes),
  action,
  role: v.exactOptional(v.picklist(roles)),
  ignored: v.exactOptional(
    said(v.picklist(['rule', 'pattern', 'effect', 'edition']), 'What the harness ignores of the rule.'),
  ),
  native: said(text, 'As the file spells it.'),
  isDefault: v.exactOptional(said(v.boolean(), 'It is a default of the harness, not part of the file.')),
  unit: v.exactOptional(text),
  range: said(v.nullable(v.object({ start: count, end: count })), 'Offsets in the file; null for a default.'),
}) satisfies v.GenericSchema<Rule>

const layer = v.object({
  origin: said(text, 'A key of the file, or the defaults of the harness.'),
  resolution: v.picklist(resolutions),
  rules: v.array(rule),
  otherwise: said(v.nullable(action), 'The decision if no rule matches.'),
  enforced: said(v.object({ main: enforcement, child: enforcement }), 'Whether the harness enforces it.'),
  sandbox: v.exactOptional(said(v.picklist(sandboxes), 'What a shell can reach.')),
}) satisfies v.GenericSchema<Layer>

export const agentDetails = v.object({
  ...row,
  fields: said(v.record(text, anything), 'Values by concept.'),
  extras: said(v.record(text, anything), 'Keys that no concept covers.'),
  layers: said(v.array(layer), 'The layers; the strictest decision of all layers counts.'),
  prompt: text,
})
