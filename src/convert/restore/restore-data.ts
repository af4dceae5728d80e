/** Restores data files: the text as it was, with the values set in it that have changed since. */

import { getEntry, isMap } from '../../formats/data.ts'
import { type DataFormat, dataFormat } from '../../formats/data-formats.ts'
import { applyEdits } from '../../formats/edit/edits.ts'
import type { LineEnd } from '../../formats/lines.ts'
import { hashText } from '../../formats/text.ts'
import { promptKeysIn } from '../../harness/read/prompt.ts'
import type { Carrier, Harness } from '../../harness/schema/harness.ts'
import type { Agent, Concept, Json } from '../../model/agent.ts'
import type { Edit, Range } from '../../model/range.ts'
import { conceptsOfKey, innerKeys, isAccessKey } from '../agent/keys.ts'
import { accessDigest, conceptDigest, type KeptSource, keyDigest, SECRET_REMOVED } from './kept.ts'

/** Which keys express, in the source's dialect, what the target holds today. */
export interface RestoreInput {
  readonly kept: KeptSource
  /** The part of the prompt written since, where it is known. */
  readonly added: Range | null
  /** The dialect to restore. */
  readonly harness: Harness
  readonly carrier: Carrier
  /** The agent as it is in the target today. */
  readonly now: Agent
  /** What an ordinary conversion would write, and how it would change the prompt. */
  readonly keys: Readonly<Record<string, Json>>
  readonly prompt: string
  readonly changes: readonly Edit[]
  readonly lineEnd: LineEnd
}

/** The keys under which the ordinary conversion expresses the same; none where it writes nothing. */
export function spellings({ harness, keys }: RestoreInput, key: string): string[] {
  if (Object.hasOwn(keys, key)) return [key]
  const proper = conceptsOfKey(harness, key).flatMap((concept) => harness.fields[concept]?.key ?? [])
  return proper.filter((one) => Object.hasOwn(keys, one))
}

/** What the target holds today and did not hold then: fields, keys of the author's own, and access. */
export function addedKeys(input: RestoreInput, said: ReadonlySet<string>): string[] {
  const { kept, harness, now, keys } = input
  const isOtherAccess = kept.access !== accessDigest(now)
  const heldThen = new Map(kept.held.map((one) => (typeof one === 'string' ? [one, null] : one)))
  const isChanged = (concept: Concept) => {
    if (now.fields[concept] === undefined) return false
    const mark = heldThen.get(concept)
    return mark === undefined || (mark !== null && mark !== conceptDigest(now, concept))
  }
  return Object.keys(keys).filter((key) => {
    if (said.has(key)) return false
    if (isAccessKey(harness, key)) return isOtherAccess
    const concepts = conceptsOfKey(harness, key)
    return concepts.length > 0 ? concepts.some(isChanged) : now.extras.some((extra) => extra.key === key)
  })
}

/** Null where a value cannot be set. */
export function restoreData(input: RestoreInput, prompt: string): string | null {
  const { kept, carrier, harness, now, keys } = input
  const [before, after] = kept.around
  const [mark, isOut] = kept.data ?? ['', false]
  const isEntry = carrier.agents !== undefined
  const isAsItWas = hashText(prompt) === mark
  const isPutBack = isOut && isAsItWas && !isEntry
  const draft = openDraft(
    isPutBack ? before + prompt + after : before + after,
    dataFormat(isEntry ? 'json' : carrier.format),
  )
  const isBeside = carrier.prompt.in === 'beside' && !holdsPrompt(carrier, before + after)
  if (!isBeside && (!isAsItWas || (isEntry && isOut))) {
    const { root } = dataFormat(isEntry ? 'json' : carrier.format).parse(before + after)
    const [key = '', ...more] = promptKeysIn(carrier, isMap(root) ? root : null)
    draft.set([key], prompt)
    for (const one of more) draft.set([one], undefined)
  }
  const said = new Set<string>()
  for (const entry of kept.header) {
    const [key, lines, then] = typeof entry === 'string' ? [entry, null, null] : entry
    said.add(key)
    if (lines !== SECRET_REMOVED && keyDigest(harness, now, key) === then) continue
    const spelled = spellings(input, key)
    if (!spelled.includes(key)) draft.set([key], undefined)
    for (const one of spelled) {
      said.add(one)
      setKey(draft, harness, keys, one)
    }
  }
  for (const key of addedKeys(input, said)) setKey(draft, harness, keys, key)
  return draft.text()
}

/** Whether the prompt is in the file itself, where it could be in a file beside it. */
export function holdsPrompt({ format, prompt }: Carrier, text: string): boolean {
  return prompt.key !== undefined && getEntry(dataFormat(format).parse(text).root, prompt.key) !== undefined
}

/** Of a table that holds other things too, only what the harness file defines. */
function setKey(draft: Draft, harness: Harness, keys: RestoreInput['keys'], key: string): void {
  const inner = innerKeys(harness, key)
  if (inner.length === 0) draft.set([key], keys[key])
  for (const path of inner) draft.set(path, valueAt(keys, path))
}

function valueAt(value: Json | undefined, [key, ...rest]: readonly string[]): Json | undefined {
  if (key === undefined) return value
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
    return undefined
  return valueAt((value as { readonly [key: string]: Json })[key], rest)
}

interface Draft {
  /** Undefined: remove it. */
  readonly set: (path: readonly string[], value: Json | undefined) => void
  /** Null as soon as an edit has failed. */
  readonly text: () => string | null
}

/** A text in which values are set one after another. */
function openDraft(start: string, format: DataFormat): Draft {
  let text: string | null = start
  const edited = (now: string, path: readonly string[], value: Json | undefined) =>
    value === undefined ? format.remove(now, path) : format.set(now, path, value)
  return {
    text: () => text,
    set: (path, value) => {
      const edits = text === null ? null : edited(text, path, value)
      text = text === null || edits === null ? null : applyEdits(text, edits)
    },
  }
}
