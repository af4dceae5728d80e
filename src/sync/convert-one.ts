/** Converts one agent for another harness without writing anything. */

import { settingsText } from '../convert/agent/read-back.ts'
import type { Converted } from '../convert/convert.ts'
import type { Target } from '../convert/plan.ts'
import type { Registry } from '../harness/registry.ts'
import type { Diagnostic } from '../model/findings.ts'
import { createRenderer } from '../project/render.ts'
import type { FoundAgent } from '../workbench/inventory.ts'
import { whyNotConvertible, wideningRefusal } from '../workbench/refusal.ts'

export interface ConvertedOne extends Pick<Converted, 'record' | 'output'> {
  /** The file, or a document with its entry alone. */
  readonly text: string
  /** Why it would not be written, unless the project accepts that. */
  readonly refusal: Diagnostic | null
}

export function convertOne(here: string, registry: Registry, found: FoundAgent, target: Target): ConvertedOne {
  const { render, settled } = createRenderer(here, registry, [found])
  const converted = render(found, target)
  const { output, record } = converted
  const accept = settled.accept.get(target.harness.id) ?? new Map<string, string | null>()
  const text = output.kind === 'file' ? textOfFile(output) : settingsText(target.carrier, output.settings)
  const isCopy = found.agent.harness === target.harness.id && found.agent.carrier === target.carrier.id
  const unknown = isCopy
    ? null
    : whyNotConvertible(found.path, found.name, found.agent, found.unclear, settled.ignoreKeys)
  const refusal = unknown ?? wideningRefusal(target.harness, converted, { all: accept.has('*'), capabilities: accept })
  return { output, record, text, refusal }
}

/** With the prompt below it, where that would be a file of its own. */
function textOfFile({ text, beside }: Extract<Converted['output'], { kind: 'file' }>): string {
  return beside === undefined ? text : `${text}\n# ${beside.path}\n\n${beside.text}`
}

/** The same in one sentence. */
export function refusalText(
  { harness }: Target,
  { access }: Converted['record'],
  { code, message }: Diagnostic,
): string {
  if (code !== 'wider-access') return `\`troupe convert\` refuses it: ${message}`
  const gained = [...new Set(access.widened.map(({ capability }) => capability))]
  return `\`troupe convert\` refuses it: in ${harness.title} it could do more (${gained.join(', ')}).`
}
