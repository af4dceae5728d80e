/** The team tools that speak to others: handoffs, messages, reports, and who is there. */
import { drop, type InboxItem } from '../runtime/inbox.ts'
import { JournalReader } from '../runtime/journal-reader.ts'
import { readOwner } from '../runtime/lock.ts'
import { openTeam, readState } from '../runtime/open.ts'
import type { Places } from '../runtime/places.ts'
import { unknownMember } from '../workplace/classify.ts'
import { cleanText } from '../workplace/message.ts'
import { isPerson } from '../workplace/names.ts'
import { reportStatuses } from '../workplace/records.ts'
import { emptyState, fold, type State } from '../workplace/state.ts'
import { type Call, list, type Parameter, Refusal, type Tool, text } from './tool.ts'

/** How long a message may take into the journal (ms). */
const PATIENCE = 3000

const to: Parameter = { type: 'string', about: 'the name of the agent, or user for the person', required: true }
const files: Parameter = { type: 'list', about: 'the files involved' }

export const handoff: Tool = {
  about:
    'Hand work to another agent. It is started with what you say here, and you are not waited for: end your turn when you have handed over.',
  parameters: {
    to,
    task: { type: 'string', about: 'what is needed', required: true },
    done: { type: 'string', about: 'what was done' },
    files,
    decisions: { type: 'string', about: 'why certain choices were made' },
  },
  run: (call) => say(call, `Handoff: ${text(call.given, 'task').replace(/^handoff:\s*/i, '')}`),
}

export const sendMessage: Tool = {
  about:
    'Write to another agent. To whoever gave you the work it is your answer; to anybody else it asks for work, unless it begins with "Note:".',
  parameters: {
    to,
    message: { type: 'string', about: 'the text', required: true },
    observers: { type: 'list', about: 'agents that may watch; they are not started' },
  },
  run: (call) => say(call, text(call.given, 'message')),
}

/** On the disk, and in the journal where somebody keeps it. */
async function say({ places, caller, me, given }: Call, words: string): Promise<string> {
  const recipient = text(given, 'to')
  const message = cleanText(words)
  if (message.replace(/^handoff:\s*/i, '') === '') throw new Refusal('The message is empty.')
  const { roster } = await openTeam(places)
  for (const name of [recipient, ...list(given, 'observers')])
    if (!isPerson(name) && !roster.has(name)) throw new Refusal(`Not sent: ${unknownMember(name, roster)}.`)
  if (!isPerson(me) && !roster.has(me)) throw new Refusal(`Not sent: ${unknownMember(me, roster)}.`)
  const optional = (key: string) => (text(given, key) === '' ? {} : { [key]: cleanText(text(given, key)) })
  const item: InboxItem = {
    kind: 'message',
    from: me,
    to: recipient,
    observers: list(given, 'observers'),
    text: message,
    run: caller.run,
    worktree: false,
    ...optional('done'),
    ...optional('decisions'),
    ...(list(given, 'files').length === 0 ? {} : { files: list(given, 'files') }),
  }
  if (caller.rehearsal) return 'Rehearsed.'
  const id = drop(places, item)
  const state = await journalled(places, id)
  if (state === 'refused') throw new Refusal('Refused: your run is over, and nothing from it counts any more.')
  if (state === null)
    return `Kept (${id}), and not delivered yet: nobody runs the workplace. It is delivered when somebody does (troupe work resume).`
  const { status, why } = state.handoffs.get(id) ?? {}
  if (status === 'dead') throw new Refusal(`Refused: ${why}.`)
  const kind = state.messages.get(id)?.kind ?? 'note'
  return `Delivered: ${{ handoff: `${recipient} will do it`, reply: `your answer to ${recipient}`, note: `${recipient} can read it` }[kind]}.`
}

/** The state with the message in it; null where nobody runs the workplace. */
async function journalled(places: Places, id: string): Promise<State | 'refused' | null> {
  const reader = new JournalReader(places.journal)
  const state = emptyState()
  for (let waited = 0; waited < PATIENCE; waited += 20) {
    const records = reader.more()
    fold(records, state)
    if (state.messages.has(id)) return state
    if (records.some((record) => record.t === 'refused' && record.id === id)) return 'refused'
    if (!isAttended(places)) return null
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return null
}

function isAttended(places: Places): boolean {
  return readOwner(places)?.isUp === true
}

export const readMessages: Tool = {
  about: 'The messages to you, and those you may watch; the last ones come last.',
  reads: true,
  parameters: { from: { type: 'string', about: 'only those of this sender' } },
  run: ({ places, me, given }) => {
    const sender = text(given, 'from')
    const mine = [...readState(places).messages.values()].filter(
      ({ from, to: recipient, observers = [] }) =>
        (recipient === me || observers.includes(me)) && (sender === '' || from === sender),
    )
    if (mine.length === 0) return 'There are no messages for you.'
    const shown = mine.slice(-30).map(({ id, from, to: recipient, at, kind, text: words }) => ({
      id,
      from,
      to: recipient,
      kind,
      at: new Date(at).toISOString(),
      text: words,
    }))
    return JSON.stringify(shown, null, 2)
  },
}

export const roster: Tool = {
  about: 'Who is in the team, what each is for, and whom you may hand work to.',
  reads: true,
  parameters: {},
  run: async ({ places, me }) => {
    const team = (await openTeam(places)).roster
    const mine = team.get(me)?.handoffTo ?? []
    const members = [...team.values()].map(({ name, role, triggers }) => ({
      name,
      role,
      ...(triggers.length === 0 ? {} : { triggers }),
      ...(name === me ? { you: true } : {}),
      ...(mine.includes(name) ? { youMayHandOff: true } : {}),
    }))
    return JSON.stringify(members, null, 2)
  },
}

export const reportStatus: Tool = {
  about:
    'Say of your own work that it is completed, that it cannot be done (error), or where it stands (progress), so that another attempt can go on from there.',
  parameters: {
    status: { type: 'string', about: 'completed, error or progress', required: true, values: reportStatuses },
    message: { type: 'string', about: 'what you did, or why not, or where you are', required: true },
    files,
  },
  run: ({ places, caller, given }) => {
    const status = reportStatuses.find((one) => one === text(given, 'status'))
    if (caller.run === null || status === undefined)
      throw new Refusal('Only an agent at work in a workplace can report, and you are not one.')
    if (caller.rehearsal) return 'Rehearsed.'
    drop(places, {
      kind: 'report',
      run: caller.run,
      status,
      text: text(given, 'message'),
      files: list(given, 'files'),
    })
    return 'Noted.'
  },
}
