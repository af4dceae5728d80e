/** What a crash left behind: runs that nobody waits for are ended and their traces removed, and half-written files too. */
import { existsSync, readdirSync } from 'node:fs'
import type { Engine } from './engine.ts'
import { isRunning } from './processes.ts'
import { removeDrafts } from './put-whole.ts'
import { runName } from './runs/name.ts'

export function reclaim({ state, setting }: Engine): void {
  const { places, driver } = setting
  const { open, handoffs, services, attention } = state
  const wanted = new Set([...open.values()].map(runName))
  for (const { run } of services.values()) if (run !== null) wanted.add(run)
  const dead = new Set(attention.filter(({ kind }) => kind === 'dead').map(({ id }) => id))
  for (const run of new Set([...namesIn(places.claims), ...namesIn(places.runs)])) {
    if (wanted.has(run)) continue
    const id = run.split('.')[0] ?? ''
    driver.close(run, dead.has(id) && handoffs.get(id)?.status === 'dead')
  }
  for (const folder of [places.folder, places.run, places.inbox])
    removeDrafts(folder, (pid) => isRunning({ pid, start: '-' }))
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
