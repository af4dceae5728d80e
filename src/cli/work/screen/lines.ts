/** `troupe work status --watch` where nothing can be drawn: a line for everything that happens. */
import { narrate } from '../../../report/work-narration.ts'
import { followState } from '../../../runtime/follow-state.ts'
import type { Places } from '../../../runtime/places.ts'
import { type CommandInput, exit } from '../../command.ts'
import { interruption } from '../opening.ts'
import { followChanges } from './changes.ts'

export async function watchInLines({ terminal }: CommandInput, places: Places): Promise<number> {
  const { state, refresh } = followState(places)
  const changes = followChanges(places, () => {
    for (const record of refresh()) {
      const line = narrate(record, state, null, terminal)
      if (line !== null) terminal.print(`${line}\n`)
    }
  })
  const { heard, forget } = interruption()
  try {
    await heard
  } finally {
    forget()
    changes.stop()
  }
  return exit.interrupted
}
