/** Restores the original from what was kept of it, wherever the target still holds what it was given. */

import { applyEdits } from '../../formats/edit/edits.ts'
import { dominantLineEnd } from '../../formats/lines.ts'
import { hashText } from '../../formats/text.ts'
import { yamlEntry } from '../../formats/yaml/render.ts'
import type { Carrier } from '../../harness/schema/harness.ts'
import type { Agent, Json } from '../../model/agent.ts'
import type { Edit, Range } from '../../model/range.ts'
import type { AgentOutput, Keys } from '../agent/output.ts'
import type { Source } from '../agent/source.ts'
import type { Target } from '../plan.ts'
import { invertEdits } from '../prompt/assemble.ts'
import { agentDigest, type KeptSource, keyDigest, SECRET_REMOVED } from './kept.ts'
import { addedKeys, holdsPrompt, type RestoreInput, restoreData, spellings } from './restore-data.ts'
import { editBetween, restorePrompt } from './restore-prompt.ts'

/** What an ordinary conversion would write. */
interface Ordinary {
  readonly output: AgentOutput
  readonly keys: Keys
  readonly prompt: string
  /** How it would change the prompt. */
  readonly changes: readonly Edit[]
}

interface RestoreOptions {
  readonly target: Target
  readonly kept: KeptSource | null
  readonly added?: Range
}

export interface RestoredOutput extends RestoredText {
  readonly output: AgentOutput
}

/** Null where it did not come from there, or nothing that was kept can be used. */
export function restoreOutput(
  { agent: now, lineEnd }: Source,
  { target: { harness, carrier }, kept, added }: RestoreOptions,
  { output, keys, prompt, changes }: Ordinary,
): RestoredOutput | null {
  if (kept?.from !== `${harness.id}/${carrier.id}`) return null
  const restored = restoreText({ kept, added: added ?? null, harness, carrier, now, keys, prompt, changes, lineEnd })
  return restored === null ? null : { ...restored, output: withText(carrier, output, restored, kept) }
}

function withText(
  carrier: Carrier,
  output: AgentOutput,
  { text, prompt }: RestoredText,
  { encoding, data }: KeptSource,
): AgentOutput {
  if (output.kind === 'file') {
    const { beside: place, ...file } = { ...output, text, ...(encoding === undefined ? {} : { encoding }) }
    return place === undefined || holdsPrompt(carrier, text) ? file : { ...file, beside: { ...place, text: prompt } }
  }
  // What was a reference then is one again.
  const isReference = data?.[1] === false
  const settings = output.settings.map(({ literal, ...setting }) => ({
    ...setting,
    value: JSON.parse(text) as Json,
    ...(isReference || literal === undefined ? {} : { literal }),
  }))
  return { ...output, settings }
}

/** Edits that turn the restored prompt into today's. */
export function promptEditsBack({ edits }: RestoredText, written: Agent, now: Agent): readonly Edit[] {
  const back = edits === null ? null : invertEdits({ original: now.prompt.text, changes: edits })
  if (back !== null && applyEdits(written.prompt.text, back) === now.prompt.text) return back
  return editBetween(written.prompt.text, now.prompt.text)
}

interface RestoredText {
  readonly text: string
  readonly prompt: string
  /** Keys that were not kept and that the target does not hold either. */
  readonly lost: readonly string[]
  /** The edits of the prompt that led there; null: it was converted again. */
  readonly edits: readonly Edit[] | null
}

/** Null where nothing that was kept can be used. */
function restoreText(input: RestoreInput): RestoredText | null {
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
  // New lines end like those around them.
  const lineEnd = before.includes('\n') ? dominantLineEnd(before) : input.lineEnd
  const lines = headerLines({ ...input, lineEnd }).join('')
  // There was no front matter, and now some is needed.
  const fence = after === '' && lines !== '' ? `---${lineEnd}` : ''
  return before + fence + lines + (after || fence) + prompt
}

/** All of it, or nothing. */
function restoreSolid({ kept: { around, data }, now }: RestoreInput, prompt: string, mark: string): string | null {
  if (mark !== agentDigest(now)) return null
  if (data === undefined) return around[0] + prompt
  return hashText(prompt) === data[0] ? around[0] : null
}

/** Secrets are not kept. */
function lostKeys(input: RestoreInput): string[] {
  const { header, data } = input.kept
  const missing = data === undefined ? null : SECRET_REMOVED
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
    if (text !== null && keyDigest(harness, now, key) === mark) lines.push(text)
    else {
      const spelled = spellings(input, key).filter((one) => !said.has(one) || one === key)
      // Comments above it stay, as long as something follows them.
      if (spelled.length > 0) lines.push(LEADING.exec(text ?? '')?.[0] ?? '')
      for (const one of spelled) say(one)
    }
    for (const one of spellings(input, key)) said.add(one)
  }
  for (const key of addedKeys(input, said)) say(key)
  return lines
}
