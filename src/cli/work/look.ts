/** A look at a workplace from outside: whether it runs, and all that is known of it. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { StatusHead } from '../../report/work-status-text.ts'
import { waiting } from '../../runtime/inbox.ts'
import { readOwner } from '../../runtime/lock.ts'
import type { Places } from '../../runtime/places.ts'
import { type Overview, overviewOf } from '../../workplace/overview.ts'
import type { Roster } from '../../workplace/roster.ts'
import type { State } from '../../workplace/state.ts'

/** Whether it runs; costs little. */
export function lookAtHead(places: Places, name: string): StatusHead {
  const owner = readOwner(places)
  const pid = owner?.isUp === true ? owner.pid : null
  return { name, pid, undelivered: pid === null ? messagesIn(places) : 0 }
}

function messagesIn(places: Places): number {
  let count = 0
  for (const { item } of waiting(places)) if ('kind' in item && item.kind === 'message') count++
  return count
}

/** `last`: so many handoffs at most. */
export function lookAtWork(
  places: Places,
  { pid }: StatusHead,
  state: State,
  roster: Roster,
  now: number,
  last?: number,
): Overview {
  const lastSign = (run: string) => {
    const signs = ['out', 'err'].map(
      (file) => statSync(join(places.runs, run, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    )
    return Math.max(...signs) || null
  }
  return overviewOf(state, roster, now, pid !== null, lastSign, last)
}
