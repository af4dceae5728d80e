/** The way back: what was kept of the original, wherever the target still holds what it was given. */
import type { Edit } from '../model/place.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { dominantLineEnd } from '../text/lines.ts'
import { yamlEntry } from '../text/render.ts'
import { TAKEN_OUT } from './kept.ts'
import { agentMark, heldMark } from './marks.ts'
import { restoreData } from './restore-data.ts'
import { newKeys, type RestoreInput, spellings } from './restore-keys.ts'
import { restorePrompt } from './restore-prompt.ts'

export interface Restored {
  readonly text: string
  readonly prompt: string
  /** Keys that were not kept and that the target does not hold either. */
  readonly lost: readonly string[]
  /** The edits of the prompt that led there; null: it was made anew. */
  readonly edits: readonly Edit[] | null
}

/** Null where nothing that was kept can be used. */
export function restoreText(input: RestoreInput): Restored | null {
  const { kept, now } = input
  const found = restorePrompt(kept.prompt, now.prompt.text, input.changes, input.added)
  const prompt = found?.text ?? input.prompt
  const text = kept.solid === undefined ? restoreParts(input, prompt) : restoreSolid(input, prompt, kept.solid)
  return text === null ? null : { text, prompt, edits: found?.edits ?? null, lost: lostKeys(input) }
}

function restoreParts(input: RestoreInput, prompt: string): string | null {
  const { kept } = input
  if (kept.data !== undefined) return restoreData(input, prompt)
  const [before, after] = kept.around
  // Lines that are written anew end like those around them.
  const lineEnd = before.includes('\n') ? dominantLineEnd(before) : input.lineEnd
  const lines = headerLines({ ...input, lineEnd }).join('')
  // There was no front matter, and there is something to be said now.
  const fence = after === '' && lines !== '' ? `---${lineEnd}` : ''
  return before + fence + lines + (after || fence) + prompt
}

/** All of it, or nothing. */
function restoreSolid({ kept: { around, data }, now }: RestoreInput, prompt: string, mark: string): string | null {
  if (mark !== agentMark(now)) return null
  if (data === undefined) return around[0] + prompt
  return fingerprint(prompt) === data[0] ? around[0] : null
}

/** What is secret is not kept. */
function lostKeys(input: RestoreInput): string[] {
  const { header, data } = input.kept
  const missing = data === undefined ? null : TAKEN_OUT
  return header.flatMap((entry) => {
    if (typeof entry === 'string' || entry[1] !== missing) return []
    return spellings(input, entry[0]).length > 0 ? [] : [entry[0]]
  })
}

/** Empty lines and comments. */
const LEADING = /^(?:[ \t]*(?:#.*)?\r?\n)*/

function headerLines(input: RestoreInput): string[] {
  const { kept, harness, now, keys, lineEnd } = input
  const lines: string[] = []
  const say = (key: string) => lines.push(yamlEntry(key, keys[key], { lineEnd }) + lineEnd)
  const said = new Set<string>()
  for (const entry of kept.header) {
    const [key, text, mark] = typeof entry === 'string' ? [entry, null, null] : entry
    said.add(key)
    if (text !== null && heldMark(harness, now, key) === mark) lines.push(text)
    else {
      const spelled = spellings(input, key).filter((one) => !said.has(one) || one === key)
      // Comments above it stay, as long as there is something below them.
      if (spelled.length > 0) lines.push(LEADING.exec(text ?? '')?.[0] ?? '')
      for (const one of spelled) say(one)
    }
    for (const one of spellings(input, key)) said.add(one)
  }
  for (const key of newKeys(input, said)) say(key)
  return lines
}
