/** `troupe undo` on the disk: the last run in a root, taken back. */
import { existsSync } from 'node:fs'
import { readHistory } from './writing/history.ts'
import { openWorkplace, type Refusal } from './writing/open.ts'
import { forget, journalIn } from './writing/record.ts'
import { isComplete, type TakeBackOptions, type TakenBack, takeBack } from './writing/take-back.ts'

export interface Undone {
  /** The command whose run was taken back. */
  readonly command: string
  /** False: that run was killed before it came to its end. */
  readonly finished: boolean
  readonly files: readonly TakenBack[]
}

export type UndoResult = { readonly undone: Undone | null } | { readonly refused: Refusal }

/** `undone: null`: there is nothing to undo. What was left or failed can be tried again: it stays in the journal. */
export function undo(root: string, options: Partial<TakeBackOptions> = {}): UndoResult {
  const { force = false, dryRun = false } = options
  // Looking comes first: where nothing was ever written, asking to undo must not leave a trace either.
  const place = openWorkplace(root, true)
  if ('refused' in place || !existsSync(journalIn(place.own.undo))) return { undone: null }
  const workplace = dryRun ? place : openWorkplace(root, false)
  if ('refused' in workplace) return workplace
  const { atlas, own, release } = workplace
  try {
    const history = readHistory(own.undo)
    if (history === null) return { undone: null }
    const files = takeBack(atlas, own, history, { force, dryRun })
    if (!dryRun && isComplete(files)) forget(own.undo)
    const isNothing = files.length === 0 && history.lines.length === 0
    return { undone: isNothing ? null : { command: history.command, finished: history.done, files } }
  } finally {
    release()
  }
}
