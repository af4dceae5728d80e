/** What is kept of a skill's own text in the lock file, so that converting back restores every byte. */
import type { Json } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import { mentionsSecrets } from '../agent/keys.ts'
import { digestOf, isPrompt, type KeptSource, MAX_KEPT } from '../restore/kept.ts'

export interface KeptSkill {
  /** The harness it came from. */
  readonly from: string
  /** The length of the text as written, and the edits that restore the old one. */
  readonly text: KeptSource['prompt']
}

/** Null: nothing can be kept, because it is too much, or may be secret. */
export function keepSkill(from: string, written: string, back: readonly Edit[]): KeptSkill | null {
  const size = back.reduce((sum, { text }) => sum + text.length, 0)
  if (size > MAX_KEPT || back.some(({ text }) => mentionsSecrets(text))) return null
  const edits = back.map(({ range: { start, end }, text: old }) => {
    return [start, end, digestOf(written.slice(start, end)), old] as const
  })
  return { from, text: [written.length, ...edits] }
}

/** If Troupe could have written it: lock files are merged by hand and can be forged. */
export function parseKeptSkill(value: Json | undefined): KeptSkill | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { from, text } = value as { readonly [key: string]: Json }
  return typeof from === 'string' && isPrompt(text) ? ({ from, text } as unknown as KeptSkill) : null
}
