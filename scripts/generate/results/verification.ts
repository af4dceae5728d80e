/** What a real harness did with agents, and what it sends to a model for one. */
import * as v from 'valibot'
import { roles } from '../../../src/model/access/rules.ts'
import type { CapturedRequest, VerifiedHarness } from '../../../src/model/verification.ts'
import { anything, count, said, text, texts } from './atoms.ts'

const role = v.picklist(roles)

const verifiedThing = v.object({
  what: v.picklist([
    'loaded',
    'description',
    'model',
    'mode',
    'permissions',
    'temperature',
    'effort',
    'prompt',
    'tools',
  ]),
  as: said(v.nullable(role), 'The part it played; null for what the loader says.'),
  predicted: text,
  observed: text,
  ok: v.boolean(),
})

const verifiedAgent = v.object({
  name: text,
  path: said(v.nullable(text), 'Where it is defined; null where nobody knows.'),
  loaded: v.boolean(),
  unexpected: said(v.boolean(), 'The harness loaded it, and Troupe knows of no such agent.'),
  problems: said(texts, 'What the harness says is wrong with it.'),
  notes: texts,
  checks: v.array(verifiedThing),
})

export const verifiedHarness = v.object({
  id: text,
  title: text,
  version: said(v.nullable(text), 'Null where it was not found, or does not say.'),
  checkedWith: said(v.nullable(text), 'The version that the harness file was checked with.'),
  installed: v.boolean(),
  problems: said(texts, 'What went wrong with running it.'),
  notes: texts,
  agents: v.array(verifiedAgent),
}) satisfies v.GenericSchema<VerifiedHarness>

export const portrait = v.object({
  harness: text,
  title: text,
  version: v.nullable(text),
  as: role,
  model: text,
  parameters: said(v.record(text, anything), 'Temperature, effort and the like, as the request has them.'),
  texts: said(
    v.array(
      v.object({ whose: v.picklist(['agent', 'project', 'harness']), in: v.picklist(['system', 'message']), text }),
    ),
    'What the model is shown, in its order, and whose words they are.',
  ),
  tools: texts,
  toolCharacters: said(count, 'What the descriptions of all tools take up.'),
}) satisfies v.GenericSchema<CapturedRequest>
