/** What needs the person: something to look at, or a question that a member waits with. */

export interface Attention {
  readonly at: number
  readonly kind: 'dead' | 'owes' | 'message' | 'broken' | 'kept' | 'permission' | 'held' | 'unfinished'
  /** The handoff or message. */
  readonly id: string | null
  readonly from: string
  readonly text: string
}

export interface Question {
  readonly id: string
  readonly run: string
  readonly agent: string
  readonly text: string
  readonly until: number
}

/** All that lies before the person. */
export interface Desk {
  attention: Attention[]
  /** What members wait for the person's yes or no. */
  readonly questions: Map<string, Question>
}

export function attend(
  desk: Desk,
  at: number,
  kind: Attention['kind'],
  id: string | null,
  from: string,
  text: string,
): void {
  desk.attention.push({ at, kind, id, from, text })
}

/** Asking again changes nothing. */
export function ask(desk: Desk, { id, run, agent, text, until }: Question, at: number): void {
  if (desk.questions.has(id)) return
  desk.questions.set(id, { id, run, agent, text, until })
  attend(desk, at, 'permission', id, agent, text)
}

/** They are answered, or nobody waits for an answer any more. */
export function settleQuestions(desk: Desk, ids: readonly string[]): void {
  const gone = ids.filter((id) => desk.questions.delete(id))
  if (gone.length === 0) return
  desk.attention = desk.attention.filter(({ kind, id }) => kind !== 'permission' || id === null || !gone.includes(id))
}

/** Whoever asked in a run of this handoff is not there any more. */
export function settleQuestionsOf(desk: Desk, handoff: string): void {
  settleQuestions(
    desk,
    [...desk.questions.values()].flatMap(({ id, run }) => (run.startsWith(`${handoff}.`) ? [id] : [])),
  )
}

/** The chat was read on: its last line has its end. */
export function finish(desk: Desk): void {
  if (desk.attention.some(({ kind }) => kind === 'unfinished'))
    desk.attention = desk.attention.filter(({ kind }) => kind !== 'unfinished')
}

/** A question is not settled by having been seen. `only`: what came from there. */
export function clearAttention(desk: Desk, only?: string): void {
  desk.attention = desk.attention.filter(
    ({ kind, from }) => kind === 'permission' || (only !== undefined && from !== only),
  )
}
