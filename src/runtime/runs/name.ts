/** One name for each run: attempts and nudges have their own. */
import type { Handoff } from '../../workplace/handoff.ts'

export function runName({ id, attempt, nudged }: Pick<Handoff, 'id' | 'attempt' | 'nudged'>): string {
  return `${id}.${attempt}${nudged ? '.nudge' : ''}`
}
