/** Spells the model of one dialect in another: by the user's own map, by its tier, or by its other name. */

import type { Harness } from '../schema/harness.ts'
import {
  currentOffer,
  distinctiveMarks,
  hasVendor,
  type ModelName,
  modelTexts,
  offersLike,
  understandModel,
} from './model-names.ts'

/** From the smallest change of a model to the largest. */
const ways = ['same', 'id', 'tier', 'map', 'omitted'] as const

export interface SpelledModel {
  /** Null: the key is left out. */
  readonly value: string | readonly string[] | null
  /**
   * The same (also if leaving the key out means the same), the same model by another id, the target's model for the
   * tier or family, the entry in the user's map, or nothing, because the target would fail on it.
   */
  readonly how: (typeof ways)[number]
  /** What changed, for people. */
  readonly note?: string
}

/** The user's own map: the exact text of the source to an id, to a tier, or to nothing (null, `inherit`). */
export type ModelMap = Readonly<Record<string, string | null>>

interface Spelled extends SpelledModel {
  readonly value: string | null
}

export function spellModel(
  source: Harness,
  target: Harness,
  value: string | readonly string[],
  own: ModelMap = {},
): SpelledModel {
  const whole = typeof value === 'string' ? spellByMap(target, value.trim(), own) : undefined
  if (whole !== undefined) return whole
  const texts = modelTexts(value)
  const isUntouched = source.id === target.id && !texts.some((text) => Object.hasOwn(own, text))
  if (isUntouched) return { value, how: 'same' }
  const spelled = texts.map((text) => spellByMap(target, text, own) ?? spellOne(source, target, text))
  const [only = { value: null, how: 'same' }] = spelled
  if (spelled.length < 2) return only
  return target.models.lists ? chooseAll(texts, spelled) : chooseFirst(texts, spelled)
}

function spellByMap(target: Harness, text: string, own: ModelMap): Spelled | undefined {
  const wanted = ownValue(own, text)
  if (wanted === undefined) return undefined
  const id = wanted === null ? 'inherit' : (ownValue(target.models.tiers, wanted) ?? wanted)
  return { value: id === 'inherit' ? inheritWord(target) : id, how: 'map' }
}

/** All that can be expressed, in order. */
function chooseAll(texts: readonly string[], spelled: readonly Spelled[]): SpelledModel {
  const values = [...new Set(spelled.flatMap(({ value }) => value ?? []))]
  const [only] = values
  if (only === undefined) return chooseFirst(texts, spelled)
  const said = spelled.filter(({ how }) => how !== 'omitted')
  const dropped = texts.filter((_text, at) => spelled[at]?.how === 'omitted')
  const notes = said.flatMap(({ note }) => note ?? [])
  if (dropped.length > 0) notes.push(`${quoteAll(dropped)} left out: the target has no such model`)
  return {
    value: values.length === 1 ? only : values,
    how: ways.findLast((way) => said.some(({ how }) => how === way)) ?? 'same',
    ...(notes.length === 0 ? {} : { note: notes.join('; ') }),
  }
}

/** The first that can be expressed at all. */
function chooseFirst(texts: readonly string[], spelled: readonly Spelled[]): SpelledModel {
  const chosen = spelled.find(({ how }) => how !== 'omitted')
  if (chosen === undefined) return leaveOut(`the target has none of ${quoteAll(texts)}`)
  const note = `the target takes one model, so the first of ${quoteAll(texts)} that it has`
  return { ...chosen, note: chosen.note === undefined ? note : `${note}; ${chosen.note}` }
}

function quoteAll(texts: readonly string[]): string {
  return texts.map((text) => `\`${text}\``).join(', ')
}

const answers = new WeakMap<Harness, WeakMap<Harness, Map<string, Spelled>>>()

/** Cached, because a project repeats the same few names thousands of times. */
function spellOne(source: Harness, target: Harness, text: string): Spelled {
  const targets = answers.get(source) ?? new WeakMap<Harness, Map<string, Spelled>>()
  answers.set(source, targets)
  const known = targets.get(target) ?? new Map<string, Spelled>()
  targets.set(target, known)
  const answer = known.get(text) ?? findSpelling(source, target, text)
  known.set(text, answer)
  return answer
}

function findSpelling(source: Harness, target: Harness, text: string): Spelled {
  const { models, title } = target
  const name = meaningIn(source, text)
  if (name === 'inherit') return { value: inheritWord(target), how: 'same' }
  if (target.fields.model === null) return leaveOut(`${title} has no model per agent`)
  const isTaken =
    source.id === target.id || models.aliases.includes(text) || isTakenAsWritten(source, target, text, name)
  if (isTaken) return { value: text, how: 'same' }
  if (models.unknown === 'accepted') return spellNeutrally(source, target, text, name)
  if (name === null) return leaveOut(`\`${text}\` is not a model that Troupe knows`)
  if (name.vendor === null) return leaveOut(`${title} has no \`${text}\``)
  const spelled =
    name.tier !== null && name.version === null
      ? spellTier(target, text, name)
      : (spellAlias(source, target, text, name) ?? spellId(target, text, name) ?? spellFamily(target, text, name))
  return spelled.value === text ? { ...spelled, how: 'same' } : spelled
}

/** What a text means in its own dialect, which defines its short names. */
function meaningIn({ models, fields }: Harness, text: string): ModelName | 'inherit' | null {
  const word = models.anyCase ? text.toLowerCase() : text
  if (word === models.inherit || word === fields.model?.omit) return 'inherit'
  return understandModel(ownValue(models.means, word) ?? text)
}

/** Null if leaving the key out means the same. */
function inheritWord({ models, fields }: Harness): string | null {
  return fields.model?.omit === models.inherit ? null : models.inherit
}

/**
 * Without a list of ids, their pattern decides. A provider in a neutral file is kept by a target that names providers.
 */
function isTakenAsWritten(source: Harness, { models }: Harness, text: string, name: ModelName | null): boolean {
  if (models.pattern === undefined || !new RegExp(models.pattern, 'u').test(text)) return false
  if (models.known.length === 0) return true
  return name !== null && source.models.unknown === 'accepted' && models.known.every((id) => id.includes('/'))
}

/** If nothing is rejected, only words for a tier get another name. */
function spellNeutrally(source: Harness, { models }: Harness, text: string, name: ModelName | null): Spelled {
  const word = name !== null && isTier(source, text, name) && distinctiveMarks(name).length === 0 ? name.tier : null
  const id = word === null ? undefined : models.tiers[word]
  return id === undefined || id === text ? { value: text, how: 'same' } : { value: id, how: 'tier' }
}

/** A tier's own word, or the source's id for that tier. */
function isTier({ models }: Harness, text: string, { tier, version }: ModelName): boolean {
  return tier !== null && (version === null || models.tiers[tier] === text)
}

function spellTier(target: Harness, text: string, name: ModelName): Spelled {
  const { models, title } = target
  const id = name.tier === null ? undefined : models.tiers[name.tier]
  if (id === undefined || id === models.inherit) return leaveOut(`${title} has no model for the tier \`${text}\``)
  return { value: id, how: 'tier', ...lostMarks(text, name, understandModel(id)) }
}

/** The source's id for a tier becomes the target's short name for it: so `sonnet` survives a round trip. */
function spellAlias(source: Harness, target: Harness, text: string, name: ModelName): Spelled | undefined {
  const id = isTier(source, text, name) ? currentOffer(target, name) : undefined
  return id !== undefined && target.models.aliases.includes(id) ? { value: id, how: 'tier' } : undefined
}

/** The same vendor, family and version, by the name that keeps most of the marks and adds none. */
function spellId(target: Harness, text: string, name: ModelName): Spelled | undefined {
  const wanted = distinctiveMarks(name)
  const [best] = offersLike(target, name)
    .filter((offer) => distinctiveMarks(offer.name).every((mark) => wanted.includes(mark)))
    .map((offer) => ({ ...offer, score: likeness(name, offer.name) }))
    .sort((one, other) => other.score - one.score)
  return best === undefined ? undefined : { value: best.id, how: 'id', ...lostMarks(text, name, best.name) }
}

function likeness(wanted: ModelName, offered: ModelName): number {
  const shared = offered.marks.filter((mark) => wanted.marks.includes(mark)).length
  return shared * 2 - offered.marks.length + (offered.date === wanted.date ? 0.5 : 0)
}

function spellFamily(target: Harness, text: string, name: ModelName): Spelled {
  const { title } = target
  const id = currentOffer(target, name)
  const tier = name.tier === null ? undefined : target.models.tiers[name.tier]
  if (id === undefined && tier !== undefined && tier !== target.models.inherit) {
    return { value: tier, how: 'tier', note: `${title} has no \`${text}\`; \`${tier}\` is its model of that tier` }
  }
  if (id === undefined) {
    const whose = hasVendor(target, name) ? 'model of that family' : 'model of that vendor'
    return leaveOut(`\`${text}\`: Troupe knows of no ${whose} in ${title}`)
  }
  const isAnyVersion = name.version === null
  const note = `Troupe does not know of \`${text}\` in ${title}; \`${id}\` is its current model of that family`
  return { value: id, how: 'tier', ...(isAnyVersion ? lostMarks(text, name, understandModel(id)) : { note }) }
}

function leaveOut(reason: string): Spelled {
  return { value: null, how: 'omitted', note: `${reason}; left out, so the agent uses the model of the session` }
}

function lostMarks(text: string, name: ModelName, offered: ModelName | 'inherit' | null): { readonly note?: string } {
  const kept = offered === null || offered === 'inherit' ? [] : offered.marks
  const lost = distinctiveMarks(name).filter((mark) => !kept.includes(mark))
  return lost.length === 0 ? {} : { note: `${quoteAll(lost)} of \`${text}\` does not carry over` }
}

/** Names come from files, and `constructor` is an ordinary word. */
function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
