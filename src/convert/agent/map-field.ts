/** Maps one field of the source to the target, by what the target's harness file defines for its concept. */

import { harnessKeys, isForPeople } from '../../harness/keys.ts'
import type { AgentType, Carrier, FieldSpec, Harness } from '../../harness/schema/harness.ts'
import { nativeValue, readServers, spellColor, writeServers } from '../../harness/write/fields.ts'
import { type ModelMap, spellModel } from '../../harness/write/models.ts'
import { roles } from '../../model/access/rules.ts'
import { type Concept, concepts, type Json } from '../../model/agent.ts'
import type { GapType, Outcome } from '../../model/conversion.ts'
import { gapOutcome } from '../../model/score.ts'
import { guardSetting } from '../access/own-servers.ts'
import { type Ledger, severityOfGap, todoComment } from '../gaps.ts'
import { shortValue, withoutSecrets } from './keys.ts'
import type { ConfigSetting } from './output.ts'
import type { Source } from './source.ts'

export interface MapFieldsInput {
  readonly source: Source
  readonly target: Harness
  readonly carrier: Carrier
  readonly targetName: string
  /** The fixed type it runs as: its settings are those of the type. */
  readonly type?: AgentType | null
  /** The user's own names for models. */
  readonly models: ModelMap
  readonly ledger: Ledger
}

export interface MappedField {
  readonly written?: readonly { readonly key: string; readonly value: Json }[]
  readonly settings?: readonly ConfigSetting[]
  readonly comment?: string
  readonly outcome: Outcome
  readonly to?: string | null
  readonly note?: string | undefined
  readonly isCertain?: boolean
}

export function mapField(input: MapFieldsInput, concept: Concept, value: Json, line: number | null): MappedField {
  const { source, target } = input
  const spec = target.fields[concept] ?? null
  if (concept !== 'mode' && isUsual(source.harness.fields[concept], value) && (spec === null || isUsual(spec, value)))
    return { outcome: 'direct', to: '(left out)', note: 'it is the default' }
  if (spec === null) return mapUnsupported(input, concept, value, line, `${target.title} has no such field`)
  if (isDropped(input.carrier, spec.key)) return mapUnsupported(input, concept, value, line, notHonoured(input))
  if (spec.omit !== undefined && spec.omit === value) return { outcome: 'direct', to: '(left out)' }
  if (concept === 'mode') return mapMode(input, spec, value, line)
  if (concept === 'model') return mapModel(input, spec, value as string | readonly string[], line)
  if (spec.inert !== undefined && concepts[concept].weight === 'guard') {
    return mapUnsupported(input, concept, value, line, spec.inert)
  }
  const color = concept === 'color' && typeof value === 'string'
  const spelled = color ? spellColor(source.registry, target, spec, value) : null
  const native = color ? spelled?.value : nativeValueOf(source, spec, concept, value)
  if (native === undefined) {
    return mapUnsupported(input, concept, value, line, `${target.title} does not accept this value`)
  }
  const note = spec.inert ?? spec.partial ?? spelled?.note
  const outcome = note === undefined && isSameColor(concept, native, value) ? 'direct' : 'workaround'
  if (spec.key !== undefined) return { written: [{ key: spec.key, value: native }], outcome, note }
  if (spec.embedded === 'body') return { ...mapToComment(source.agent.fields[concept]?.key ?? concept, value), note }
  if (spec.config === undefined) return { outcome: 'direct', to: spec.embedded ?? null, note }
  return mapToConfig(input, spec.config, native, concept, note)
}

/** The value that an agent has without the key. */
function isUsual(spec: FieldSpec | null | undefined, value: Json): boolean {
  return spec?.key !== undefined && spec.default !== undefined && spec.default === String(value)
}

function isDropped({ drops = [] }: Carrier, key: string | undefined): boolean {
  return key !== undefined && drops.includes(key)
}

/** The harness honours the key elsewhere, but not in files of this kind. */
function notHonoured({ target, carrier }: Pick<MapFieldsInput, 'target' | 'carrier'>): string {
  return `${target.title} does not honour it in a ${carrier.title}`
}

/** A server that all agents of a project see is set under its own name. */
function mapToConfig(
  { type = null, target, targetName }: MapFieldsInput,
  config: NonNullable<FieldSpec['config']>,
  native: Json,
  concept: Concept,
  note: string | undefined,
): MappedField {
  const name = type?.name ?? targetName
  const path = config.path.split('.').map((step) => step.replace('{name}', name))
  const shared = type === null || !config.path.includes('{name}') ? {} : { shared: true as const }
  const isMany = concept === 'mcpServers' && typeof native === 'object' && native !== null
  const settings = isMany
    ? Object.entries(native).flatMap(([server, value]): ConfigSetting[] => [
        { file: config.file, path: [...path, server], value, server, ...literalIn(target, config.file) },
        ...guardSetting(target, config, server),
      ])
    : [{ file: config.file, path, value: native, ...shared }]
  const place = `${config.file}: ${path.join('.')}`
  const sharedNote = 'shared' in shared ? `applies to every agent that runs as '${name}'` : undefined
  return {
    settings,
    outcome: 'workaround',
    to: isMany ? place : `${place} = ${shortValue(native)}`,
    note: [note, sharedNote].filter((one) => one !== undefined).join('; ') || undefined,
  }
}

/** Where references in the file are expanded, text that only looks like one must be marked as text. */
function literalIn({ carriers }: Harness, file: string): Pick<ConfigSetting, 'literal'> {
  const literal = carriers.find(({ project }) => project?.write === file)?.prompt.expands
  return literal === undefined ? {} : { literal }
}

/** A colour is the same colour under another word. */
function isSameColor(concept: Concept, native: Json, value: Json): boolean {
  return concept !== 'color' || native === value || typeof native !== 'string' || native.startsWith('#')
}

function nativeValueOf(source: Source, spec: FieldSpec, concept: Concept, value: Json): Json | undefined {
  const own = source.harness.fields[concept]
  if (spec.servers !== undefined && own?.servers !== undefined) {
    const read = readServers({ servers: own.servers, filters: own.filters }, value)
    const dialect = { servers: spec.servers, filters: spec.filters }
    const servers = read === undefined ? undefined : writeServers(dialect, read)
    return servers === undefined ? undefined : nativeValue(spec, concept, servers)
  }
  // A value with an inner form means nothing to a harness with another form.
  if (concepts[concept].type === 'data' && (spec.form === undefined || spec.form !== own?.form)) return undefined
  return nativeValue(spec, concept, value)
}

function mapMode(input: MapFieldsInput, spec: FieldSpec, value: Json, line: number | null): MappedField {
  const { target } = input
  const native = spec.key === undefined ? undefined : nativeValue(spec, 'mode', value)
  if (spec.key !== undefined && native !== undefined) {
    return {
      written: native === spec.default ? [] : [{ key: spec.key, value: native }],
      outcome: 'direct',
      to: shortValue(native),
    }
  }
  // Nothing is lost where the target lets an agent be more than was asked; but it is not the same.
  if (value === spec.default || value === 'all') return { outcome: 'direct', to: spec.default ?? null, note: spec.note }
  const isPossible = value !== 'primary' || (spec.roles ?? roles).includes('main')
  if (isPossible) return { outcome: 'workaround', to: spec.default ?? null, note: spec.note }
  return mapUnsupported(input, 'mode', value, line, spec.note ?? `${target.title} has no such mode`)
}

function mapModel(
  input: MapFieldsInput,
  spec: FieldSpec,
  value: string | readonly string[],
  line: number | null,
): MappedField {
  const { source, target, models } = input
  const spelled = spellModel(source.harness, target, value, models)
  if (spelled.value === null) {
    if (spelled.how !== 'omitted') return { outcome: 'direct', to: '(left out)', note: spelled.note }
    return mapUnsupported(input, 'model', value, line, spelled.note ?? `${target.title} has no such model`)
  }
  const native = spec.key === undefined ? undefined : nativeValue(spec, 'model', spelled.value as Json)
  if (spec.key === undefined || native === undefined) {
    if (spec.config !== undefined)
      return mapToConfig(input, spec.config, spelled.value as Json, 'model', spelled.note ?? spec.note)
    return mapUnsupported(input, 'model', value, line, `${target.title} has no setting for the model`)
  }
  const outcome = spelled.note === undefined ? 'direct' : 'workaround'
  const isCertain = spelled.how !== 'tier'
  return { written: [{ key: spec.key, value: native }], outcome, note: spelled.note, isCertain }
}

export function mapExtraKey(input: MapFieldsInput, key: string, value: Json, line: number | null): MappedField {
  const { source, target, carrier, ledger } = input
  if (isEmpty(value)) return { outcome: 'direct', to: '(left out)', note: 'it is empty' }
  const isHarmless = target.unknownKeys === 'ignored' || target.unknownKeys === 'accepted'
  if (isHarmless && !isDropped(carrier, key) && !harnessKeys(target).has(key))
    return { written: [{ key, value }], outcome: 'direct' }
  const reason = isDropped(carrier, key) ? notHonoured(input) : `${target.title} does not know the key \`${key}\``
  ledger.decide({ ...openGap('field-unsupported', key, null, reason, target, line) })
  // It is meant for people, so it stays where people read it.
  return isForPeople(source.registry, key) ? mapToComment(key, value) : { outcome: 'omitted', note: reason }
}

function mapToComment(key: string, value: Json): MappedField {
  return {
    comment: `<!-- ${key}: ${commentText(typeof value === 'string' ? value : JSON.stringify(withoutSecrets(value)))} -->`,
    outcome: 'workaround',
    to: 'comment in the prompt',
  }
}

function mapUnsupported(
  input: MapFieldsInput,
  concept: Concept,
  value: Json,
  line: number | null,
  reason: string,
): MappedField {
  const { source, target, ledger } = input
  const feature = source.agent.fields[concept]?.key ?? concept
  if (isEmpty(value)) return { outcome: 'direct', to: '(left out)', note: 'it is empty' }
  if (concept === 'description') {
    ledger.decide({
      ...openGap(
        'field-unsupported',
        feature,
        concept,
        'Agent description field has no target equivalent; preserved as comment',
        target,
        line,
      ),
    })
    const comment = `<!-- Original description: ${commentText(String(value))} -->`
    return { comment, outcome: 'workaround', to: 'comment in the prompt', note: reason }
  }
  const type = gapTypeOf(concept)
  const gap = openGap(type, feature, concept, reason, target, line)
  const resolution = ledger.decide(gap)
  if (resolution === 'todo') {
    const wanted = shortValue(value)
    ledger.todos.push(todoComment(`No equivalent for ${feature} on ${target.title} (${reason}). It was: ${wanted}`))
  }
  const note = resolution === 'workaround' ? (gap.workaround ?? reason) : reason
  return { outcome: gapOutcome(resolution), note }
}

/** An empty value loses nothing. */
function isEmpty(value: Json): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function gapTypeOf(concept: Concept): GapType {
  if (concept === 'model') return 'model-unconfigurable'
  return concept === 'mode' ? 'agent-type-mismatch' : 'field-unsupported'
}

function openGap(
  type: GapType,
  feature: string,
  concept: Concept | null,
  reason: string,
  target: Harness,
  line: number | null,
) {
  const known = concept === null ? undefined : target.workarounds[concept]
  const workaround = known !== undefined && 'say' in known ? known.say : null
  return { type, feature, severity: severityOfGap(type, concept), reason, workaround, line }
}

function commentText(text: string): string {
  return text.replaceAll('-->', '-- >').trim()
}
