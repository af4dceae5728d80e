/** What needs the person: things to look at, and questions that members wait for. */
import type { JournalRecord } from './records.ts'

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

/** The latest of each kind are listed, up to this number; earlier ones are only counted. */
const LISTED = 500

/** A malformed message: where it was, and why it is invalid. */
type Broken = Pick<Extract<JournalRecord, { t: 'broken' }>, 'line' | 'place' | 'text' | 'why'>

/** Everything that needs the person. */
export interface PersonInbox {
  attention: Attention[]
  /** By kind: how many are no longer listed. */
  readonly unlisted: Map<Attention['kind'], number>
  /** The permission questions that members wait for. */
  readonly questions: Map<string, Question>
}

export function addAttention(
  desk: PersonInbox,
  at: number,
  kind: Attention['kind'],
  id: string | null,
  from: string,
  text: string,
): void {
  desk.attention.push({ at, kind, id, from, text })
  if (desk.attention.length > LISTED) bound(desk, kind)
}

/** An endless stream of entries must not fill every snapshot of the journal. */
function bound(desk: PersonInbox, kind: Attention['kind']): void {
  let over = desk.attention.reduce((count, one) => count + (one.kind === kind ? 1 : 0), 0) - LISTED
  if (over <= 0) return
  desk.unlisted.set(kind, (desk.unlisted.get(kind) ?? 0) + over)
  desk.attention = desk.attention.filter((one) => one.kind !== kind || --over < 0)
}

/** For entries of an earlier version, which had no bounds. */
export function boundAll(desk: PersonInbox): void {
  for (const kind of new Set(desk.attention.map((one) => one.kind))) bound(desk, kind)
}

/** The others are settled; and with the last of a kind, those that are not listed. */
export function keepAttention(desk: PersonInbox, isLeft: (one: Attention) => boolean): void {
  desk.attention = desk.attention.filter(isLeft)
  for (const kind of [...desk.unlisted.keys()])
    if (!desk.attention.some((one) => one.kind === kind)) desk.unlisted.delete(kind)
}

/** Asking again has no effect. */
export function addQuestion(desk: PersonInbox, { id, run, agent, text, until }: Question, at: number): void {
  if (desk.questions.has(id)) return
  desk.questions.set(id, { id, run, agent, text, until })
  addAttention(desk, at, 'permission', id, agent, text)
}

/** They are answered, or no longer awaited. */
export function closeQuestions(desk: PersonInbox, ids: readonly string[]): void {
  const gone = ids.filter((id) => desk.questions.delete(id))
  if (gone.length === 0) return
  keepAttention(desk, ({ kind, id }) => kind !== 'permission' || id === null || !gone.includes(id))
}

/** The run of this handoff that asked is over. */
export function closeQuestionsOf(desk: PersonInbox, handoff: string): void {
  closeQuestions(
    desk,
    [...desk.questions.values()].flatMap(({ id, run }) => (run.startsWith(`${handoff}.`) ? [id] : [])),
  )
}

/** The chat was read further: its last line is complete. */
export function clearUnfinishedLine(desk: PersonInbox): void {
  if (desk.attention.some(({ kind }) => kind === 'unfinished')) keepAttention(desk, ({ kind }) => kind !== 'unfinished')
}

/** A question is not settled by being seen. `only`: entries from this sender. */
export function clearAttention(desk: PersonInbox, only?: string): void {
  keepAttention(desk, ({ kind, from }) => kind === 'permission' || (only !== undefined && from !== only))
}

/** How invalid input is shown. */
export function brokenRow({ line, place, text, why }: Broken): Pick<Attention, 'from' | 'text'> {
  return { from: place ?? `chat.md:${line}`, text: text === '' ? why : `${why}: ${text}` }
}

/** Whether the same entry is already listed. */
export function isBrokenListed({ attention }: PersonInbox, broken: Broken): boolean {
  const { from, text } = brokenRow(broken)
  return attention.some((one) => one.kind === 'broken' && one.from === from && one.text === text)
}
