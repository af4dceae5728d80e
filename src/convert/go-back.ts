/** Goes back to where an agent came from: the original's own text, as far as it still holds. */
import type { Carrier } from '../harness/schema/harness.ts'
import type { Agent, Json } from '../model/agent.ts'
import type { Edit, Range } from '../model/place.ts'
import { applyEdits } from '../text/edit.ts'
import type { Assembled, Keys } from './assemble.ts'
import type { Kept } from './kept.ts'
import type { Source } from './parse.ts'
import { inverted } from './prompt.ts'
import type { Target } from './read-back.ts'
import { type Restored, restoreText } from './restore.ts'
import { holdsPrompt } from './restore-data.ts'
import { differenceOf } from './restore-prompt.ts'

/** What an ordinary conversion would write. */
interface Ordinary {
  readonly output: Assembled
  readonly keys: Keys
  readonly prompt: string
  /** How it would change the prompt. */
  readonly changes: readonly Edit[]
}

interface WayBack {
  readonly target: Target
  readonly kept: Kept | null
  readonly added?: Range
}

export interface GoneBack extends Restored {
  readonly output: Assembled
}

/** Null where it did not come from there, or nothing that was kept can be used. */
export function goBack(
  { agent: now, lineEnd }: Source,
  { target: { harness, carrier }, kept, added }: WayBack,
  { output, keys, prompt, changes }: Ordinary,
): GoneBack | null {
  if (kept?.from !== `${harness.id}/${carrier.id}`) return null
  const restored = restoreText({ kept, added: added ?? null, harness, carrier, now, keys, prompt, changes, lineEnd })
  return restored === null ? null : { ...restored, output: withText(carrier, output, restored, kept) }
}

function withText(
  carrier: Carrier,
  output: Assembled,
  { text, prompt }: Restored,
  { encoding, data }: Kept,
): Assembled {
  if (output.kind === 'file') {
    const { beside: place, ...file } = { ...output, text, ...(encoding === undefined ? {} : { encoding }) }
    return place === undefined || holdsPrompt(carrier, text) ? file : { ...file, beside: { ...place, text: prompt } }
  }
  // What referred to something then does so again.
  const isReference = data?.[1] === false
  const settings = output.settings.map(({ literal, ...setting }) => ({
    ...setting,
    value: JSON.parse(text) as Json,
    ...(isReference || literal === undefined ? {} : { literal }),
  }))
  return { ...output, settings }
}

/** What would make today's prompt of the restored one. */
export function wayBack({ edits }: Restored, written: Agent, now: Agent): readonly Edit[] {
  const back = edits === null ? null : inverted({ original: now.prompt.text, changes: edits })
  if (back !== null && applyEdits(written.prompt.text, back) === now.prompt.text) return back
  return differenceOf(written.prompt.text, now.prompt.text)
}
