/** Chains in which nothing is open any more: the starter hears of it in the chat; attached commands read the journal. */

import { wholeSlice } from '../text/whole-slice.ts'
import type { Chain } from '../workplace/chain.ts'
import { SERVER } from '../workplace/names.ts'
import type { Engine } from './engine.ts'
import { derivedId } from './ingest.ts'

export function endChains(engine: Engine): void {
  const { state, at } = engine
  for (const chain of state.chains.values()) {
    if (chain.ended || chain.open > 0) continue
    const { id, starter, handoffs, dead } = chain
    engine.stage({ t: 'ended', chain: id, at })
    const message = {
      t: 'seen',
      id: derivedId(id, handoffs, dead, at, 'ended'),
      at,
      from: SERVER,
      to: starter,
      text: outcome(chain),
    } as const
    engine.stage({ ...message, kind: 'note', chain: id, post: true })
  }
  engine.flush()
}

function outcome({ task, handoffs, dead }: Chain): string {
  const words = wholeSlice(task.split('\n')[0] ?? '', 0, 80)
  const count = `${handoffs} ${handoffs === 1 ? 'handoff' : 'handoffs'}`
  return dead === 0
    ? `Finished after ${count}: ${words}`
    : `Ended with ${dead} of ${count} dead: ${words}. \`troupe work status\` says why.`
}
