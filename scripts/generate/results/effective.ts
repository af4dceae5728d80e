/** An agent as its harness runs it, with the origin of every value. */
import * as v from 'valibot'
import { roles } from '../../../src/model/access/rules.ts'
import type {
  AbsentAgent,
  EffectiveAgent,
  EffectiveField,
  EffectiveLayer,
  EffectiveNote,
  EffectiveRule,
  Origin,
  StartRefusal,
} from '../../../src/model/effective.ts'
import { exceptions } from './agent.ts'
import { anything, capabilities, ordinal, said, text } from './atoms.ts'

const origin = said(
  v.object({
    from: v.picklist(['file', 'variable', 'built-in', 'default']),
    path: said(v.nullable(text), 'The file, or the name of the variable; null: the harness itself.'),
    line: v.nullable(ordinal),
    column: v.nullable(ordinal),
  }),
  'Where the value comes from.',
) satisfies v.GenericSchema<Origin>

const field = v.object({
  key: said(v.nullable(text), "The harness's own key; null: no key."),
  value: said(anything, 'The value; null: unknown, because it is a text of the harness itself.'),
  origin,
  overruled: said(v.array(origin), 'Values that were overruled, the weakest first.'),
  parts: v.exactOptional(said(v.record(text, origin), 'For a map: where each of its keys comes from.')),
  own: v.exactOptional(said(text, 'The hash of a text of the harness itself.')),
}) satisfies v.GenericSchema<EffectiveField>

const rule = v.object({
  permission: text,
  pattern: text,
  action: v.picklist(['allow', 'ask', 'deny']),
  origin,
}) satisfies v.GenericSchema<EffectiveRule>

const layer = v.object({
  title: text,
  origin,
  counts: said(v.boolean(), 'False: another layer hides it completely.'),
}) satisfies v.GenericSchema<EffectiveLayer>

const note = v.object({ what: text, origin: v.nullable(origin) }) satisfies v.GenericSchema<EffectiveNote>

const agent = v.object({
  name: text,
  harness: text,
  builtIn: said(v.boolean(), 'The harness has a built-in agent with this name.'),
  fields: said(v.record(text, field), 'The fields, by neutral concept.'),
  prompt: field,
  rules: said(v.nullable(v.array(rule)), 'All rules in order; null: the harness has no single list of rules.'),
  access: said(v.nullable(capabilities), 'Its access as a subagent if it can be one; null: unknown.'),
  exceptions,
  roles: said(
    v.nullable(v.array(v.object({ role: v.picklist(roles), access: capabilities, exceptions }))),
    'Its access in each role that it can have.',
  ),
  layers: said(v.array(layer), 'The layers, from the weakest to the strongest.'),
  notes: v.array(note),
}) satisfies v.GenericSchema<Omit<EffectiveAgent, 'access' | 'fields'>>

export const effectiveResult = {
  agent: said(v.nullable(agent), 'The agent; null: the harness does not have it.'),
  absent: said(
    v.nullable(v.object({ name: text, why: text, origin }) satisfies v.GenericSchema<AbsentAgent>),
    'Why the harness does not have it.',
  ),
  refused: said(
    v.array(v.object({ message: text, origin }) satisfies v.GenericSchema<StartRefusal>),
    'Why the harness does not start at all; empty: it does.',
  ),
  defaultAgent: said(v.nullable(field), 'The agent that sessions start with; null: no layer sets it.'),
  notes: said(v.array(note), 'What may change any agent.'),
}
