/** Begins runs for all handoffs that can begin. */

import { gitState } from '../../../disk/git.ts'
import { thisProcess } from '../../../disk/processes.ts'
import type { Engine } from '../../engine/engine.ts'
import { isDiskFull } from '../../engine/journal-writer.ts'
import { exceededBudget } from '../../state/chain.ts'
import { type Handoff, runName } from '../../state/handoff.ts'
import { isPerson, KERNEL } from '../../state/message.ts'
import type { Member } from '../../state/roster.ts'
import type { ActiveRun, ActiveRuns } from './active.ts'
import { stageAnswer } from './conclude.ts'
import { memberEnvironment, memberPrompt } from './prompt.ts'
import { deliver } from './services.ts'
import { folderFor, sourceWorktree } from './worktrees.ts'

export function beginRuns(runs: ActiveRuns): void {
  for (const active of runs.all()) if (active.obstacle !== null) retryOrFail(runs, active, active.obstacle)
  const { state, workplace } = runs.engine
  const busy = new Set(runs.all().map(({ agent }) => agent))
  for (const handoff of [...state.open.values()]) {
    if (runs.size >= workplace.rules.parallel) return
    if (busy.has(handoff.to) || runs.has(handoff.id) || isPerson(handoff.to) || !runs.isDue(handoff.id)) continue
    if (waitsForTree(runs, handoff)) continue
    busy.add(handoff.to)
    beginHandoff(runs, handoff)
  }
}

/** Its worktree is created from another member's, which must be at rest: only then is all of the sender's work in it. */
function waitsForTree(runs: ActiveRuns, handoff: Handoff): boolean {
  const { state } = runs.engine
  if (state.chains.get(handoff.chain)?.worktree !== true) return false
  const source = sourceWorktree(state, handoff)?.agent
  return runs.all().some(({ id, agent, preparing }) => {
    const other = state.handoffs.get(id)
    if (other?.chain !== handoff.chain) return false
    return agent === source || (preparing && sourceWorktree(state, other)?.agent === handoff.to)
  })
}

function beginHandoff(runs: ActiveRuns, handoff: Handoff): void {
  const { engine } = runs
  const member = engine.workplace.roster.get(handoff.to)
  const obstacle = whyNeverBegins(engine, handoff, member)
  if (obstacle !== null || member === undefined) {
    engine.stage({ t: 'dead', id: handoff.id, at: engine.at, why: obstacle ?? '' })
    engine.flush()
    runs.around.wake()
  } else if (member.name === KERNEL) answerAsKernel(runs, handoff)
  else if (member.persistent) deliver(runs, handoff, member)
  else void startRun(runs, runs.take(handoff, true), member)
}

/** Why it can never begin, or null. */
function whyNeverBegins(
  { state, workplace }: Engine,
  { chain, to }: Handoff,
  member: Member | undefined,
): string | null {
  if (member === undefined) return `the agent "${to}" no longer exists`
  const known = state.chains.get(chain)
  const spent = known === undefined ? null : exceededBudget(known, workplace.rules.budget)
  if (spent !== null || member.name === KERNEL) return spent
  return member.command === null ? `troupe.yaml names no harness or program for ${to}` : null
}

/** Git and its worktrees are slow; others continue meanwhile. */
async function startRun(runs: ActiveRuns, active: ActiveRun, member: Member): Promise<void> {
  const { engine } = runs
  const { driver } = engine.workplace
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
    const prompt = memberPrompt(runs, handoff, member, { path: cwd, git, about })
    const environment = memberEnvironment(engine, run, handoff)
    const turn = handoff.nudged ? driver.prompt : driver.start
    turn({ run, agent: member.name, command: member.command ?? [], cwd, prompt, environment, lease: engine.lease })
    active.preparing = false
    runs.unblock(active.id)
  } catch (error) {
    // The result is journalled with everything else, where a full disk is handled.
    active.obstacle = error as Error
    runs.around.wake()
  }
}

/** Nothing was started, so nothing has failed: it is retried when there is room, unless the error is permanent. */
function retryOrFail(runs: ActiveRuns, active: ActiveRun, obstacle: Error): void {
  const { engine } = runs
  const { id } = active
  // Before anything is written: if that fails, the handoff begins again, and the obstacle may be gone.
  runs.forget(active)
  runs.block(id)
  if (isPermanent(obstacle)) {
    engine.stage({ t: 'dead', id, at: engine.at, why: obstacle.message })
    engine.flush()
  } else {
    runs.wait(id, 1000)
    if (isDiskFull(obstacle)) throw obstacle
  }
  runs.unblock(id)
}

/** System errors may be temporary; any other would recur. */
function isPermanent(error: Error): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return !isDiskFull(error) && (!/^E[A-Z0-9]+$/.test(code) || code === 'E2BIG')
}

/** The kernel answers without a program: its files are up to date. */
function answerAsKernel({ engine, around }: ActiveRuns, handoff: Handoff): void {
  const { at } = engine
  const { id, attempt } = handoff
  const process = thisProcess()
  const files = around.tree().filter(({ type }) => type === 'file').length
  const answer = `structure.json is up to date: ${files} files.`
  engine.stage(
    { t: 'claimed', id, attempt, run: runName(handoff), at, ...process },
    { t: 'started', id, attempt, at, ...process },
  )
  stageAnswer(engine, handoff, answer)
  engine.stage({ t: 'completed', id, attempt, at, ms: 0, answer, turns: 0 })
  engine.flush()
}
