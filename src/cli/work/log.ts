/** `troupe work log`: who said what to whom; with --follow, as it happens. */
import { jsonText } from '../../report/hidden.ts'
import { oneLine } from '../../report/layout.ts'
import { readHistory } from '../../runtime/journal-files.ts'
import { JournalReader } from '../../runtime/journal-reader.ts'
import { readState } from '../../runtime/open.ts'
import { cleanText } from '../../workplace/message.ts'
import type { SeenRecord } from '../../workplace/records.ts'
import { emptyState, fold, reduce, type State } from '../../workplace/state.ts'
import { type Command, exit, printJson, type Terminal } from '../command.ts'
import { interruption, withDisk, workplaceOf } from './opening.ts'

export const log: Command = {
  name: 'work log',
  takes: '',
  words: 0,
  summary: 'who said what to whom',
  details:
    'Prints the messages of the workplace. With --follow it stays and prints new ones; with --follow --json one JSON object per line and message.',
  options: { follow: { type: 'boolean', short: 'f', about: 'stay, and print what comes' } },
  examples: [
    ['troupe work log', 'all of it'],
    ['troupe work log --follow --json', 'for a program that listens'],
  ],
  run: (input) =>
    withDisk(input, async () => {
      const places = workplaceOf(input)
      const { terminal, options } = input
      const isJson = options.json === true
      if (options.follow !== true) {
        // It says so where the journal cannot be used.
        readState(places)
        const state = fold(readHistory(places.journal))
        const messages = [...state.messages.values()]
        if (isJson) printJson(terminal, { messages: messages.map((one) => lineOf(one, state)) })
        else for (const one of messages) print(terminal, one)
        return exit.fine
      }
      const { heard, forget } = interruption()
      let isOver = false
      void heard.then(() => {
        isOver = true
      })
      const reader = new JournalReader(places.journal, 'beginning')
      const state = emptyState()
      while (!isOver) {
        for (const record of reader.more()) {
          reduce(state, record)
          // What does not come through the chat is told when it stands there, with its line.
          const id =
            record.t === 'seen' && record.post === undefined ? record.id : record.t === 'posted' ? record.id : null
          const message = id === null ? undefined : state.messages.get(id)
          if (message === undefined) continue
          if (isJson) terminal.print(`${jsonText(lineOf(message, state))}\n`)
          else print(terminal, message)
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      forget()
      return exit.interrupted
    }),
}

/** As programs that listen to a workplace expect it. */
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

function print({ style, print: write }: Terminal, { at, from, to, observers = [], text, kind }: SeenRecord): void {
  const time = new Date(Number.isFinite(at) ? at : 0).toISOString().slice(11, 19)
  const arrow = kind === 'handoff' ? '\u2192' : kind === 'reply' ? '\u21a9' : '\u00b7'
  const watching = observers.length === 0 ? '' : style.dim(` (${observers.map(oneLine).join(', ')} watching)`)
  const [first = '', ...rest] = cleanText(text).split('\n')
  const head = `${style.dim(time)}  ${style.bold(oneLine(from))} ${arrow} ${style.bold(oneLine(to))}${watching}  ${first}`
  write(`${[head, ...rest.map((line) => `          ${line}`)].join('\n')}\n`)
}
