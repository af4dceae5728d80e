/** Within one dialect nothing is converted: a file stays as it is, byte for byte; between kinds of file the keys move. */
import { scoreFidelity } from '../fidelity/score.ts'
import { inOwnForm, orderedData, plainForm } from '../harness/rule-form.ts'
import type { Carrier } from '../harness/schema/harness.ts'
import type { Json } from '../model/agent.ts'
import { summarizeAccess } from '../model/capabilities.ts'
import type { AccessReport } from '../model/conversion.ts'
import { entry, toData } from '../text/data.ts'
import { accessEntries } from './access.ts'
import { type Assembled, assemble, type Beside, besidePath, type Keys, outputPath } from './assemble.ts'
import { goBack, wayBack } from './go-back.ts'
import { keepSource } from './keep.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { lineOf, type Source } from './parse.ts'
import { type Converted, type ConvertOptions, convertAgent } from './pipeline.ts'
import { assemblePrompt, longEnough } from './prompt.ts'
import { misreadAs, misreading, readBack } from './read-back.ts'
import { recordConversion } from './record.ts'
import { shown } from './shown-value.ts'

export function moveAgent(source: Source, options: ConvertOptions): Converted {
  const { target, name } = options
  if (losesKeys(source, target.carrier)) return convertAgent(source, options)
  const ledger = openLedger(options.policy)
  accountForAll(source, ledger)
  const isSameKind = isAlike(source.carrier, target.carrier)
  const original = source.agent.prompt.text
  const parts = { comments: [], original, changes: [], body: original, additions: [], todos: [] }
  const { lineEnd } = source
  const prompt = longEnough(
    target.carrier,
    source.agent,
    assemblePrompt(source.carrier, target.carrier, parts, lineEnd),
  )
  const keys = ownKeys(source, options)
  const moved: Assembled = isSameKind
    ? {
        kind: 'file',
        path: outputPath(target.carrier, name),
        text: source.text,
        ...encodingOf(source),
        ...besideOf(source, options),
      }
    : asItWas(source, assemble({ ...target, target: target.harness, name, keys, prompt: prompt.text, lineEnd }))
  const meant = { ...source.agent, name, prompt: { ...source.agent.prompt, text: prompt.text } }
  const otherwise = (output: Assembled) => misreading(source.registry, target, output, meant, source.agent.access)
  const gone = isSameKind ? null : goBack(source, options, { output: moved, keys, prompt: prompt.text, changes: [] })
  // What is kept is the word of a lock, which anybody can write.
  const back = gone === null || otherwise(gone.output) !== null ? null : gone
  const output = back?.output ?? moved
  const problem = isSameKind || back !== null ? null : otherwise(output)
  const agent = isSameKind ? source.agent : problem === null ? readBack(source.registry, target, output) : meant
  const fidelity = scoreFidelity(ledger.features, ledger.gaps)
  const body = { text: original, changes: [], patterns: [], todos: [], gaps: [] }
  const carried = { report: unchangedAccess(source) }
  const record = recordConversion({ source, options, ledger, body, carried, fidelity, output, settings: [] })
  return {
    record,
    output,
    settings: [],
    kept: keepSource(source, agent, back === null ? prompt.back : wayBack(back, agent, source.agent)),
    agent,
    isRestored: isSameKind || back !== null,
    refusal: problem === null ? null : misreadAs(target, source.agent.name, problem),
  }
}

/** What refers to something does so in the new place too. */
function asItWas({ carrier }: Source, output: Assembled): Assembled {
  if (output.kind === 'file' || carrier.prompt.expands === undefined) return output
  return { ...output, settings: output.settings.map(({ literal: _literal, ...setting }) => setting) }
}

function encodingOf({ encoding }: Source) {
  return encoding === undefined ? {} : { encoding }
}

/** A prompt in a file of its own stays in one. */
function besideOf({ agent }: Source, { target, name }: ConvertOptions): { readonly beside?: Beside } {
  const path = agent.prompt.from === null ? null : besidePath(target.carrier, name)
  return path === null ? {} : { beside: { path, text: agent.prompt.text } }
}

/** Keys that the harness honours where they stand now, and not in the other kind of file. */
function losesKeys({ map, carrier }: Source, { drops = [] }: Carrier): boolean {
  return drops.some((key) => carrier.drops?.includes(key) !== true && entry(map, key) !== undefined)
}

/** A file of one kind is a file of the other, in another place. */
function isAlike(one: Carrier, other: Carrier): boolean {
  return one.format === other.format && one.prompt.in === other.prompt.in && !one.agents && !other.agents
}

/** The keys as they stand, but for the name and the prompt, which have places of their own. */
export function ownKeys(
  { map, carrier, harness, agent }: Source,
  { target, name }: Pick<ConvertOptions, 'target' | 'name'>,
): Keys {
  const data = (map === null ? {} : toData(map)) as Record<string, Json>
  // Rules are written as the other kind of file writes them.
  for (const layer of carrier.rules === target.carrier.rules ? [] : harness.access.layers) {
    const node = entry(map, layer.key)?.value
    if (node === undefined || layer.codec !== 'rule-map') continue
    data[layer.key] = inOwnForm(target.carrier, layer, orderedData(plainForm(carrier, layer, node)))
  }
  const { [carrier.name.key ?? '']: _name, [carrier.prompt.key ?? '']: _prompt, ...keys } = data
  const { key, path } = target.carrier.name
  const isNamed = key !== undefined && path !== 'mapKey' && (path !== 'relative' || agent.name !== name)
  return isNamed ? { [key]: name, ...keys } : keys
}

function accountForAll(source: Source, ledger: Ledger): void {
  const access = accessEntries(source)
  for (const { key, value, range } of source.map?.entries ?? []) {
    const text = shown(toData(value) as Json)
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

function unchangedAccess({ agent }: Source): AccessReport {
  const { general } = summarizeAccess(agent.access)
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
