/** `troupe work status`: what needs you, who does what, what it has cost; with --watch, as a screen that stays. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { statusText } from '../../report/work-status-text.ts'
import { collect, drop } from '../../runtime/inbox.ts'
import { JournalReader } from '../../runtime/journal-file.ts'
import { readOwner } from '../../runtime/lock.ts'
import { openConfig, openTeam, readState } from '../../runtime/open.ts'
import type { Places } from '../../runtime/places.ts'
import { isRunning } from '../../runtime/processes.ts'
import { type Overview, overviewOf } from '../../workplace/overview.ts'
import type { Roster } from '../../workplace/roster.ts'
import { emptyState, fold, type State } from '../../workplace/state.ts'
import { type Command, type CommandInput, exit, printJson, printLines } from '../command.ts'
import { interruption, withDisk, workplaceOf } from './opening.ts'

export const status: Command = {
  name: 'work status',
  takes: '',
  words: 0,
  summary: 'what needs you, who does what, what it has cost',
  options: {
    watch: { type: 'boolean', about: 'a screen that stays, until Ctrl-C or q' },
    clear: { type: 'boolean', about: 'what needed you is settled; take it off the list' },
  },
  examples: [
    ['troupe work status', 'once'],
    ['troupe work status --watch', 'all the time'],
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
  }
  if (options.watch === true && options.json !== true && process.stdout.isTTY) return watch(input, places, name, roster)
  const overview = look(places, state, roster)
  const head = headOf(places, name)
  if (options.json === true) {
    const server = { running: head.pid !== null, pid: head.pid }
    printJson(terminal, {
      workplace: { name, uuid, path: places.root },
      server,
      undelivered: head.undelivered,
      ...overview,
    })
  } else printLines(terminal, statusText(head, overview, terminal))
  return exit.fine
}

function look(places: Places, state: State, roster: Roster, last?: number): Overview {
  const lastSign = (run: string) => {
    const signs = ['out', 'err'].map(
      (name) => statSync(join(places.runs, run, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    )
    return Math.max(...signs) || null
  }
  return overviewOf(state, roster, Date.now(), headOf(places, '').pid !== null, lastSign, last)
}

function headOf(places: Places, name: string) {
  const owner = readOwner(places)
  const pid = owner !== null && isRunning(owner) ? owner.pid : null
  const isMessage = ({ item }: { item: object }) => 'kind' in item && item.kind === 'message'
  return { name, pid, trouble: null, undelivered: pid === null ? collect(places).filter(isMessage).length : 0 }
}

/** Drawn over itself, line by line, on the terminal's other screen. */
async function watch(input: CommandInput, places: Places, name: string, roster: Roster): Promise<number> {
  const { stdout, stdin } = process
  const { heard, forget } = interruption()
  const reader = new JournalReader(places.journal)
  const state = emptyState()
  let isOver = false
  void heard.then(() => {
    isOver = true
  })
  if (stdin.isTTY) {
    stdin.setRawMode(true)
    stdin.resume()
    stdin.on('data', (keys) => {
      if (/[q\u0003\u001b]/.test(keys.toString())) isOver = true
    })
  }
  stdout.write('\u001b[?1049h\u001b[?25l')
  try {
    while (!isOver) {
      fold(reader.more(), state)
      const paper = { style: input.terminal.style, columns: Math.min(stdout.columns || 80, 120) }
      const rows = (stdout.rows || 24) - 1
      const handoffs = Math.max(3, rows - roster.size - Math.min(8, state.attention.length) - 11)
      const lines = statusText(headOf(places, name), look(places, state, roster, handoffs), paper).slice(0, rows)
      const last = paper.style.dim('q ends the watching; the work goes on')
      stdout.write(
        `\u001b[H${[...lines, '', last]
          .slice(0, rows + 1)
          .map((line) => `${line}\u001b[K`)
          .join('\r\n')}\u001b[J`,
      )
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  } finally {
    stdout.write('\u001b[?25h\u001b[?1049l')
    if (stdin.isTTY) stdin.setRawMode(false)
    stdin.pause()
    forget()
  }
  return exit.fine
}
