/** `troupe work status --watch` on a terminal: draws changes and acts on keys. */
import { basename } from 'node:path'
import { signalCodes } from '../../disk/signals.ts'
import { openFolderWatch } from '../../disk/watch-folders.ts'
import { oneLine } from '../../report/layout.ts'
import type { Style } from '../../report/print-text.ts'
import { type DrawnScreen, drawScreen, handleKey } from '../../report/team/screen.ts'
import { firstView, type ScreenContent, type ScreenView } from '../../report/team/screen-frame.ts'
import { narrateRecord } from '../../report/team/status.ts'
import { type FollowedState, followState } from '../../team/engine/journal-reader.ts'
import type { WorkplacePaths } from '../../team/engine/paths.ts'
import type { Overview } from '../../team/state/overview.ts'
import type { Roster } from '../../team/state/roster.ts'
import { type CommandInput, exit } from '../command.ts'
import { carryOut, decisionText, onInterrupt, type PersonDecision, readOverview, readStatusHead } from './opening.ts'
import { TerminalScreen } from './terminal-screen.ts'

/** Minimum time between redraws (ms). */
const REDRAW_INTERVAL = 100
/** For systems that report no changes, and for what no file shows: that the process running the workplace is gone (ms). */
const SLOW_POLL = 10_000

export interface ChangeWatch {
  /** Look again after this time, even without changes: displayed times advance. */
  readonly again: (ms: number) => void
  readonly stop: () => void
}

export function watchForChanges({ run, inbox, log }: WorkplacePaths, changed: () => void): ChangeWatch {
  let soon: NodeJS.Timeout | undefined
  let later: NodeJS.Timeout | undefined
  let last = Number.NEGATIVE_INFINITY
  const now = () => {
    soon = undefined
    last = performance.now()
    changed()
  }
  const notify = () => {
    soon ??= setTimeout(now, Math.max(0, last + REDRAW_INTERVAL - performance.now()))
  }
  // The journal, and who runs the workplace; the log alone is not news.
  const folders = openFolderWatch((folder, file) => {
    if (folder === inbox || file !== basename(log)) notify()
  })
  const listen = () => folders.listenTo(new Set([run, inbox]))
  listen()
  const slow = setInterval(() => {
    listen()
    notify()
  }, SLOW_POLL)
  return {
    again: (ms) => {
      clearTimeout(later)
      later = setTimeout(notify, ms)
    },
    stop: () => {
      clearTimeout(soon)
      clearTimeout(later)
      clearInterval(slow)
      folders.close()
    },
  }
}

/** This many handoffs can be scrolled through; the log has the others. */
const HANDOFFS_SHOWN = 200

export function watchOnScreen(
  input: CommandInput,
  places: WorkplacePaths,
  name: string,
  roster: Roster,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const watching = new StatusScreen(input, places, name, roster, { resolve, reject })
    watching.begin()
  })
}

interface ScreenEnd {
  readonly resolve: (code: number) => void
  readonly reject: (error: unknown) => void
}

class StatusScreen {
  readonly #places: WorkplacePaths
  readonly #style: Style
  readonly #followed: FollowedState
  readonly #name: string
  readonly #roster: Roster
  readonly #screen: TerminalScreen
  readonly #changes: ChangeWatch
  readonly #end: ScreenEnd
  /** Questions and dead letters already decided, until the journal has them. */
  readonly #decided = new Set<string>()
  #view: ScreenView = firstView
  #seen: Pick<ScreenContent, 'head' | 'overview'> | null = null
  /** Until the displayed times change (ms); null: they do not. */
  #pause: number | null = null
  #drawn: DrawnScreen | null = null

  constructor({ terminal }: CommandInput, places: WorkplacePaths, name: string, roster: Roster, end: ScreenEnd) {
    this.#places = places
    this.#style = terminal.style
    this.#end = end
    this.#followed = followState(places)
    this.#name = name
    this.#roster = roster
    this.#screen = new TerminalScreen({
      key: (key) => this.#guard(() => this.#press(key)),
      redraw: () => this.#guard(() => this.#show()),
      ended: (signal) => this.#finish(() => end.resolve(signalCodes[signal])),
    })
    this.#changes = watchForChanges(places, () => this.#guard(() => this.#update()))
  }

  begin(): void {
    this.#guard(() => {
      this.#screen.open()
      this.#update()
      // At first, what needs the person is selected; later only the person selects.
      if (this.#seen !== null && this.#seen.overview.attention.length > 0) this.#press('home')
    })
  }

  #update(): void {
    const { state, refresh } = this.#followed
    const records = refresh()
    for (const record of records) if (record.t === 'answered' || record.t === 'revived') this.#decided.delete(record.id)
    const head = readStatusHead(this.#places, this.#name)
    const isNews =
      records.length > 0 || head.pid !== this.#seen?.head.pid || head.undelivered !== this.#seen.head.undelivered
    // If nothing runs, no time advances and there is nothing to draw.
    if (!isNews && this.#pause === null) return
    this.#seen = { head, overview: readOverview(this.#places, head, state, this.#roster, Date.now(), HANDOFFS_SHOWN) }
    this.#show()
    this.#pause = untilNextChange(this.#seen.overview)
    if (this.#pause !== null) this.#changes.again(this.#pause)
  }

  #show(): void {
    if (this.#seen === null) return
    const content = { ...this.#seen, state: this.#followed.state, now: Date.now() }
    this.#drawn = drawScreen(content, this.#view, this.#screen.size, this.#style)
    this.#view = this.#drawn.view
    this.#screen.draw(this.#drawn.lines)
  }

  #press(key: string): void {
    if (this.#drawn === null) return
    const { view, action } = handleKey(key, this.#drawn)
    this.#view = view
    if (action?.kind === 'quit') this.#finish(() => this.#end.resolve(exit.fine))
    else {
      if (action !== null) this.#view = { ...view, notice: this.#decide(action) }
      this.#show()
    }
  }

  #decide(wish: PersonDecision): string {
    const ids = wish.ids.filter((id) => !this.#decided.has(id))
    if (ids.length === 0) return 'Already decided; waiting for the workplace.'
    const { done, why } = carryOut({ ...wish, ids }, this.#places, this.#followed.state)
    for (const id of done) this.#decided.add(id)
    if (done.length === 0) return `Nothing was done: ${oneLine(why ?? 'it is already settled')}`
    return this.#seen?.head.pid != null
      ? decisionText(wish, done.length)
      : `${decisionText(wish, done.length)} It takes effect when the workplace runs: \`troupe work resume\`.`
  }

  /** A bug must not leave the terminal in this mode. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#finish(() => this.#end.reject(error))
    }
  }

  #finish(notify: () => void): void {
    this.#changes.stop()
    this.#screen.close()
    notify()
  }
}

/** Times are shown to the second at first, then to the minute; if nothing runs, none changes. */
function untilNextChange(overview: Overview): number | null {
  const elapsed = overview.members.flatMap((one) => (one.elapsed === null ? [] : [one.elapsed]))
  if (elapsed.length === 0) return null
  return elapsed.some((ms) => ms < 60_000) ? 1000 : 30_000
}

/** `troupe work status --watch` where drawing is not possible: a line for every event. */
export async function watchInLines({ terminal }: CommandInput, places: WorkplacePaths): Promise<number> {
  const { state, refresh } = followState(places)
  const changes = watchForChanges(places, () => {
    for (const record of refresh()) {
      const line = narrateRecord(record, state, null, terminal)
      if (line !== null) terminal.print(`${line}\n`)
    }
  })
  const { interrupted, forget } = onInterrupt()
  try {
    await interrupted
  } finally {
    forget()
    changes.stop()
  }
  return exit.interrupted
}
