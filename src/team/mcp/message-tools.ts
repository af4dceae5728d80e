/** The team tools that address others: handoffs, messages, reports, and the roster. */

import { readMutexOwner } from '../../disk/mutex.ts'
import { type InboxItem, putInInbox } from '../engine/inbox.ts'
import { JournalReader } from '../engine/journal-reader.ts'
import type { WorkplacePaths } from '../engine/paths.ts'
import { openTeam, readState } from '../runtime/open.ts'
import { cleanText, isPerson } from '../state/message.ts'
import { reportStatuses } from '../state/records.ts'
import { unknownMemberText } from '../state/roster.ts'
import { emptyState, foldRecords, type State } from '../state/state.ts'
import {
  listArgument,
  type TeamToolCall,
  type TeamToolSpec,
  type ToolParameter,
  ToolRefusal,
  textArgument,
} from './tool.ts'

/** How long it may take until a message is in the journal (ms). */
const DELIVERY_TIMEOUT = 3000

const to: ToolParameter = { type: 'string', about: 'the name of the agent, or user for the person', required: true }
const files: ToolParameter = { type: 'list', about: 'the files involved' }

export const handoff: TeamToolSpec = {
  about:
    'Hand work to another agent. It starts with what you write here. Do not wait for it: end your turn after the handoff.',
  parameters: {
    to,
    task: { type: 'string', about: 'what is needed', required: true },
    done: { type: 'string', about: 'what was done' },
    files,
    decisions: { type: 'string', about: 'the reasons for decisions' },
  },
  run: (call) => sendAs(call, `Handoff: ${textArgument(call.given, 'task').replace(/^handoff:\s*/i, '')}`),
}

export const sendMessage: TeamToolSpec = {
  about:
    'Send a message to another agent. To the agent that gave you the work it is your answer; to any other it is a request for work, unless it begins with "Note:".',
  parameters: {
    to,
    message: { type: 'string', about: 'the text', required: true },
    observers: { type: 'list', about: 'agents that may watch; they are not started' },
  },
  run: (call) => sendAs(call, textArgument(call.given, 'message')),
}

/** On the disk, and in the journal if a process writes that. */
async function sendAs({ places, caller, me, given }: TeamToolCall, words: string): Promise<string> {
  const recipient = textArgument(given, 'to')
  const message = cleanText(words)
  if (message.replace(/^handoff:\s*/i, '') === '') throw new ToolRefusal('The message is empty.')
  const { roster } = await openTeam(places)
  for (const name of [recipient, ...listArgument(given, 'observers')])
    if (!isPerson(name) && !roster.has(name)) throw new ToolRefusal(`Not sent: ${unknownMemberText(name, roster)}.`)
  if (!isPerson(me) && !roster.has(me)) throw new ToolRefusal(`Not sent: ${unknownMemberText(me, roster)}.`)
  const optional = (key: string) =>
    textArgument(given, key) === '' ? {} : { [key]: cleanText(textArgument(given, key)) }
  const item: InboxItem = {
    kind: 'message',
    from: me,
    to: recipient,
    observers: listArgument(given, 'observers'),
    text: message,
    run: caller.run,
    worktree: false,
    ...optional('done'),
    ...optional('decisions'),
    ...(listArgument(given, 'files').length === 0 ? {} : { files: listArgument(given, 'files') }),
  }
  if (caller.isTrial) return 'Rehearsed.'
  const id = putInInbox(places, item)
  const state = await waitForJournal(places, id)
  if (state === 'refused') throw new ToolRefusal('Refused: your run is over, so nothing from it counts.')
  if (state === null)
    return `Saved (${id}), not delivered yet: the workplace is not running. It is delivered when the workplace runs again (troupe work resume).`
  const { status, why } = state.handoffs.get(id) ?? {}
  if (status === 'dead') throw new ToolRefusal(`Refused: ${why}.`)
  const kind = state.messages.get(id)?.kind ?? 'note'
  return `Delivered: ${{ handoff: `${recipient} will do it`, reply: `your answer to ${recipient}`, note: `${recipient} can read it` }[kind]}.`
}

/** The state including the message; null if nothing runs the workplace. */
async function waitForJournal(places: WorkplacePaths, id: string): Promise<State | 'refused' | null> {
  const reader = new JournalReader(places.journal)
  const state = emptyState()
  for (let waited = 0; waited < DELIVERY_TIMEOUT; waited += 20) {
    const records = reader.more()
    foldRecords(records, state)
    if (state.messages.has(id)) return state
    if (records.some((record) => record.t === 'refused' && record.id === id)) return 'refused'
    if (!isAttended(places)) return null
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return null
}

function isAttended(places: WorkplacePaths): boolean {
  return readMutexOwner(places.run)?.isUp === true
}

export const readMessages: TeamToolSpec = {
  about: 'The messages to you and those you may watch, oldest first.',
  reads: true,
  parameters: { from: { type: 'string', about: 'only messages from this sender' } },
  run: ({ places, me, given }) => {
    const sender = textArgument(given, 'from')
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

export const roster: TeamToolSpec = {
  about: 'The members of the team, what each is for, and which ones you may hand work to.',
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

export const reportStatus: TeamToolSpec = {
  about:
    'Report on your own work: completed, error (it cannot be done), or progress, so that another attempt can continue from there.',
  parameters: {
    status: { type: 'string', about: 'completed, error or progress', required: true, values: reportStatuses },
    message: { type: 'string', about: 'what you did, why it cannot be done, or how far you are', required: true },
    files,
  },
  run: ({ places, caller, given }) => {
    const status = reportStatuses.find((one) => one === textArgument(given, 'status'))
    if (caller.run === null || status === undefined)
      throw new ToolRefusal('Only an agent at work in a workplace can report.')
    if (caller.isTrial) return 'Rehearsed.'
    putInInbox(places, {
      kind: 'report',
      run: caller.run,
      status,
      text: textArgument(given, 'message'),
      files: listArgument(given, 'files'),
    })
    return 'Noted.'
  },
}
