/** kill -9 and SIGSTOP of members in each phase of their work, and of orchestrators. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readClaim } from '../../../src/team/engine/wrapper.ts'
import { readLedger } from './ledger.ts'
import { count, keepTwoRunning, killBoth, pause, readQuietly, type Scene, stateOf } from './scene.ts'
import { sendTask } from './sending.ts'
import { members } from './stage.ts'

const phases = ['before its work', 'at work', 'after its work'] as const
type Phase = (typeof phases)[number]

/** The wrapper, the program or the whole group, in the phase that chance wants, as far as one can be found in it. */
export async function killMember(scene: Scene): Promise<void> {
  const wanted = scene.chance.pick(phases)
  if (!(await killOneIn(scene, [wanted], 50))) await killOneIn(scene, phases, 10)
}

async function killOneIn(scene: Scene, wanted: readonly Phase[], looks: number): Promise<boolean> {
  const met = await meet(scene, wanted, looks)
  if (met === null) return false
  if (signal(met.target, 'SIGKILL')) count(scene, `kill -9 of a member ${met.phase}`)
  return true
}

/** Looks that many times for one in such a phase: its wrapper, its program or its group. */
async function meet(
  scene: Scene,
  wanted: readonly Phase[],
  looks: number,
): Promise<{ readonly target: number; readonly phase: Phase } | null> {
  const { places } = scene
  const who = scene.chance.below(3)
  for (let look = 0; look < looks; look++) {
    for (const run of readdirSync(places.claims)) {
      const { claimed, started, ended } = readClaim(readQuietly(join(places.claims, run)), run)
      const target = [claimed?.pid, started?.pid, claimed === null ? undefined : -claimed.pid][who]
      if (target === undefined || ended !== null) continue
      const phase = phaseOf(scene, run)
      if (wanted.includes(phase)) return { target, phase }
    }
    await pause(2)
  }
  return null
}

/** For a while, or for good: then its time limit is its end. */
export async function stopMember(scene: Scene): Promise<void> {
  const met = await meet(scene, ['before its work', 'at work'], 50)
  if (met === null || !signal(met.target, 'SIGSTOP')) return
  const isForGood = scene.chance.next() < 0.3
  count(scene, isForGood ? 'SIGSTOP of a member, for good' : 'SIGSTOP of a member')
  if (!isForGood) goOnAfter(scene, met.target, scene.chance.below(1500))
}

export function stopOrchestrator(scene: Scene): void {
  const { pid } = scene.chance.pick(scene.orchestrators) ?? {}
  if (pid === undefined || !signal(pid, 'SIGSTOP')) return
  count(scene, 'SIGSTOP of an orchestrator')
  goOnAfter(scene, pid, 100 + scene.chance.below(1400))
}

function goOnAfter({ stopped }: Scene, target: number, ms: number): void {
  stopped.push(pause(ms).then(() => void signal(target, 'SIGCONT')))
}

/** False: it was faster. */
function signal(target: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(target, name)
  } catch {
    return false
  }
}

export async function killOrchestrator(scene: Scene): Promise<void> {
  await pause(scene.chance.below(150))
  const child = scene.chance.pick(scene.orchestrators)
  if (child?.kill('SIGKILL')) count(scene, 'kill -9 of an orchestrator')
}

/** A member hangs, and no orchestrator lives as long as its time limit: it must be ended all the same. */
export async function killAllTheTime(scene: Scene): Promise<void> {
  const text = sendTask(scene, scene.chance.pick(members), 'sleep=0 end=hang')
  for (let round = 0; round < 40; round++) {
    keepTwoRunning(scene)
    await pause(800 + scene.chance.below(800))
    killBoth(scene)
    const { starts } = readLedger(scene.ledger)
    const first = starts.find((one) => one.text === text)
    const handoff = stateOf(scene.places).handoffs.get(first?.run.split('.')[0] ?? '')
    if (handoff === undefined || (handoff.attempt === 1 && handoff.status !== 'dead')) continue
    count(scene, 'orchestrators killed every second for longer than a time limit')
    return
  }
}

/** Where chance has met nobody in some phase, it is helped. */
export async function killInEveryPhase(scene: Scene, isMissing: (fault: string) => boolean): Promise<void> {
  for (const phase of phases) {
    while (isMissing(`kill -9 of a member ${phase}`)) {
      keepTwoRunning(scene)
      for (const member of members) sendForPhase(scene, member, phase)
      await killOneIn(scene, [phase], 1000)
    }
  }
}

/** Work that stays where it is to be met, for nearly as long as a member may take. */
function sendForPhase(scene: Scene, member: string, phase: Phase): void {
  sendTask(scene, member, `sleep=${phase === 'at work' ? 2 : 0} end=fine after=${phase === 'after its work' ? 2 : 0}`)
}

function phaseOf({ ledger }: Scene, run: string): Phase {
  const { starts, ended } = readLedger(ledger)
  if (ended.has(run)) return 'after its work'
  return starts.some((one) => one.run === run) ? 'at work' : 'before its work'
}
