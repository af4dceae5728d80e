/** Agents that have nothing to say: what is converted would be somebody else. */
import type { Source } from './parse.ts'
import type { Refused } from './refused.ts'

/** One word that leads elsewhere: `{file:x}`, `file://x`, `@x`, or the path of a file of text. */
const REFERENCE = /^(?:\{\w+:[^}\s]+\}|file:\S+|@\S+|(?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*\.(?:md|mdx|txt|prompt))$/

export function withoutPrompt({ agent: { name, prompt }, harness }: Source): Refused | null {
  const text = prompt.text.trim()
  if (text === '') {
    return { code: 'no-prompt', message: `"${name}" has no prompt, so elsewhere it would be an agent without any.` }
  }
  // Longer ones are prompts, whatever they look like.
  if (text.length > 300 || !REFERENCE.test(text)) return null
  const message = `The prompt of "${name}" is only a reference (${text}), and what it leads to could not be read as ${harness.title} does.`
  return { code: 'no-prompt', message }
}
