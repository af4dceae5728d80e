/** Within one dialect nothing is converted: a file stays as it is, byte for byte; between kinds of file the keys move. */

import { getEntry, toData } from '../../formats/data.ts'
import { promptKeysIn } from '../../harness/read/prompt.ts'
import { orderedData, toCarrierForm, toPatternMaps } from '../../harness/read/rule-form.ts'
import type { Carrier } from '../../harness/schema/harness.ts'
import { generalActions } from '../../model/access/summary.ts'
import type { Json } from '../../model/agent.ts'
import type { AccessReport } from '../../model/conversion.ts'
import { accessEntries } from '../access/tool-entries.ts'
import type { Ledger } from '../gaps.ts'
import type { Plan, Target, Way } from '../plan.ts'
import { shortValue } from './keys.ts'
import { type AgentOutput, type Keys, outputPath, promptFilePath } from './output.ts'
import { lineOf, type Source } from './source.ts'

/** How an agent is carried over, by what its file and the target's have in common. */
export function wayTo(source: Source, { harness, carrier }: Target): Way {
  if (source.harness.id !== harness.id || losesKeys(source, carrier)) return 'convert'
  if (source.carrier.id !== carrier.id && (source.carrier.fields ?? carrier.fields) !== undefined) return 'convert'
  return isSameKindOfFile(source.carrier, carrier) ? 'copy' : 'move'
}

/** The file as it is, at its new path. */
export function copyFile(source: Source, { carrier }: Target, name: string): AgentOutput {
  const { text, encoding, agent } = source
  const path = agent.prompt.from === null ? null : promptFilePath(carrier, name)
  return {
    kind: 'file',
    path: outputPath(carrier, name),
    text,
    ...(encoding === undefined ? {} : { encoding }),
    // A prompt in a file of its own stays in one.
    ...(path === null ? {} : { beside: { path, text: agent.prompt.text } }),
  }
}

/** References stay references in the new place. */
export function keepReferences({ carrier }: Source, output: AgentOutput): AgentOutput {
  if (output.kind === 'file' || carrier.prompt.expands === undefined) return output
  return { ...output, settings: output.settings.map(({ literal: _literal, ...setting }) => setting) }
}

/** Keys that the harness honours in this kind of file but not in the other. */
function losesKeys({ map, carrier }: Source, { drops = [] }: Carrier): boolean {
  return drops.some((key) => carrier.drops?.includes(key) !== true && getEntry(map, key) !== undefined)
}

/** Both kinds have the same form and differ only in place. */
function isSameKindOfFile(one: Carrier, other: Carrier): boolean {
  return one.format === other.format && one.prompt.in === other.prompt.in && !one.agents && !other.agents
}

/** The keys as they are, except for the name and the prompt, which have places of their own. */
export function moveKeys(
  { map, carrier, harness, agent }: Source,
  { target, name }: Pick<Plan, 'target' | 'name'>,
): Keys {
  const data = (map === null ? {} : toData(map)) as Record<string, Json>
  // Rules are written in the form of the other kind of file.
  for (const layer of carrier.rules === target.carrier.rules ? [] : harness.access.layers) {
    const node = getEntry(map, layer.key)?.value
    if (node === undefined || layer.codec !== 'rule-map') continue
    data[layer.key] = toCarrierForm(target.carrier, layer, orderedData(toPatternMaps(carrier, layer, node)))
  }
  const moved = new Set([carrier.name.key, ...promptKeysIn(carrier, map), ...Object.keys(carrier.constants ?? {})])
  const keys = Object.fromEntries(Object.entries(data).filter(([key]) => !moved.has(key)))
  const { key, path } = target.carrier.name
  const isNamed = key !== undefined && path !== 'mapKey' && (path !== 'relative' || agent.name !== name)
  return isNamed ? { [key]: name, ...keys } : keys
}

export function recordUnchanged(source: Source, ledger: Ledger): void {
  const access = accessEntries(source)
  for (const { key, value, range } of source.map?.entries ?? []) {
    const text = shortValue(toData(value) as Json)
    const line = lineOf(source, range)
    ledger.features.push({ area: 'fields', feature: key, outcome: 'direct', from: text, to: text, line })
  }
  for (const { native, rules } of access) {
    const line = lineOf(source, rules[0]?.range ?? null)
    ledger.features.push({ area: 'tools', feature: native, outcome: 'direct', from: native, to: native, line })
  }
  for (const name of source.agent.fields.skills?.value ?? []) {
    ledger.features.push({ area: 'skills', feature: name, outcome: 'direct', from: name, to: name, line: null })
  }
}

export function unchangedAccess({ agent }: Source): AccessReport {
  const general = generalActions(agent.access)
  return {
    before: general,
    after: general,
    enforced: 'observed',
    widened: [],
    unasked: [],
    narrowed: [],
    revived: [],
    unsandboxed: [],
  }
}
