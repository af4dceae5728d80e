/** `troupe work status` and `log`: what needs you, who does what, the cost; with --watch, as a live screen. */

import { displayWidth, jsonText, oneLine, wrap } from '../../report/layout.ts'
import { workStatusText } from '../../report/team/status.ts'
import { putInInbox } from '../../team/engine/inbox.ts'
import { JournalReader, readWholeJournal } from '../../team/engine/journal-reader.ts'
import { openTeam, readState, readWorkplaceConfig } from '../../team/runtime/open.ts'
import { cleanText, PERSON } from '../../team/state/message.ts'
import type { SeenRecord } from '../../team/state/records.ts'
import { applyRecord, emptyState, foldRecords, type State } from '../../team/state/state.ts'
import { type Command, type CommandInput, exit, printJson, printLines, type Terminal } from '../command.ts'
import { findWorkplaceFor, onInterrupt, readOverview, readStatusHead, withDiskErrors } from './opening.ts'

export const workStatus: Command = {
  name: 'work status',
  takes: '',
  words: 0,
  summary: 'show what needs you, who does what, and the cost',
  details:
    'Shows the workplace. With --watch on a terminal it is a live screen with keys: j and k (or the arrows) select a row, Enter shows all of it, y and n answer a question, r retries a dead letter, q quits; the work continues. Elsewhere --watch prints a line for every event, until Ctrl-C.',
  options: {
    watch: { type: 'boolean', about: 'a live screen, until q or Ctrl-C' },
    clear: { type: 'boolean', about: 'clear the list of what needs you' },
  },
  examples: [
    ['troupe work status', 'once'],
    ['troupe work status --watch', 'live, with keys to answer and to retry'],
  ],
  run: (input) => withDiskErrors(input, () => showStatus(input)),
}

async function showStatus(input: CommandInput): Promise<number> {
  const { terminal, options } = input
  const places = findWorkplaceFor(input)
  const { name, uuid } = readWorkplaceConfig(places)
  const state = readState(places)
  const { roster } = await openTeam(places)
  if (options.clear === true) {
    putInInbox(places, { kind: 'clear' })
    state.attention = []
    state.unlisted.clear()
    state.unseen.delete(PERSON)
  }
  const isWatching = options.watch === true && options.json !== true
  if (isWatching && canDraw()) return (await import('./watch.ts')).watchOnScreen(input, places, name, roster)
  const head = readStatusHead(places, name)
  const overview = readOverview(places, head, state, roster, Date.now())
  if (options.json === true) {
    const { pid, undelivered } = head
    printJson(terminal, {
      workplace: { name, uuid, path: places.root },
      server: { running: pid !== null, pid },
      undelivered,
      ...overview,
    })
  } else printLines(terminal, workStatusText(head, overview, terminal))
  return isWatching ? (await import('./watch.ts')).watchInLines(input, places) : exit.fine
}

/** A terminal that supports drawing, with a person at the keyboard. */
function canDraw(): boolean {
  const { stdin, stdout, env } = process
  return (
    stdin.isTTY === true && stdout.isTTY === true && !env.CI && env.TERM !== undefined && !/^(dumb)?$/.test(env.TERM)
  )
}

/** `troupe work log`: who wrote what to whom; with --follow, as it happens. */
export const workLog: Command = {
  name: 'work log',
  takes: '',
  words: 0,
  summary: 'show the messages',
  details:
    'Prints the messages of the workplace. With --follow it stays and prints new ones; with --follow --json, one line of JSON per message.',
  options: { follow: { type: 'boolean', short: 'f', about: 'stay and print new messages' } },
  examples: [
    ['troupe work log', 'all of it'],
    ['troupe work log --follow --json', 'for another program'],
  ],
  run: (input) =>
    withDiskErrors(input, async () => {
      const places = findWorkplaceFor(input)
      const { terminal, options } = input
      const isJson = options.json === true
      if (options.follow !== true) {
        // Throws if the journal cannot be used.
        readState(places)
        const state = foldRecords(readWholeJournal(places.journal))
        const messages = [...state.messages.values()]
        if (isJson) printJson(terminal, { messages: messages.map((one) => lineOf(one, state)) })
        else if (messages.length === 0) terminal.info('No messages yet.\n')
        else for (const one of messages) printMessage(terminal, one)
        return exit.fine
      }
      const { interrupted, forget } = onInterrupt()
      let isOver = false
      void interrupted.then(() => {
        isOver = true
      })
      const reader = new JournalReader(places.journal, 'beginning')
      const state = emptyState()
      while (!isOver) {
        for (const record of reader.more()) {
          applyRecord(state, record)
          // A message from outside the chat is reported once it is in the chat, with its line.
          const id =
            record.t === 'seen' && record.post === undefined ? record.id : record.t === 'posted' ? record.id : null
          const message = id === null ? undefined : state.messages.get(id)
          if (message === undefined) continue
          if (isJson) terminal.print(`${jsonText(lineOf(message, state))}\n`)
          else printMessage(terminal, message)
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      forget()
      return exit.interrupted
    }),
}

/** As programs that follow a workplace expect it. */
function lineOf({ id, at, from, to, observers = [], text, line }: SeenRecord, state: State) {
  const time = Number.isFinite(at) && Math.abs(at) < 8.64e15 ? at : 0
  return {
    timestamp: new Date(time).toISOString(),
    sender: from,
    recipient: to,
    broadcast: observers,
    message: text,
    line_number: line ?? state.lines.get(id) ?? null,
  }
}

/** Long lines are wrapped below the time; their own indentation stays. */
function printMessage(
  { style, columns, print: write }: Terminal,
  { at, from, to, observers = [], text, kind }: SeenRecord,
): void {
  const time = new Date(Number.isFinite(at) ? at : 0).toISOString().slice(11, 19)
  const arrow = kind === 'handoff' ? '\u2192' : kind === 'reply' ? '\u21a9' : '\u00b7'
  const watching = observers.length === 0 ? '' : ` (${observers.map(oneLine).join(', ')} watching)`
  const [first = '', ...rest] = cleanText(text).split('\n')
  const names = ` ${oneLine(from)} ${arrow} ${oneLine(to)}${watching}`
  // A word as wide as the names takes their place while the text after them is wrapped.
  const standIn = '-'.repeat(displayWidth(names))
  const [start = '', ...more] = wrap(`${standIn} ${first}`, columns - MESSAGE_INDENT)
  const painted = `${style.dim(time)}  ${style.bold(oneLine(from))} ${arrow} ${style.bold(oneLine(to))}${style.dim(watching)}`
  const below = [...more, ...rest.flatMap((line) => wrapIndentedLine(line, columns - MESSAGE_INDENT))]
  const lines = [
    `${painted}  ${start.slice(standIn.length + 1)}`.trimEnd(),
    ...below.map((line) => ' '.repeat(MESSAGE_INDENT) + line),
  ]
  write(`${lines.join('\n')}\n`)
}

/** As wide as the time of a message and the space after it. */
const MESSAGE_INDENT = 10

function wrapIndentedLine(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? ''
  return wrap(line.slice(indent.length), Math.max(20, width - indent.length)).map((part) => indent + part)
}
