/** How one field of the source fares in the target, by what the target's harness file says of its concept. */

import { outcomeOf } from '../fidelity/score.ts'
import { type ModelMap, spellModel } from '../harness/models.ts'
import type { AgentType, Carrier, FieldSpec, Harness } from '../harness/schema/harness.ts'
import { harnessKeys, isForPeople } from '../harness/vocabulary.ts'
import { spellColor } from '../harness/write-color.ts'
import { nativeValue } from '../harness/write-field.ts'
import { readServers, writeServers } from '../harness/write-servers.ts'
import { roles } from '../model/access.ts'
import { type Concept, concepts, type Json } from '../model/agent.ts'
import type { GapType, Outcome } from '../model/conversion.ts'
import { severityOfGap } from './gaps.ts'
import { type Ledger, todoComment } from './ledger.ts'
import { guardSetting } from './own-servers.ts'
import type { Source } from './parse.ts'
import { withoutSecrets } from './secrets.ts'
import type { Setting } from './setting.ts'
import { shown } from './shown-value.ts'

export interface FieldsInput {
  readonly source: Source
  readonly target: Harness
  readonly carrier: Carrier
  readonly targetName: string
  /** The fixed type that it runs as: its settings are those of the type. */
  readonly type?: AgentType | null
  /** The user's own words for models. */
  readonly models: ModelMap
  readonly ledger: Ledger
}

/** How one field fares. */
export interface Fare {
  readonly written?: readonly { readonly key: string; readonly value: Json }[]
  readonly settings?: readonly Setting[]
  readonly comment?: string
  readonly outcome: Outcome
  readonly to?: string | null
  readonly note?: string | undefined
  readonly isCertain?: boolean
}

export function fareOf(input: FieldsInput, concept: Concept, value: Json, line: number | null): Fare {
  const { source, target } = input
  const spec = target.fields[concept] ?? null
  if (spec === null) return unsupported(input, concept, value, line, `${target.title} has no such field`)
  if (isDropped(input.carrier, spec.key)) return unsupported(input, concept, value, line, notHonoured(input))
  if (spec.omit !== undefined && spec.omit === value) return { outcome: 'direct', to: '(left out)' }
  if (concept === 'mode') return modeFare(input, spec, value, line)
  if (concept === 'model') return modelFare(input, spec, value as string | readonly string[], line)
  if (spec.inert !== undefined && concepts[concept].weight === 'guard') {
    return unsupported(input, concept, value, line, spec.inert)
  }
  const color = concept === 'color' && typeof value === 'string'
  const spelled = color ? spellColor(source.registry, target, spec, value) : null
  const native = color ? spelled?.value : nativeOf(source, spec, concept, value)
  if (native === undefined) {
    return unsupported(input, concept, value, line, `${target.title} does not take this value`)
  }
  const note = spec.inert ?? spec.partial ?? spelled?.note
  const outcome = note === undefined && isSame(concept, native, value) ? 'direct' : 'workaround'
  if (spec.key !== undefined) return { written: [{ key: spec.key, value: native }], outcome, note }
  if (spec.embedded === 'body') return { ...commentFare(source.agent.fields[concept]?.key ?? concept, value), note }
  if (spec.config === undefined) return { outcome: 'direct', to: spec.embedded ?? null, note }
  return settingsFare(input, spec.config, native, concept, note)
}

function isDropped({ drops = [] }: Carrier, key: string | undefined): boolean {
  return key !== undefined && drops.includes(key)
}

/** The harness takes the key elsewhere, but not in files of this kind. */
function notHonoured({ target, carrier }: Pick<FieldsInput, 'target' | 'carrier'>): string {
  return `${target.title} does not honour it in a ${carrier.title}`
}

/** A server that all agents of a project see is set by its own name. */
function settingsFare(
  { type = null, target, targetName }: FieldsInput,
  config: NonNullable<FieldSpec['config']>,
  native: Json,
  concept: Concept,
  note: string | undefined,
): Fare {
  const name = type?.name ?? targetName
  const path = config.path.split('.').map((step) => step.replace('{name}', name))
  const shared = type === null || !config.path.includes('{name}') ? {} : { shared: true as const }
  const isMany = concept === 'mcpServers' && typeof native === 'object' && native !== null
  const settings = isMany
    ? Object.entries(native).flatMap(([server, value]): Setting[] => [
        { file: config.file, path: [...path, server], value, server, ...literalIn(target, config.file) },
        ...guardSetting(target, config, server),
      ])
    : [{ file: config.file, path, value: native, ...shared }]
  const place = `${config.file}: ${path.join('.')}`
  const everybody = 'shared' in shared ? `for everything that runs as '${name}'` : undefined
  return {
    settings,
    outcome: 'workaround',
    to: isMany ? place : `${place} = ${shown(native)}`,
    note: [note, everybody].filter((one) => one !== undefined).join('; ') || undefined,
  }
}

/** Where references in the file are replaced, what only looks like one must be marked as text. */
function literalIn({ carriers }: Harness, file: string): Pick<Setting, 'literal'> {
  const literal = carriers.find(({ project }) => project?.write === file)?.prompt.expands
  return literal === undefined ? {} : { literal }
}

/** A colour is the same colour under another word. */
function isSame(concept: Concept, native: Json, value: Json): boolean {
  return concept !== 'color' || native === value || typeof native !== 'string' || native.startsWith('#')
}

function nativeOf(source: Source, spec: FieldSpec, concept: Concept, value: Json): Json | undefined {
  const own = source.harness.fields[concept]
  if (spec.servers !== undefined && own?.servers !== undefined) {
    const read = readServers({ servers: own.servers, filters: own.filters }, value)
    const dialect = { servers: spec.servers, filters: spec.filters }
    const servers = read === undefined ? undefined : writeServers(dialect, read)
    return servers === undefined ? undefined : nativeValue(spec, concept, servers)
  }
  // What has an inner form of its own means nothing to a harness with another one.
  if (concepts[concept].type === 'data' && (spec.form === undefined || spec.form !== own?.form)) return undefined
  return nativeValue(spec, concept, value)
}

function modeFare(input: FieldsInput, spec: FieldSpec, value: Json, line: number | null): Fare {
  const { target } = input
  const native = spec.key === undefined ? undefined : nativeValue(spec, 'mode', value)
  if (spec.key !== undefined && native !== undefined) {
    return {
      written: native === spec.default ? [] : [{ key: spec.key, value: native }],
      outcome: 'direct',
      to: shown(native),
    }
  }
  // Nothing is lost where the target lets an agent be more than it was asked to be; but it is not the same.
  if (value === spec.default || value === 'all') return { outcome: 'direct', to: spec.default ?? null, note: spec.note }
  const isPossible = value !== 'primary' || (spec.roles ?? roles).includes('main')
  if (isPossible) return { outcome: 'workaround', to: spec.default ?? null, note: spec.note }
  return unsupported(input, 'mode', value, line, spec.note ?? `${target.title} has no such mode`)
}

function modelFare(input: FieldsInput, spec: FieldSpec, value: string | readonly string[], line: number | null): Fare {
  const { source, target, models } = input
  const spelled = spellModel(source.harness, target, value, models)
  if (spelled.value === null) {
    if (spelled.how !== 'omitted') return { outcome: 'direct', to: '(left out)', note: spelled.note }
    return unsupported(input, 'model', value, line, spelled.note ?? `${target.title} has no such model`)
  }
  const native = spec.key === undefined ? undefined : nativeValue(spec, 'model', spelled.value as Json)
  if (spec.key === undefined || native === undefined) {
    if (spec.config !== undefined)
      return settingsFare(input, spec.config, spelled.value as Json, 'model', spelled.note ?? spec.note)
    return unsupported(input, 'model', value, line, `${target.title} cannot be told a model`)
  }
  const outcome = spelled.note === undefined ? 'direct' : 'workaround'
  const isCertain = spelled.how !== 'tier'
  return { written: [{ key: spec.key, value: native }], outcome, note: spelled.note, isCertain }
}

export function extraFare(input: FieldsInput, key: string, value: Json, line: number | null): Fare {
  const { source, target, carrier, ledger } = input
  const isHarmless = target.unknownKeys === 'ignored' || target.unknownKeys === 'accepted'
  if (isHarmless && !isDropped(carrier, key) && !harnessKeys(target).has(key))
    return { written: [{ key, value }], outcome: 'direct' }
  const reason = isDropped(carrier, key) ? notHonoured(input) : `${target.title} does not know the key \`${key}\``
  ledger.decide({ ...openGap('field-unsupported', key, null, reason, target, line) })
  // People read it, so it stays where people read.
  return isForPeople(source.registry, key) ? commentFare(key, value) : { outcome: 'omitted', note: reason }
}

function commentFare(key: string, value: Json): Fare {
  return {
    comment: `<!-- ${key}: ${commentText(typeof value === 'string' ? value : JSON.stringify(withoutSecrets(value)))} -->`,
    outcome: 'workaround',
    to: 'comment in the prompt',
  }
}

function unsupported(input: FieldsInput, concept: Concept, value: Json, line: number | null, reason: string): Fare {
  const { source, target, ledger } = input
  const feature = source.agent.fields[concept]?.key ?? concept
  if (isEmpty(value)) return { outcome: 'direct', to: '(left out)', note: 'it says nothing' }
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
    const wanted = shown(value)
    ledger.todos.push(todoComment(`No equivalent for ${feature} on ${target.title} (${reason}). It was: ${wanted}`))
  }
  const note = resolution === 'workaround' ? (gap.workaround ?? reason) : reason
  return { outcome: outcomeOf(resolution), note }
}

/** Where nothing is said, nothing is lost. */
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
