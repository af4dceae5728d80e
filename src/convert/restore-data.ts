/** The way back into data: the text as it was, with the values set in it that were changed since. */
import type { Carrier, Harness } from '../harness/schema/harness.ts'
import type { Json } from '../model/agent.ts'
import { entry } from '../text/data.ts'
import { type DataFormat, dataFormat } from '../text/data-formats.ts'
import { applyEdits } from '../text/edit.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { innerKeys } from './concept-of-key.ts'
import { TAKEN_OUT } from './kept.ts'
import { heldMark } from './marks.ts'
import { newKeys, type RestoreInput, spellings } from './restore-keys.ts'

/** Null where a value cannot be set. */
export function restoreData(input: RestoreInput, prompt: string): string | null {
  const { kept, carrier, harness, now, keys } = input
  const [before, after] = kept.around
  const [mark, isOut] = kept.data ?? ['', false]
  const isEntry = carrier.agents !== undefined
  const isAsItWas = fingerprint(prompt) === mark
  const isPutBack = isOut && isAsItWas && !isEntry
  const draft = openDraft(
    isPutBack ? before + prompt + after : before + after,
    dataFormat(isEntry ? 'json' : carrier.format),
  )
  const isBeside = carrier.prompt.in === 'beside' && !holdsPrompt(carrier, before + after)
  if (!isBeside && (!isAsItWas || (isEntry && isOut))) draft.set([carrier.prompt.key ?? ''], prompt)
  const said = new Set<string>()
  for (const entry of kept.header) {
    const [key, lines, then] = typeof entry === 'string' ? [entry, null, null] : entry
    said.add(key)
    if (lines !== TAKEN_OUT && heldMark(harness, now, key) === then) continue
    const spelled = spellings(input, key)
    if (!spelled.includes(key)) draft.set([key], undefined)
    for (const one of spelled) {
      said.add(one)
      settle(draft, harness, keys, one)
    }
  }
  for (const key of newKeys(input, said)) settle(draft, harness, keys, key)
  return draft.text()
}

/** Whether the prompt stands in the file itself, where it could stand beside it. */
export function holdsPrompt({ format, prompt }: Carrier, text: string): boolean {
  return prompt.key !== undefined && entry(dataFormat(format).parse(text).root, prompt.key) !== undefined
}

/** Of a table that holds other things too, only what the harness file knows of it. */
function settle(draft: Draft, harness: Harness, keys: RestoreInput['keys'], key: string): void {
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
  /** Undefined: it is to be removed. */
  readonly set: (path: readonly string[], value: Json | undefined) => void
  /** Null as soon as something could not be done. */
  readonly text: () => string | null
}

/** A text in which values are set one after the other. */
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
