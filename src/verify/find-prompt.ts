/** Finds an agent's own prompt within the request of its harness. */

export interface PromptMatch {
  readonly found: boolean
  /** Little or nothing of the harness's stands before it: the agent's words are the prompt. */
  readonly isFirst: boolean
  /** How many of its first characters are there, where not all are. */
  readonly closest: number
}

/** A harness that keeps its own prompt says more than this before it lets an agent speak. */
const PREAMBLE_LIMIT = 500

/** `system`: the parts of a system prompt, in their order. */
export function findPrompt(system: readonly string[], text: string): PromptMatch {
  let before = 0
  for (const part of system) {
    const at = part.indexOf(text)
    if (at >= 0) return { found: true, isFirst: before + at <= PREAMBLE_LIMIT, closest: text.length }
    before += part.length
  }
  return { found: false, isFirst: false, closest: Math.max(0, ...system.map((part) => longestStart(part, text))) }
}

/** The length of the longest beginning of the text that the part contains. */
function longestStart(part: string, text: string): number {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (part.includes(text.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}
