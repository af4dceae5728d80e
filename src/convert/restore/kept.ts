/** What is kept of a source beside its target, in the form it has in the lock file. */

import { type Encoding, encodings } from '../../formats/decode.ts'
import { hashText } from '../../formats/text.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Agent, Concept, Json } from '../../model/agent.ts'
import { conceptsOfKey, extraOf, isAccessKey } from '../agent/keys.ts'

/**
 * An entry of the source. A plain key: written as Troupe would write it. Otherwise the key, its lines (null: they hold
 * secrets, or are in `around`), and a digest of what the target held: the lines count only while it still holds that.
 */
export type KeptEntry = string | readonly [key: string, lines: string | null, mark: string]

/** In place of lines: an entry that is not in the text of the data, because it holds secrets. */
export const SECRET_REMOVED = ''

/** No more than this is kept of a text that cannot be split: as much as an agent file can have. */
export const MAX_KEPT = 1024 * 1024

/** Long current text is replaced by its digest. */
export type KeptEdit = readonly [start: number, end: number, now: string, old: string]

export interface KeptSource {
  /** The harness and kind of file it came from. */
  readonly from: string
  /** The concepts that the target held, with a digest where no entry has one; later ones were added by hand. */
  readonly held: readonly (string | readonly [concept: string, mark: string])[]
  /** A digest of the target's access. */
  readonly access: string
  readonly header: readonly KeptEntry[]
  /** Text around the entries: before the first of them, and from the end of the last to the prompt. */
  readonly around: readonly [before: string, after: string]
  /** The length of the prompt as written, and the edits that restore the old one. */
  readonly prompt: readonly [length: number, ...edits: KeptEdit[]]
  /** Lines that cannot be split: a digest of everything the target held besides the prompt. */
  readonly solid?: string | undefined
  /** Data, not lines: a digest of the prompt, and whether it was cut out of `around`. */
  readonly data?: readonly [prompt: string, isOut: boolean] | undefined
  /** Where it was not UTF-8. */
  readonly encoding?: Encoding | undefined
}

/** Short words are their own digest. Half a surrogate pair does not survive in a file, and counts as its replacement. */
export function digestOf(text: string): string {
  const sound = text.toWellFormed()
  return sound.length <= 32 ? sound : hashText(sound)
}

/** The kept source in a lock file, if Troupe could have written it: lock files are merged by hand and can be forged. */
export function parseKept(value: Json | undefined): KeptSource | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { from, held, access, header, around, prompt, solid, data, encoding } = value as {
    readonly [key: string]: Json
  }
  const isKept =
    isText(from) &&
    isText(access) &&
    isList(held, (one) => isText(one) || isTuple(one, isText, isText)) &&
    isList(header, (one) => isText(one) || isTuple(one, isText, isTextOrNull, isText)) &&
    isTuple(around, isText, isText) &&
    isPrompt(prompt) &&
    (solid === undefined || isText(solid)) &&
    (data === undefined || isTuple(data, isText, (one) => typeof one === 'boolean')) &&
    (encoding === undefined || encodings.some((one) => one === encoding))
  return isKept ? (value as unknown as KeptSource) : null
}

type Check = (value: Json | undefined) => boolean

const isText: Check = (value) => typeof value === 'string'
const isTextOrNull: Check = (value) => value === null || typeof value === 'string'
const isOffset: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0

function isList(value: Json | undefined, check: Check): boolean {
  return Array.isArray(value) && value.every(check)
}

function isTuple(value: Json | undefined, ...checks: readonly Check[]): boolean {
  return Array.isArray(value) && value.length === checks.length && checks.every((check, index) => check(value[index]))
}

/** The length of a text and edits to it. */
export function isPrompt(value: Json | undefined): boolean {
  if (!Array.isArray(value)) return false
  const [length, ...edits] = value
  return isOffset(length) && edits.every((edit) => isTuple(edit, isOffset, isOffset, isText, isText))
}

/** What the target holds of a key of the source's dialect: fields, the name, an own key of the author's, or access. */
export function keyDigest(harness: Harness, written: Agent, key: string): string {
  const concepts = conceptsOfKey(harness, key)
  if (concepts.length === 1) return conceptDigest(written, concepts[0] as Concept)
  if (concepts.length > 1) return valueDigest(concepts.map((concept) => written.fields[concept]?.value ?? null))
  if (isAccessKey(harness, key)) return accessDigest(written)
  const extra = extraOf(written, key)
  if (extra !== undefined) return valueDigest(extra.value)
  return key === 'name' ? valueDigest(written.name) : ''
}

export function conceptDigest(written: Agent, concept: Concept): string {
  return valueDigest(written.fields[concept]?.value)
}

const accessDigests = new WeakMap<Agent['access'], string>()

/** By the meaning of the rules: their spelling is not known before they are in a file. */
export function accessDigest({ access }: Agent): string {
  let found = accessDigests.get(access)
  if (found === undefined) {
    const rules = access.flatMap((layer): Json[] => {
      const own = layer.rules.flatMap(({ tools, pattern, action, role, range }) =>
        range === null ? [] : [[layer.origin, tools, pattern, action, role ?? null]],
      )
      // An empty list has no rules, but it has a meaning.
      return own.length === 0 && layer.otherwise === 'deny' ? [[layer.origin]] : own
    })
    found = valueDigest(rules)
    accessDigests.set(access, found)
  }
  return found
}

/** Everything the target holds besides the prompt. */
export function agentDigest(agent: Agent): string {
  const fields = Object.entries(agent.fields).map(([concept, field]): [string, Json] => [concept, field?.value ?? null])
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return valueDigest([agent.name, fields, agent.extras.map(({ key, value }) => [key, value]), accessDigest(agent)])
}

function valueDigest(value: Json | undefined): string {
  if (value === undefined) return ''
  const text = JSON.stringify(value)
  // JSON escapes half of a surrogate pair, which is read back as something else.
  return digestOf(text.includes('\\ud') ? text.replace(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd') : text)
}
