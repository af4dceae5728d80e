/** What a hook remembers of a session between runs of the program. */
import type { KeptText } from '../../src/hud/sections/render.ts'

export interface Memory {
  readonly agent: string | null
  /** In seconds. */
  readonly since: number
  /** What the model was shown last. */
  readonly text: string | null
  readonly kept: readonly (readonly [section: string, KeptText])[]
}

/** Accepts any file content. */
export function memoryFrom(data: unknown): Memory {
  const { agent, since, text, kept } = (typeof data === 'object' && data !== null ? data : {}) as Partial<
    Record<keyof Memory, unknown>
  >
  return {
    agent: typeof agent === 'string' ? agent : null,
    since: typeof since === 'number' ? since : Date.now() / 1000,
    text: typeof text === 'string' ? text : null,
    kept: Array.isArray(kept) ? kept.filter(isKept) : [],
  }
}

function isKept(entry: unknown): entry is readonly [string, KeptText] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false
  const value = entry[1] as Partial<KeptText> | null
  return typeof value?.text === 'string' && typeof value.at === 'number'
}
