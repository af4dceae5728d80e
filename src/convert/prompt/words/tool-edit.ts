/** What a change of a tool word says, wherever it is made: alone, or in a list. */
import { noEquivalent } from '../../gaps.ts'
import type { PassScope, ProposedEdit } from '../pass.ts'
import type { Wording } from './wording.ts'

/** A word for a tool that this agent is not offered is left to do. */
export function toolEdit(
  { target, isOffered }: PassScope,
  { reference: { entry }, to, note, outcome, isInstead }: Wording,
): Omit<ProposedEdit, 'range' | 'text'> {
  const said = { rule: 'tool-reference', feature: `tool: ${entry.word}`, from: entry.word, to } as const
  const noted = note === undefined ? said : { ...said, note }
  if (isInstead || to === null || isOffered(entry.tools[0] ?? '', to)) return { ...noted, outcome }
  const todo = noEquivalent([entry.word], target, `${target.title} does not offer it to this agent`)
  return { ...noted, outcome: 'todo', todo }
}
