/** `troupe work status`: what needs you, who does what, what it has cost; with --watch, as a screen that stays. */
import { statusText } from '../../report/work-status-text.ts'
import { drop } from '../../runtime/inbox.ts'
import { openConfig, openTeam, readState } from '../../runtime/open.ts'
import { PERSON } from '../../workplace/names.ts'
import { type Command, type CommandInput, exit, printJson, printLines } from '../command.ts'
import { lookAtHead, lookAtWork } from './look.ts'
import { withDisk, workplaceOf } from './opening.ts'

export const status: Command = {
  name: 'work status',
  takes: '',
  words: 0,
  summary: 'what needs you, who does what, what it has cost',
  details:
    'Shows the workplace. With --watch on a terminal it stays, and keys work: j and k (or the arrows) select a row, Enter shows all of it, y and n answer a question, r gives a dead letter new attempts, q ends the watching; the work goes on. Elsewhere --watch prints a line for everything that happens, until Ctrl-C.',
  options: {
    watch: { type: 'boolean', about: 'a screen that stays, until q or Ctrl-C' },
    clear: { type: 'boolean', about: 'what needed you is settled; take it off the list' },
  },
  examples: [
    ['troupe work status', 'once'],
    ['troupe work status --watch', 'all the time, with keys to answer and to revive'],
  ],
  run: (input) => withDisk(input, () => show(input)),
}

async function show(input: CommandInput): Promise<number> {
  const { terminal, options } = input
  const places = workplaceOf(input)
  const { name, uuid } = openConfig(places)
  const state = readState(places)
  const { roster } = await openTeam(places)
  if (options.clear === true) {
    drop(places, { kind: 'clear' })
    state.attention = []
    state.unlisted.clear()
    state.unseen.delete(PERSON)
  }
  const isWatching = options.watch === true && options.json !== true
  if (isWatching && canDraw()) return (await import('./screen/watch.ts')).watchOnScreen(input, places, name, roster)
  const head = lookAtHead(places, name)
  const overview = lookAtWork(places, head, state, roster, Date.now())
  if (options.json === true) {
    const { pid, undelivered } = head
    printJson(terminal, {
      workplace: { name, uuid, path: places.root },
      server: { running: pid !== null, pid },
      undelivered,
      ...overview,
    })
  } else printLines(terminal, statusText(head, overview, terminal))
  return isWatching ? (await import('./screen/lines.ts')).watchInLines(input, places) : exit.fine
}

/** A terminal that can be drawn on, with a person at its keys. */
function canDraw(): boolean {
  const { stdin, stdout, env } = process
  return (
    stdin.isTTY === true && stdout.isTTY === true && !env.CI && env.TERM !== undefined && !/^(dumb)?$/.test(env.TERM)
  )
}
