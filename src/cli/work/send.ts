/** `troupe work send`, `report` and `answer`: messages between members, on the disk before the command ends. */

import { isAbsolute, join } from 'node:path'
import { describeError } from '../../disk/errors.ts'
import { readMutexOwner } from '../../disk/mutex.ts'
import { readRegularText } from '../../disk/read-file.ts'
import { limits } from '../../model/limits.ts'
import { oneLine } from '../../report/layout.ts'
import { putInInbox } from '../../team/engine/inbox.ts'
import type { WorkplacePaths } from '../../team/engine/paths.ts'
import { openTeam, readState } from '../../team/runtime/open.ts'
import { type ChatMessage, parseChat, parseLineRanges } from '../../team/state/chat.ts'
import { cleanText, isPerson, SERVER } from '../../team/state/message.ts'
import { type ReportStatus, reportStatuses } from '../../team/state/records.ts'
import type { Roster } from '../../team/state/roster.ts'
import { unknownMemberText } from '../../team/state/roster.ts'
import { isKnownMessage } from '../../team/state/state.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { answerQuestion, findWorkplaceFor, splitList, withDiskErrors } from './opening.ts'

export const workSend: Command = {
  name: 'work send',
  reportsHarnessProblems: false,
  takes: '[FROM TO TEXT]',
  words: 3,
  summary: 'send a message from one member to another',
  details:
    'Sends a message. To the member that gave the work it is the answer; to any other member it is a handoff. "Handoff:" or "Note:" at the beginning overrides that. You are user, developer or human. --lines sends chat lines that were not run.',
  options: {
    observers: { type: 'string', value: 'NAME,...', about: 'members that watch; they are not started' },
    done: { type: 'string', value: 'TEXT', about: 'what was done' },
    files: { type: 'string', value: 'PATH,...', about: 'the files involved' },
    decisions: { type: 'string', value: 'TEXT', about: 'the reasons for decisions' },
    lines: {
      type: 'string',
      value: 'FILE:N-M,...',
      about: 'the messages in these lines of .workplace/FILE',
    },
  },
  examples: [
    ['troupe work send coder reviewer "review the login form" --files src/login.ts', 'a handoff'],
    ['troupe work send user coder "use Postgres"', 'the answer to a question'],
    ['troupe work send --lines chat.md:12-15', 'lines that `troupe work status` shows as not run'],
  ],
  run: (input) => withDiskErrors(input, () => sendHere(input)),
}

async function sendHere(input: CommandInput): Promise<number> {
  const { options, positionals } = input
  const [from, to, words] = positionals
  if (typeof options.lines === 'string') {
    if (from !== undefined) throw new UsageError('--lines takes sender, recipient and text from the lines.')
    const places = findWorkplaceFor(input)
    const { roster } = await openTeam(places)
    return printDelivery(input, places, sendLines(input, places, roster, options.lines))
  }
  if (from === undefined || to === undefined || words === undefined)
    throw new UsageError('Sender, recipient and text are required.', 'troupe work send FROM TO "text"')
  const text = cleanText(words)
  if (text === '') throw new UsageError('The message is empty.')
  const places = findWorkplaceFor(input)
  const { roster } = await openTeam(places)
  requireSelf(from)
  for (const name of [from, to, ...splitList(options.observers)]) requireKnown(name, roster)
  const option = (key: string) => (typeof options[key] === 'string' ? { [key]: options[key] } : {})
  const files = splitList(options.files)
  const context = { ...option('done'), ...option('decisions'), ...(files.length === 0 ? {} : { files }) }
  const id = putInInbox(places, {
    kind: 'message',
    from,
    to,
    observers: splitList(options.observers),
    text,
    run: process.env.TROUPE_RUN || null,
    worktree: false,
    ...context,
  })
  return printDelivery(input, places, [id])
}

async function printDelivery(
  { terminal, options }: CommandInput,
  places: WorkplacePaths,
  ids: readonly string[],
): Promise<number> {
  const [id = ''] = ids
  const isDelivered = await isInJournal(places, ids.at(-1) ?? '')
  const all = ids.join(', ')
  if (options.json === true) printJson(terminal, { id, ids, delivered: isDelivered })
  else
    terminal.info(
      isDelivered
        ? `Delivered (${all}).\n`
        : `Kept (${all}): the workplace is not running. \`troupe work resume\` delivers ${ids.length === 1 ? 'it' : 'them'}.\n`,
    )
  return exit.fine
}

/** An agent may only send as itself. */
function requireSelf(from: string): void {
  const own = process.env.TROUPE_AGENT
  if (own !== undefined && own !== '' && own !== from)
    throw new UsageError(`You are ${own} and cannot send as ${from}.`)
}

function requireKnown(name: string, roster: Roster): void {
  if (!roster.has(name) && !isPerson(name))
    throw new UsageError(`${unknownMemberText(name, roster).replace(/^t/, 'T')}`.replace(/[^?]$/, '$&.'))
}

/** Waits until it is in the journal, if a process writes that. */
async function isInJournal(places: WorkplacePaths, id: string): Promise<boolean> {
  if (readMutexOwner(places.run)?.isUp !== true) return false
  for (let waited = 0; waited < 3000; waited += 20) {
    if (isKnownMessage(readState(places), id)) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

/** The ids of the messages, which are on the disk when it returns. */
export function sendLines({ terminal }: CommandInput, places: WorkplacePaths, roster: Roster, spec: string): string[] {
  if (process.env.TROUPE_AGENT) throw new UsageError('Only a person can send chat lines again.')
  const messages = messagesIn(places, roster, spec)
  const ids = messages.map(({ from, to, observers, text }) => {
    terminal.info(`${oneLine(from)} to ${oneLine(to)}: ${oneLine(text)}\n`)
    return putInInbox(places, { kind: 'message', from, to, observers, text, run: null, worktree: false })
  })
  putInInbox(places, { kind: 'clear', from: spec })
  return ids
}

function messagesIn({ folder }: WorkplacePaths, roster: Roster, spec: string): ChatMessage[] {
  const [, file = '', numbers = ''] = /^(.+):([^:]*)$/.exec(spec) ?? []
  const isWanted = parseLineRanges(numbers)
  if (isWanted === null || file === '' || isAbsolute(file) || file.split(/[\\/]/).includes('..'))
    throw new UsageError(`"${spec}" does not name lines of a chat.`, 'troupe work send --lines chat.md:3,7-9')
  let text: string
  try {
    text = readRegularText(join(folder, file), { most: limits.journal })
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${describeError(error)}.`, 'Name a file in .workplace/.')
  }
  const lines = text
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line, index) => ({ number: index + 1, text: line }))
  const isKnown = (name: string) => roster.has(name) || isPerson(name) || name === SERVER
  const { messages, broken } = parseChat(lines, isKnown)
  const [first] = broken.filter(({ line }) => isWanted(line))
  if (first !== undefined) throw new UsageError(`Line ${first.line} of ${file} cannot be sent: ${first.why}.`)
  const found = messages.filter(({ line }) => isWanted(line))
  if (found.length === 0) throw new UsageError(`No message begins in these lines of ${file}.`)
  return found
}

/** `troupe work report`: an agent's report on its own work. */
export const workReport: Command = {
  name: 'work report',
  reportsHarnessProblems: false,
  takes: 'completed|error|progress [TEXT]',
  words: 2,
  summary: 'report on your own work (for agents)',
  details:
    'For agents at work: reports that the work is completed, that it cannot be done, or how far it is, so that another attempt can continue from there. The environment identifies the run.',
  options: {
    files: { type: 'string', value: 'PATH,...', about: 'the files involved' },
    run: { type: 'string', value: 'RUN', about: 'the run, for persistent agents' },
  },
  examples: [
    ['troupe work report completed "the login form is there"', 'the answer to the sender'],
    ['troupe work report progress "tests are written" --files test/login.test.ts', 'in between'],
  ],
  run: (input) => withDiskErrors(input, () => reportHere(input)),
}

function reportHere(input: CommandInput): number {
  const { terminal, options, positionals } = input
  const [word = '', text = ''] = positionals
  const status: ReportStatus | undefined = reportStatuses.find((one) => one === word)
  if (status === undefined)
    throw new UsageError(
      word === '' ? 'Missing argument STATUS.' : `Unknown status "${word}".`,
      `Use one of ${reportStatuses.join(', ')}.`,
    )
  const run = typeof options.run === 'string' ? options.run : process.env.TROUPE_RUN
  if (run === undefined || run === '')
    throw new UsageError('This is for agents at work: TROUPE_RUN is not set.', '--run names the run.')
  const id = putInInbox(findWorkplaceFor(input), { kind: 'report', run, status, text, files: splitList(options.files) })
  if (options.json === true) printJson(terminal, { id, run, status })
  return exit.fine
}

/** `troupe work answer`: yes or no to what a member may not do without you. */
export const workAnswer: Command = {
  name: 'work answer',
  takes: 'QUESTION yes|no',
  words: 2,
  summary: 'answer a permission question of an agent',
  details:
    'Answers an agent that waits for your permission; `troupe work status` shows the questions. Unanswered questions count as no.',
  options: {},
  examples: [['troupe work answer q1a2b3c4d yes', 'allow it once']],
  run: (input) => withDiskErrors(input, () => answerHere(input)),
}

function answerHere(input: CommandInput): number {
  const { terminal, options, positionals } = input
  const [question = '', word = ''] = positionals
  if (!['yes', 'no'].includes(word)) throw new UsageError('The answer is yes or no.', 'troupe work answer QUESTION yes')
  const places = findWorkplaceFor(input)
  const agent = answerQuestion(places, readState(places), question, word === 'yes')
  if (options.json === true) printJson(terminal, { question, agent, yes: word === 'yes' })
  else terminal.info(`Answered ${agent} with ${word}.\n`)
  return exit.fine
}
