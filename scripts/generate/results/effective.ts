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
    path: said(v.nullable(text), 'The file, or the name of the variable; null where the harness itself says it.'),
    line: v.nullable(ordinal),
    column: v.nullable(ordinal),
  }),
  'Who said it.',
) satisfies v.GenericSchema<Origin>

const field = v.object({
  key: said(v.nullable(text), "The harness's own key; null where no key says it."),
  value: said(anything, "Null where it is not known: a text that is the harness's own."),
  origin,
  overruled: said(v.array(origin), 'Who said something else, the weakest first.'),
  parts: v.exactOptional(said(v.record(text, origin), 'Of a map: who said which of its keys.')),
  own: v.exactOptional(said(text, 'The fingerprint of a text of the harness.')),
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
  counts: said(v.boolean(), 'False: another layer hides it whole.'),
}) satisfies v.GenericSchema<EffectiveLayer>

const note = v.object({ what: text, origin: v.nullable(origin) }) satisfies v.GenericSchema<EffectiveNote>

const agent = v.object({
  name: text,
  harness: text,
  builtIn: said(v.boolean(), 'The harness brings an agent of this name along.'),
  fields: said(v.record(text, field), 'By neutral concept.'),
  prompt: field,
  rules: said(v.nullable(v.array(rule)), 'All rules in their order, where the harness has one list of them.'),
  access: said(v.nullable(capabilities), 'As a subagent where it can be one; null where it is not known.'),
  exceptions,
  roles: said(
    v.nullable(v.array(v.object({ role: v.picklist(roles), access: capabilities, exceptions }))),
    'The same for each role that it can have.',
  ),
  layers: said(v.array(layer), 'From the one that yields to the one that wins.'),
  notes: v.array(note),
}) satisfies v.GenericSchema<Omit<EffectiveAgent, 'access' | 'fields'>>

export const effectiveResult = {
  agent: said(v.nullable(agent), 'Null where the harness does not have it.'),
  absent: said(
    v.nullable(v.object({ name: text, why: text, origin }) satisfies v.GenericSchema<AbsentAgent>),
    'Why the harness does not have it.',
  ),
  refused: said(
    v.array(v.object({ message: text, origin }) satisfies v.GenericSchema<StartRefusal>),
    'Why the harness does not start at all; empty where it does.',
  ),
  defaultAgent: said(v.nullable(field), 'The agent that sessions start with, where a layer says so.'),
  notes: said(v.array(note), 'What may change any agent.'),
}
