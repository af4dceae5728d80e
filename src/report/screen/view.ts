/** What a person sees of a workplace and where they are in it: the terminal's size, the selected row, how far it is scrolled. */
import type { Overview } from '../../workplace/overview.ts'
import type { State } from '../../workplace/state.ts'
import type { StatusHead } from '../work-status-text.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** All that can be shown. */
export interface Content {
  readonly head: StatusHead
  readonly overview: Overview
  readonly state: State
  readonly now: number
}

export interface View {
  readonly mode: 'list' | 'details'
  /** The key of the selected row. Null: none, because the one that was is gone; a key must not act on another by surprise. */
  readonly selected: string | null
  /** Where among the rows the selected one is, or was. */
  readonly place: number
  /** The first line that is shown, of the list and of the details. */
  readonly top: number
  readonly detailsTop: number
  /** How many lines of the details have been shown so far. */
  readonly read: number
  /** What was done at the last key, or why nothing was. */
  readonly notice: string | null
}

export const firstView: View = {
  mode: 'list',
  selected: null,
  place: 0,
  top: 0,
  detailsTop: 0,
  read: 0,
  notice: null,
}
