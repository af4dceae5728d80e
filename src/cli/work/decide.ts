/** What a person decides: an answer to a question, new attempts for a dead letter. Both go through the inbox. */
import { oneLine } from '../../report/layout.ts'
import type { Wish } from '../../report/screen/press.ts'
import { drop } from '../../runtime/inbox.ts'
import type { Places } from '../../runtime/places.ts'
import { isKnown, type State } from '../../workplace/state.ts'
import { UsageError } from '../command.ts'

/** Gives back whose question it was. */
export function answerQuestion(places: Places, state: State, question: string, yes: boolean): string {
  if (process.env.TROUPE_AGENT) throw new UsageError('Only a person can answer.')
  const asked = state.questions.get(question)
  if (asked === undefined)
    throw new UsageError(`No question "${question}" is open.`, '`troupe work status` shows those that are.')
  drop(places, { kind: 'answer', question, yes, by: 'person' })
  return asked.agent
}

/** Gives back whose dead letter it was. */
export function reviveHandoff(places: Places, state: State, id: string): string {
  const handoff = state.handoffs.get(id)
  if (handoff === undefined && isKnown(state, id))
    throw new UsageError(`The handoff ${id} is not dead: it is completed.`)
  if (handoff === undefined) throw new UsageError(`There is no handoff ${id}.`, '`troupe work status` names them.')
  if (handoff.status !== 'dead') throw new UsageError(`The handoff ${id} is not dead: it is ${handoff.status}.`)
  drop(places, { kind: 'revive', id })
  return handoff.to
}

export type Decision = Exclude<Wish, { kind: 'quit' }>

/** Those that could be done, and why others could not: settled meanwhile, or a disk that takes nothing. */
export function decideAll(
  decision: Decision,
  places: Places,
  state: State,
): { readonly done: readonly string[]; readonly why: string | null } {
  const done: string[] = []
  let why: string | null = null
  for (const id of decision.ids) {
    try {
      if (decision.kind === 'answer') answerQuestion(places, state, id, decision.yes)
      else reviveHandoff(places, state, id)
      done.push(id)
    } catch (error) {
      if (!(error instanceof UsageError) && (error as NodeJS.ErrnoException).code === undefined) throw error
      why = (error as Error).message
    }
  }
  return { done, why }
}

/** What was done, as a sentence. */
export function saying(decision: Decision, count: number): string {
  const agent = oneLine(decision.agent)
  if (decision.kind === 'answer')
    return `${agent} is told ${decision.yes ? 'yes' : 'no'}${count === 1 ? '' : `, ${count} times`}.`
  return count === 1
    ? `The dead letter of ${agent} gets new attempts.`
    : `${count} dead letters of ${agent} get new attempts.`
}
