/** The way back: what was kept of the original, wherever the target still holds what it was given. */
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent, Json } from '../model/agent.ts'
import { applyEdits } from '../text/edit.ts'
import { fingerprint } from '../text/fingerprint.ts'
import type { LineEnd } from '../text/lines.ts'
import { yamlEntry } from '../text/render.ts'
import { conceptOfKey } from './concept-of-key.ts'
import { agentMark, heldMark, type Kept, nameOf } from './keep.ts'

export interface RestoreInput {
  readonly kept: Kept
  /** The dialect that is gone back to. */
  readonly harness: Harness
  /** The agent as it stands in the target today. */
  readonly now: Agent
  /** What an ordinary conversion would write. */
  readonly keys: Readonly<Record<string, Json>>
  readonly prompt: string
  readonly lineEnd: LineEnd
}

/** Null where nothing that was kept can be used. */
export function restoreText(input: RestoreInput): string | null {
  const { kept, now } = input
  if (kept.whole !== undefined) {
    const [text, mark, prompt] = kept.whole
    return fingerprint(now.prompt.text) === prompt && mark === agentMark(now) ? text : null
  }
  if (kept.header.length === 0) return null
  const [before, after] = kept.around
  const prompt = restorePrompt(kept.prompt, now.prompt.text) ?? input.prompt
  return before + headerLines(input).join('') + after + prompt
}

/**
 * What was changed is changed back wherever it still stands, before or after what somebody has edited since. Null where
 * a change cannot be found again.
 */
function restorePrompt([length, ...edits]: Kept['prompt'], text: string): string | null {
  const shift = text.length - length
  const found = edits.map(([start, end, now, old]) => {
    const at = [0, shift].find((one) => nameOf(text.slice(start + one, end + one)) === now)
    return at === undefined ? null : { range: { start: start + at, end: end + at }, text: old }
  })
  if (found.some((edit) => edit === null)) return null
  try {
    return applyEdits(
      text,
      found.filter((edit) => edit !== null),
    )
  } catch {
    return null
  }
}

function headerLines({ kept, harness, now, keys, lineEnd }: RestoreInput): string[] {
  const lines: string[] = []
  const said = new Set<string>()
  const say = (key: string) => {
    if (Object.hasOwn(keys, key)) lines.push(yamlEntry(key, keys[key], { lineEnd }) + lineEnd)
  }
  for (const entry of kept.header) {
    const [key, text, mark] = typeof entry === 'string' ? [entry, null, null] : entry
    said.add(key)
    const isHeld = mark !== null && heldMark(now, key, conceptOfKey(harness, key)) === mark
    if (text !== null && isHeld) lines.push(text)
    else say(key)
  }
  for (const key of Object.keys(keys)) {
    const concept = conceptOfKey(harness, key)
    const isNew = concept !== null && now.fields[concept] !== undefined && !kept.held.includes(concept)
    if (isNew && !said.has(key)) say(key)
  }
  return lines
}
