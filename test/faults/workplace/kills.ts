/** kill -9 of members, in each phase of their work. */
import { appendFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '../../../src/runtime/places.ts'
import { readClaim } from '../../../src/runtime/wrapper.ts'
import { count, keepTwoRunning, pause, readQuietly, type Scene } from './scene.ts'
import { members } from './stage.ts'

const phases = ['before its work', 'at work', 'after its work'] as const
type Phase = (typeof phases)[number]

/** The wrapper, the program or the whole group, in the phase that chance wants, as far as one can be found in it. */
export async function killMember(scene: Scene): Promise<void> {
  const wanted = scene.chance.pick(phases)
  const who = scene.chance.below(3)
  if (!(await killOneIn(scene, [wanted], who, 50))) await killOneIn(scene, phases, who, 10)
}

/** Looks that many times, and says whether it has found one; `who`: its wrapper, its program, its group. */
async function killOneIn(scene: Scene, wanted: readonly Phase[], who: number, looks: number): Promise<boolean> {
  const { places } = scene
  for (let look = 0; look < looks; look++) {
    for (const run of readdirSync(places.claims)) {
      const { claimed, started, ended } = readClaim(readQuietly(join(places.claims, run)), run)
      const target = [claimed?.pid, started?.pid, claimed === null ? undefined : -claimed.pid][who]
      if (target === undefined || ended !== null) continue
      const phase = phaseOf(places, run)
      if (!wanted.includes(phase)) continue
      try {
        process.kill(target, 'SIGKILL')
        count(scene, `kill -9 of a member ${phase}`)
      } catch {
        // It was faster.
      }
      return true
    }
    await pause(2)
  }
  return false
}

/** Where chance has met nobody in some phase, it is helped. */
export async function killInEveryPhase(scene: Scene, isMissing: (fault: string) => boolean): Promise<void> {
  for (const phase of phases) {
    while (isMissing(`kill -9 of a member ${phase}`)) {
      keepTwoRunning(scene)
      for (const member of members) sendForPhase(scene, member, phase)
      await killOneIn(scene, [phase], scene.chance.below(3), 1000)
    }
  }
}

/** Work that stays where it is to be met, for nearly as long as a member may take. */
function sendForPhase({ places, sent }: Scene, member: string, phase: Phase): void {
  const text = `task ${sent.length}x sleep=${phase === 'at work' ? 2 : 0} end=fine after=${phase === 'after its work' ? 2 : 0}`
  sent.push(text)
  appendFileSync(places.chat, `[user-to-${member}]: ${text}\n`)
}

function phaseOf({ root }: Places, run: string): Phase {
  if (existsSync(join(root, 'done', run))) return 'after its work'
  return readdirSync(join(root, 'marks')).some((mark) => mark.startsWith(`${run}.`)) ? 'at work' : 'before its work'
}
