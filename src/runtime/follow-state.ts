/** The state of a workplace for those who only watch: read once, and then kept up with the journal. */
import type { JournalRecord } from '../workplace/records.ts'
import { emptyState, fold, type State } from '../workplace/state.ts'
import { JournalReader } from './journal-reader.ts'
import type { Places } from './places.ts'

export interface FollowedState {
  readonly state: State
  /** What has come since the last look, already counted in the state. */
  readonly refresh: () => readonly JournalRecord[]
}

export function followState({ journal }: Pick<Places, 'journal'>): FollowedState {
  const reader = new JournalReader(journal)
  const state = emptyState()
  const refresh = () => {
    const records = reader.more()
    fold(records, state)
    return records
  }
  refresh()
  return { state, refresh }
}
