/** `troupe work send`: a message from one to another; on the disk before it says so. */
import { drop } from '../../runtime/inbox.ts'
import { readOwner } from '../../runtime/lock.ts'
import { openTeam, readState } from '../../runtime/open.ts'
import type { Places } from '../../runtime/places.ts'
import { unknownMember } from '../../workplace/classify.ts'
import { cleanText } from '../../workplace/message.ts'
import { isPerson } from '../../workplace/names.ts'
import type { Roster } from '../../workplace/roster.ts'
import { isKnown } from '../../workplace/state.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { listOf, withDisk, workplaceOf } from './opening.ts'
import { sendLines } from './send-lines.ts'

export const send: Command = {
  name: 'work send',
  takes: '[FROM TO TEXT]',
  words: 3,
  summary: 'a message from one to another',
  details:
    'Writes from one to another: to the one who gave the work it is the answer, to any other a handoff. "Handoff:" or "Note:" at its beginning says so outright. You are user, developer or human. --lines sends lines of a chat that were not run.',
  options: {
    observers: { type: 'string', value: 'NAME,...', about: 'who watches; they are not started' },
    done: { type: 'string', value: 'TEXT', about: 'what was done' },
    files: { type: 'string', value: 'PATH,...', about: 'the files involved' },
    decisions: { type: 'string', value: 'TEXT', about: 'why certain choices were made' },
    lines: {
      type: 'string',
      value: 'FILE:N-M,...',
      about: 'the messages in these lines of .workplace/FILE, as they are',
    },
  },
  examples: [
    ['troupe work send coder reviewer "review the login form" --files src/login.ts', 'a handoff'],
    ['troupe work send user coder "use Postgres"', 'the answer to a question'],
    ['troupe work send --lines chat.md:12-15', 'what `troupe work status` shows as not run'],
  ],
  run: (input) => withDisk(input, () => sendHere(input)),
}

async function sendHere(input: CommandInput): Promise<number> {
  const { options, positionals } = input
  const [from, to, words] = positionals
  if (typeof options.lines === 'string') {
    if (from !== undefined) throw new UsageError('With --lines, sender, recipient and text are those of the lines.')
    const places = workplaceOf(input)
    const { roster } = await openTeam(places)
    return tell(input, places, sendLines(input, places, roster, options.lines))
  }
  if (from === undefined || to === undefined || words === undefined)
    throw new UsageError('Sender, recipient and text are needed.', 'troupe work send FROM TO "text"')
  const text = cleanText(words)
  if (text === '') throw new UsageError('The message is empty.')
  const places = workplaceOf(input)
  const { roster } = await openTeam(places)
  requireSelf(from)
  for (const name of [from, to, ...listOf(options.observers)]) requireKnown(name, roster)
  const option = (key: string) => (typeof options[key] === 'string' ? { [key]: options[key] } : {})
  const files = listOf(options.files)
  const context = { ...option('done'), ...option('decisions'), ...(files.length === 0 ? {} : { files }) }
  const id = drop(places, {
    kind: 'message',
    from,
    to,
    observers: listOf(options.observers),
    text,
    run: process.env.TROUPE_RUN || null,
    worktree: false,
    ...context,
  })
  return tell(input, places, [id])
}

async function tell({ terminal, options }: CommandInput, places: Places, ids: readonly string[]): Promise<number> {
  const [id = ''] = ids
  const isDelivered = await journalled(places, ids.at(-1) ?? '')
  const all = ids.join(', ')
  if (options.json === true) printJson(terminal, { id, ids, delivered: isDelivered })
  else
    terminal.tell(
      isDelivered
        ? `Delivered (${all}).\n`
        : `Kept (${all}): the workplace is not running. \`troupe work resume\` delivers ${ids.length === 1 ? 'it' : 'them'}.\n`,
    )
  return exit.fine
}

/** An agent speaks for itself. */
function requireSelf(from: string): void {
  const own = process.env.TROUPE_AGENT
  if (own !== undefined && own !== '' && own !== from)
    throw new UsageError(`You are ${own}, and cannot write as ${from}.`)
}

function requireKnown(name: string, roster: Roster): void {
  if (!roster.has(name) && !isPerson(name))
    throw new UsageError(`${unknownMember(name, roster).replace(/^t/, 'T')}`.replace(/[^?]$/, '$&.'))
}

/** Waits until it is in the journal, where somebody can put it there. */
async function journalled(places: Places, id: string): Promise<boolean> {
  if (readOwner(places)?.isUp !== true) return false
  for (let waited = 0; waited < 3000; waited += 20) {
    if (isKnown(readState(places), id)) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}
