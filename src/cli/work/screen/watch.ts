/** `troupe work status --watch` on a terminal: draws what happens, and does what keys say. */
import { oneLine } from '../../../report/layout.ts'
import { press } from '../../../report/screen/press.ts'
import { type Drawn, drawScreen } from '../../../report/screen/screen.ts'
import { type Content, firstView, type View } from '../../../report/screen/view.ts'
import type { Style } from '../../../report/style.ts'
import { type FollowedState, followState } from '../../../runtime/follow-state.ts'
import type { Places } from '../../../runtime/places.ts'
import type { Overview } from '../../../workplace/overview.ts'
import type { Roster } from '../../../workplace/roster.ts'
import { type CommandInput, exit } from '../../command.ts'
import { type Decision, decideAll, saying } from '../decide.ts'
import { lookAtHead, lookAtWork } from '../look.ts'
import { type Changes, followChanges } from './changes.ts'
import { TerminalScreen } from './terminal-screen.ts'

/** So many handoffs can be scrolled through; the log has the others. */
const MOST = 200

const signalCodes = { SIGINT: exit.interrupted, SIGTERM: 143, SIGHUP: 129 } as const

export function watchOnScreen(input: CommandInput, places: Places, name: string, roster: Roster): Promise<number> {
  return new Promise((resolve, reject) => {
    const watching = new Watching(input, places, name, roster, { resolve, reject })
    watching.begin()
  })
}

interface End {
  readonly resolve: (code: number) => void
  readonly reject: (error: unknown) => void
}

class Watching {
  readonly #places: Places
  readonly #style: Style
  readonly #followed: FollowedState
  readonly #name: string
  readonly #roster: Roster
  readonly #screen: TerminalScreen
  readonly #changes: Changes
  readonly #end: End
  /** Questions and dead letters that are decided, until the journal says so. */
  readonly #decided = new Set<string>()
  #view: View = firstView
  #seen: Pick<Content, 'head' | 'overview'> | null = null
  /** Until the times that are shown are others (ms); null: they stay. */
  #pause: number | null = null
  #drawn: Drawn | null = null

  constructor({ terminal }: CommandInput, places: Places, name: string, roster: Roster, end: End) {
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
    this.#changes = followChanges(places, () => this.#guard(() => this.#update()))
  }

  begin(): void {
    this.#guard(() => {
      this.#screen.open()
      this.#update()
      // What needs the person is at hand at once; later nothing is selected but by them.
      if (this.#seen !== null && this.#seen.overview.attention.length > 0) this.#press('home')
    })
  }

  #update(): void {
    const { state, refresh } = this.#followed
    const records = refresh()
    for (const record of records) if (record.t === 'answered' || record.t === 'revived') this.#decided.delete(record.id)
    const head = lookAtHead(this.#places, this.#name)
    const isNews =
      records.length > 0 || head.pid !== this.#seen?.head.pid || head.undelivered !== this.#seen.head.undelivered
    // Where nothing runs, not even the times go on, and there is nothing to draw.
    if (!isNews && this.#pause === null) return
    this.#seen = { head, overview: lookAtWork(this.#places, head, state, this.#roster, Date.now(), MOST) }
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
    const { view, wish } = press(key, this.#drawn)
    this.#view = view
    if (wish?.kind === 'quit') this.#finish(() => this.#end.resolve(exit.fine))
    else {
      if (wish !== null) this.#view = { ...view, notice: this.#decide(wish) }
      this.#show()
    }
  }

  #decide(wish: Decision): string {
    const ids = wish.ids.filter((id) => !this.#decided.has(id))
    if (ids.length === 0) return 'This is decided already, and waits for the workplace to take it up.'
    const { done, why } = decideAll({ ...wish, ids }, this.#places, this.#followed.state)
    for (const id of done) this.#decided.add(id)
    if (done.length === 0) return `Nothing was done: ${oneLine(why ?? 'it is settled')}`
    return this.#seen?.head.pid != null
      ? saying(wish, done.length)
      : `${saying(wish, done.length)} It counts once the workplace runs: \`troupe work resume\`.`
  }

  /** A mistake of ours must not leave the terminal as it is now. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#finish(() => this.#end.reject(error))
    }
  }

  #finish(tell: () => void): void {
    this.#changes.stop()
    this.#screen.close()
    tell()
  }
}

/** Times are shown to the second at first, then to the minute; where nothing runs, none changes. */
function untilNextChange(overview: Overview): number | null {
  const elapsed = overview.members.flatMap((one) => (one.elapsed === null ? [] : [one.elapsed]))
  if (elapsed.length === 0) return null
  return elapsed.some((ms) => ms < 60_000) ? 1000 : 30_000
}
