/** The words of what is left to do by hand, and of what is missing. */
import type { Harness } from '../../harness/schema/harness.ts'

export function noEquivalent(names: readonly string[], target: Harness, reason: string | null): string {
  return comment(
    `No equivalent for ${names.join(', ')} on ${target.title}.${reason === null ? '' : ` ${sentence(reason)}`}`,
  )
}

export function comment(text: string): string {
  // Two dashes would end the comment, or be refused in one.
  return `<!-- TODO: ${text.replace(/--+/g, '-')} -->`
}

/** Why the harness file says that something is missing, or what it says about what would help. */
export function reasonFor(target: Harness, subject: string): string | null {
  const known = target.workarounds[subject]
  if (known === undefined) return null
  return 'none' in known ? known.none : known.note
}

/** What an agent can be told to do instead. */
export function insteadOf(target: Harness, subject: string): string | null {
  const known = target.workarounds[subject]
  return known !== undefined && 'say' in known ? known.say : null
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
