/** Stage 7, record: every decision, as plain data for people, programs and tests. */

import { sameData } from '../../formats/data.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { understandModel } from '../../harness/write/model-names.ts'
import type { Agent, Json } from '../../model/agent.ts'
import type { ConfigEntry, Conversion, FidelityReport, PromptEdit } from '../../model/conversion.ts'
import { gapOutcome } from '../../model/score.ts'
import type { CarriedAccess } from '../access/carry.ts'
import { type Ledger, severityOfGap } from '../gaps.ts'
import type { ConvertedPrompt } from '../prompt/pass.ts'
import type { MappedType } from './agent-type.ts'
import type { FieldClaim } from './fields.ts'
import { conceptsOfKey, extraOf } from './keys.ts'
import type { AgentOutput, ConfigSetting } from './output.ts'
import { lineOf, type Source } from './source.ts'

/** A conversion before anything was written. */
export type ConversionRecord = Omit<Conversion, 'status' | 'diagnostics'>

interface RecordInput {
  readonly source: Source
  readonly options: { readonly target: { readonly harness: { readonly id: string } }; readonly name: string }
  readonly ledger: Ledger
  readonly body: ConvertedPrompt
  readonly carried: Pick<CarriedAccess, 'report'>
  readonly fidelity: FidelityReport
  readonly output: AgentOutput
  readonly settings: readonly ConfigSetting[]
}

export function recordConversion(input: RecordInput): ConversionRecord {
  const { source, options, ledger, output } = input
  const entries = [...input.settings, ...(output.kind === 'settings' ? output.settings : [])]
  return {
    name: source.agent.name,
    source: { harness: source.harness.id, path: source.path },
    target: {
      harness: options.target.harness.id,
      name: options.name,
      files: output.kind === 'file' ? filesOf(output) : [...new Set(entries.map(({ file }) => file))],
    },
    fidelity: input.fidelity,
    features: ledger.features,
    access: input.carried.report,
    gaps: ledger.gaps,
    edits: promptEdits(source, input.body),
    config: configEntries(entries),
  }
}

function filesOf({ path, beside }: Extract<AgentOutput, { kind: 'file' }>): string[] {
  return beside === undefined ? [path] : [path, beside.path]
}

/** Positions in the source file; where the prompt is a value with escapes, the position of the value. */
function promptEdits({ agent, lines }: Source, { changes }: ConvertedPrompt): PromptEdit[] {
  const { range, text } = agent.prompt
  return changes.map(({ range: place, text: to, rule }) => {
    const isVerbatim = range !== null && range.end - range.start === text.length
    const start = (range?.start ?? 0) + (isVerbatim ? place.start : 0)
    const { line, column } = lines.positionAt(start)
    return { line, column, from: text.slice(place.start, place.end), to, rule }
  })
}

function configEntries(settings: readonly ConfigSetting[]): ConfigEntry[] {
  const files = new Map<string, Record<string, ConfigSetting['value']>>()
  for (const { file, path, value } of settings) {
    const set = files.get(file) ?? {}
    set[path.join('.')] = value
    files.set(file, set)
  }
  return [...files].map(([path, set]) => ({ path, set }))
}

/** An agent that runs as a fixed type has no name of its own, except for its file. */
export function recordName(ledger: Ledger, source: Source, name: string, mapped: MappedType | null = null): void {
  const { agent, carrier } = source
  const isSame = agent.name === name
  ledger.features.push({
    area: 'fields',
    feature: carrier.name.key ?? 'name',
    outcome: mapped?.outcome ?? (isSame ? 'direct' : 'workaround'),
    from: agent.name,
    to: name,
    line: lineOf(source, agent.nameRange),
    note: mapped?.note ?? (isSame ? undefined : 'the target does not accept this name; references are updated'),
  })
}

/** One feature for each kind and name of reference, however often it occurs. */
export function recordPrompt(ledger: Ledger, source: Source, { patterns }: ConvertedPrompt): void {
  const { range, text } = source.agent.prompt
  const isVerbatim = range !== null && range.end - range.start === text.length
  for (const { first, ...pattern } of patterns) {
    const place = range === null ? null : { start: range.start + (isVerbatim ? first : 0), end: range.end }
    ledger.features.push({ area: 'body', ...pattern, line: lineOf(source, place) })
  }
}

/** Values of the original that cannot be restored: secrets are not kept, and the agent does not hold them. */
export function recordLostSecrets(ledger: Ledger, target: Harness, keys: readonly string[]): void {
  for (const key of keys) {
    const reason = `\`${key}\` held secrets, which troupe.lock never stores, and the original is gone or has changed`
    const severity = severityOfGap('field-unsupported', conceptsOfKey(target, key)[0] ?? null)
    const gap = { type: 'field-unsupported', feature: key, severity, reason, workaround: null, line: null } as const
    const outcome = gapOutcome(ledger.decide(gap))
    ledger.features.push({ area: 'fields', feature: key, outcome, from: null, to: null, line: null, note: reason })
  }
}

/** Stage 6, score: a claim counts as direct only if reading the written text back confirms it. */
export function recordFields(ledger: Ledger, before: Agent, after: Agent, claims: readonly FieldClaim[]): void {
  for (const claim of claims) {
    const { feature, from, to, line } = claim
    const isKept = claim.outcome !== 'direct' || claim.isCertain || isConfirmed(before, after, claim)
    const outcome = isKept ? claim.outcome : 'workaround'
    const changed = claim.concept === 'model' ? 'another model of the same tier' : 'reads back as a different value'
    const note = claim.note ?? (isKept ? undefined : changed)
    ledger.features.push({ area: 'fields', feature, outcome, from, to, line, note })
  }
}

function isConfirmed(before: Agent, after: Agent, { concept, feature }: FieldClaim): boolean {
  if (concept === null) {
    return sameData(extraOf(before, feature)?.value, extraOf(after, feature)?.value)
  }
  const old = before.fields[concept]?.value as Json
  const now = after.fields[concept]?.value as Json | undefined
  // Left out because it means the same as absence, or implied by the file itself.
  if (now === undefined) return true
  if (concept === 'model') return sameModels(old, now)
  if (concept === 'color' || concept === 'mcpServers') return true
  return sameData(old, now)
}

/** The same tier, or the same model by another name. */
function sameModels(old: Json, now: Json): boolean {
  if (typeof old !== 'string' || typeof now !== 'string') return sameData(modelMeanings(old), modelMeanings(now))
  return old === now || modelMeaning(old) === modelMeaning(now)
}

function modelMeanings(value: Json): (string | null)[] {
  return (Array.isArray(value) ? value : [value]).map((one) => modelMeaning(String(one)))
}

const knownMeanings = new Map<string, string | null>()

function modelMeaning(model: string): string | null {
  let meaning = knownMeanings.get(model)
  if (meaning === undefined) {
    const name = understandModel(model)
    meaning = name === null || name === 'inherit' ? name : (name.tier ?? `${name.family} ${name.version}`)
    knownMeanings.set(model, meaning)
  }
  return meaning
}
