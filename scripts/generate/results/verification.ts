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
  as: said(v.nullable(role), 'The role in which it ran; null: from the loader.'),
  predicted: text,
  observed: text,
  ok: v.boolean(),
})

const verifiedAgent = v.object({
  name: text,
  path: said(v.nullable(text), 'The file that defines it; null: unknown.'),
  loaded: v.boolean(),
  unexpected: said(v.boolean(), 'The harness loaded it, but Troupe does not know this agent.'),
  problems: said(texts, 'What the harness reports as wrong.'),
  notes: texts,
  checks: v.array(verifiedThing),
})

export const verifiedHarness = v.object({
  id: text,
  title: text,
  version: said(v.nullable(text), 'Null: not found, or it does not report its version.'),
  checkedWith: said(v.nullable(text), 'The version that the harness file was checked with.'),
  installed: v.boolean(),
  problems: said(texts, 'What went wrong while running it.'),
  notes: texts,
  agents: v.array(verifiedAgent),
}) satisfies v.GenericSchema<VerifiedHarness>

export const portrait = v.object({
  harness: text,
  title: text,
  version: v.nullable(text),
  as: role,
  model: text,
  parameters: said(v.record(text, anything), 'Temperature, effort and similar, as in the request.'),
  texts: said(
    v.array(
      v.object({ whose: v.picklist(['agent', 'project', 'harness']), in: v.picklist(['system', 'message']), text }),
    ),
    'What the model sees, in order, and who wrote it.',
  ),
  tools: texts,
  toolCharacters: said(count, 'The length of the descriptions of all tools.'),
}) satisfies v.GenericSchema<CapturedRequest>
