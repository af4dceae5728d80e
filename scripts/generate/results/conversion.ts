/** The conversion of one agent into one harness. */
import * as v from 'valibot'
import {
  areas,
  type CapabilityChange,
  type Conversion,
  gapResolutions,
  gapSeverities,
  gapTypes,
  outcomes,
} from '../../../src/model/conversion.ts'
import { action, anything, capabilities, count, diagnostics, ordinal, said, text, texts } from './atoms.ts'

const line = said(v.nullable(ordinal), 'The line in the source file; null: it is not in one place.')
const percentage = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))

const fidelity = v.object({
  score: percentage,
  band: v.picklist(['green', 'yellow', 'red']),
  label: text,
  counts: v.object(every(outcomes, count)),
  total: count,
  areas: said(
    v.object(every([...areas, 'gaps'] as const, v.nullable(percentage))),
    'The score of each area; null: there is nothing to count.',
  ),
})

const feature = v.object({
  area: v.picklist(areas),
  feature: said(text, 'The name of the feature in the source.'),
  outcome: v.picklist(outcomes),
  from: v.nullable(text),
  to: v.nullable(text),
  line,
  occurrences: v.exactOptional(count),
  note: v.exactOptional(text),
})

const change = v.object({
  capability: text,
  pattern: v.nullable(text),
  before: action,
  after: action,
  why: v.exactOptional(text),
}) satisfies v.GenericSchema<CapabilityChange>

const access = v.object({
  before: capabilities,
  after: capabilities,
  enforced: said(v.picklist(['observed', 'claimed', 'no']), 'How it is known that the target enforces it.'),
  widened: said(v.array(change), 'What the agent could do in the target but not in the source.'),
  unasked: said(v.array(change), 'What the agent no longer asks before.'),
  narrowed: v.array(change),
  revived: said(v.array(change), 'What the source harness ignores and the target grants, by decision.'),
  unsandboxed: said(v.array(change), 'What no longer runs in a sandbox.'),
})

const gap = v.object({
  type: v.picklist(gapTypes),
  feature: text,
  severity: v.picklist(gapSeverities),
  reason: text,
  workaround: v.nullable(text),
  resolution: v.picklist(gapResolutions),
  decidedBy: v.picklist(['auto', 'user', 'answers', 'flag']),
  line,
})

export const conversion = v.object({
  kind: v.exactOptional(v.literal('agent')),
  name: text,
  source: v.object({ harness: text, path: text }),
  target: v.object({ harness: text, name: text, files: texts }),
  status: v.picklist(['written', 'unchanged', 'planned', 'refused', 'failed']),
  fidelity,
  features: v.array(feature),
  access,
  gaps: v.array(gap),
  edits: said(
    v.array(v.object({ line: ordinal, column: ordinal, from: text, to: text, rule: text })),
    'Changes in the prompt, with their positions in the source file.',
  ),
  config: said(
    v.array(v.object({ path: text, set: v.record(text, anything) })),
    'Values for configuration files, by dotted path.',
  ),
  diagnostics,
}) satisfies v.GenericSchema<Conversion>

function every<const K extends string, S>(keys: readonly K[], schema: S): Record<K, S> {
  return Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, S>
}
