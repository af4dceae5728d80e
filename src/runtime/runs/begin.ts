/** Handoffs become runs: everything that can begin, begins. */
import { exceeded } from '../../workplace/budget.ts'
import type { Handoff } from '../../workplace/handoff.ts'
import { isPerson, KERNEL } from '../../workplace/names.ts'
import type { Member } from '../../workplace/roster.ts'
import { sourceTree } from '../../workplace/trees.ts'
import { isDiskTrouble } from '../disk-trouble.ts'
import type { Engine } from '../engine.ts'
import { gitState } from '../git.ts'
import { folderFor } from '../worktrees.ts'
import type { Active, ActiveRuns } from './active.ts'
import { deliver } from './delivered.ts'
import { environmentFor } from './environment.ts'
import { askKernel } from './kernel.ts'
import { promptFor } from './prompt.ts'

export function beginRuns(runs: ActiveRuns): void {
  for (const active of runs.all()) if (active.hindrance !== null) notReady(runs, active, active.hindrance)
  const { state, setting } = runs.engine
  const busy = new Set(runs.all().map(({ agent }) => agent))
  for (const handoff of [...state.open.values()]) {
    if (runs.size >= setting.rules.parallel) return
    if (busy.has(handoff.to) || runs.has(handoff.id) || isPerson(handoff.to) || !runs.isDue(handoff.id)) continue
    if (waitsForTree(runs, handoff)) continue
    busy.add(handoff.to)
    begin(runs, handoff)
  }
}

/** Its worktree is made from that of another, who must be at rest meanwhile: all of the sender's work is in it then. */
function waitsForTree(runs: ActiveRuns, handoff: Handoff): boolean {
  const { state } = runs.engine
  if (state.chains.get(handoff.chain)?.worktree !== true) return false
  const source = sourceTree(state, handoff)?.agent
  return runs.all().some(({ id, agent, preparing }) => {
    const other = state.handoffs.get(id)
    if (other?.chain !== handoff.chain) return false
    return agent === source || (preparing && sourceTree(state, other)?.agent === handoff.to)
  })
}

function begin(runs: ActiveRuns, handoff: Handoff): void {
  const { engine } = runs
  const member = engine.setting.roster.get(handoff.to)
  const hindrance = hindranceOf(engine, handoff, member)
  if (hindrance !== null || member === undefined) {
    engine.stage({ t: 'dead', id: handoff.id, at: engine.at, why: hindrance ?? '' })
    engine.flush()
    runs.around.wake()
  } else if (member.name === KERNEL) askKernel(runs, handoff)
  else if (member.persistent) deliver(runs, handoff, member)
  else void start(runs, runs.take(handoff, true), member)
}

/** Why it can never begin, or null. */
function hindranceOf({ state, setting }: Engine, { chain, to }: Handoff, member: Member | undefined): string | null {
  if (member === undefined) return `there is no agent "${to}" any more`
  const known = state.chains.get(chain)
  const spent = known === undefined ? null : exceeded(known, setting.rules.budget)
  if (spent !== null || member.name === KERNEL) return spent
  return member.command === null ? `nothing says how to run ${to}: troupe.yaml names no program` : null
}

/** Git and its worktrees take their time; others go on meanwhile. */
async function start(runs: ActiveRuns, active: Active, member: Member): Promise<void> {
  const { engine } = runs
  const { driver } = engine.setting
  const { run } = active
  try {
    const { path: cwd, about } = await folderFor(engine, active.id)
    const git = await gitState(cwd)
    const handoff = engine.state.open.get(active.id)
    const isWanted = runs.holds(active) && active.ending === null
    if (handoff === undefined || !isWanted) {
      runs.forget(active)
      return
    }
    const prompt = promptFor(runs, handoff, member, { path: cwd, git, about })
    const environment = environmentFor(engine, run, handoff)
    const turn = handoff.nudged ? driver.prompt : driver.start
    turn({ run, agent: member.name, command: member.command ?? [], cwd, prompt, environment, lease: engine.lease })
    active.preparing = false
    runs.unblock(active.id)
  } catch (error) {
    // What comes of it is journalled with everything else, where somebody meets a disk that is full.
    active.hindrance = error as Error
    runs.around.wake()
  }
}

/** Nothing was started, so nothing has failed: it is tried again when there is room, unless there never will be. */
function notReady(runs: ActiveRuns, active: Active, hindrance: Error): void {
  const { engine } = runs
  const { id } = active
  // Before anything is written: if that fails, the handoff begins anew, and may find that nothing hinders it any more.
  runs.forget(active)
  runs.block(id)
  if (isLasting(hindrance)) {
    engine.stage({ t: 'dead', id, at: engine.at, why: hindrance.message })
    engine.flush()
  } else {
    runs.wait(id, 1000)
    if (isDiskTrouble(hindrance)) throw hindrance
  }
  runs.unblock(id)
}

/** What the system refuses now it may allow later; anything else would be refused every time. */
function isLasting(error: Error): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return !isDiskTrouble(error) && (!/^E[A-Z0-9]+$/.test(code) || code === 'E2BIG')
}
