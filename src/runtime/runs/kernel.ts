/** The kernel answers without a program: what it keeps current is current. */
import type { Handoff } from '../../workplace/handoff.ts'
import { thisProcess } from '../processes.ts'
import type { ActiveRuns } from './active.ts'
import { stageAnswer } from './conclude.ts'
import { runName } from './name.ts'

export function askKernel({ engine, around }: ActiveRuns, handoff: Handoff): void {
  const { at } = engine
  const { id, attempt } = handoff
  const process = thisProcess()
  const files = around.tree().filter(({ type }) => type === 'file').length
  const answer = `structure.json is current: ${files} files.`
  engine.stage(
    { t: 'claimed', id, attempt, run: runName(handoff), at, ...process },
    { t: 'started', id, attempt, at, ...process },
  )
  stageAnswer(engine, handoff, answer)
  engine.stage({ t: 'completed', id, attempt, at, ms: 0, answer, turns: 0 })
  engine.flush()
}
