/** The way back: what was kept of the original, wherever the target still holds what it was given. */
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent, Json } from '../model/agent.ts'
import { applyEdits } from '../text/edit.ts'
import { fingerprint } from '../text/fingerprint.ts'
import type { LineEnd } from '../text/lines.ts'
import { yamlEntry } from '../text/render.ts'
import { conceptOfKey } from './concept-of-key.ts'
import { agentMark, heldMark, type Kept } from './keep.ts'

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
  const isPromptSame = fingerprint(now.prompt.text) === kept.prompt[0]
  if (kept.whole !== undefined) {
    const [text, mark] = kept.whole
    return isPromptSame && mark === agentMark(now) ? text : null
  }
  if (kept.header.length === 0) return null
  const [, ...back] = kept.prompt
  const prompt = isPromptSame
    ? applyEdits(
        now.prompt.text,
        back.map(([start, end, text]) => ({ range: { start, end }, text })),
      )
    : input.prompt
  const [before, after] = kept.around
  return before + headerLines(input).join('') + after + prompt
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
  if (kept.mark !== agentMark(now)) for (const key of Object.keys(keys)) if (!said.has(key)) say(key)
  return lines
}
