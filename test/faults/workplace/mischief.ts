/** Everything that can go wrong around the work, as chance has it; and what chance has left out. */
import { writeFileSync } from 'node:fs'
import { putInInbox } from '../../../src/team/engine/inbox.ts'
import { journalFiles } from '../../../src/team/engine/journal-reader.ts'
import {
  copyAndCut,
  cutShort,
  editOneCharacter,
  noise,
  renameArchive,
  renameForAMoment,
  rotate,
} from './chat-tricks.ts'
import { fillDisk, fullFault, limitFiles } from './disks.ts'
import {
  killAllTheTime,
  killInEveryPhase,
  killMember,
  killOrchestrator,
  stopMember,
  stopOrchestrator,
} from './kills.ts'
import { readLedger } from './ledger.ts'
import { canLeaveNetwork, count, keepTwoRunning, killBoth, pause, type Scene, stateOf } from './scene.ts'
import { send, sendTask } from './sending.ts'
import { kinds, members } from './stage.ts'

interface Trick {
  readonly weight: number
  /** What is counted when it has worked; null: that depends. */
  readonly fault: string | null
  readonly play: (scene: Scene) => void | Promise<void>
}

const tricks: readonly Trick[] = [
  { weight: 20, fault: 'kill -9 of an orchestrator', play: killOrchestrator },
  { weight: 26, fault: null, play: killMember },
  { weight: 6, fault: 'SIGSTOP of an orchestrator', play: stopOrchestrator },
  { weight: 6, fault: 'SIGSTOP of a member', play: stopMember },
  { weight: 2, fault: 'SIGSTOP of a member, for good', play: stopMember },
  { weight: 6, fault: 'rotations of chat.md', play: rotate },
  { weight: 4, fault: 'truncations of chat.md', play: cutShort },
  { weight: 4, fault: 'copies of chat.md that was then cut', play: copyAndCut },
  { weight: 4, fault: 'renames of chat.md for a moment', play: renameForAMoment },
  { weight: 5, fault: 'renames of what was chat.md', play: renameArchive },
  { weight: 5, fault: 'edits of one character in what was read', play: editOneCharacter },
  { weight: 4, fault: 'lines of rubbish', play: noise },
  { weight: 7, fault: 'jumps of the clock', play: turnClock },
  { weight: 3, fault: 'results that came too late', play: lateResult },
  { weight: 2, fault: 'kill -9 of an orchestrator', play: killBoth },
  { weight: 1, fault: 'orchestrators under ulimit -f', play: limitFiles },
  { weight: 1, fault: 'compactions of the journal', play: makeLong },
  { weight: 0.5, fault: 'orchestrators killed every second for longer than a time limit', play: killAllTheTime },
]

const fullDisks: readonly Trick[] = kinds.map((kind) => ({
  weight: 1,
  fault: fullFault(kind),
  play: (scene) => fillDisk(scene, kind),
}))

const tricksFor = ({ hasDisks }: Scene) => (hasDisks ? [...tricks, ...fullDisks] : tricks)

/** Everything that must have been done, as far as this machine can do it. */
export const wantedFaults = (hasDisks: boolean): string[] => [
  'lines written in two halves',
  ...(canLeaveNetwork ? ['orchestrators started in another network'] : []),
  ...['before its work', 'at work', 'after its work'].map((phase) => `kill -9 of a member ${phase}`),
  ...[...tricks, ...(hasDisks ? fullDisks : [])].flatMap(({ fault }) => fault ?? []),
]

export async function mischief(scene: Scene): Promise<void> {
  const all = tricksFor(scene)
  let at = scene.chance.next() * all.reduce((sum, { weight }) => sum + weight, 0)
  for (const { weight, play } of all) {
    at -= weight
    if (at < 0) {
      await play(scene)
      return
    }
  }
}

/** How long faults are waited for that chance has left out (ms). */
const PATIENCE = 180_000

/** A run that leaves a fault out proves nothing about it: what chance has not brought about is done until it has happened. */
export async function makeUp(scene: Scene): Promise<void> {
  const limit = performance.now() + PATIENCE
  const isMissing = (fault: string) => scene.faults[fault] === undefined && performance.now() < limit
  await killInEveryPhase(scene, isMissing)
  for (const { fault, play } of tricksFor(scene)) {
    while (fault !== null && isMissing(fault)) {
      keepTwoRunning(scene)
      for (let sent = 0; sent < 6; sent++) send(scene)
      await play(scene)
      await pause(20)
    }
  }
}

function turnClock(scene: Scene): void {
  const day = 86_400_000
  writeFileSync(scene.clock, String(scene.chance.pick([-400 * day, -day, -3600_000, 0, 3600_000, day, 4000 * day])))
  count(scene, 'jumps of the clock')
}

/** A run that was given up long ago comes back with a result. */
function lateResult(scene: Scene): void {
  const { handoffs } = stateOf(scene.places)
  const over = [...handoffs.values()].filter(({ status }) => status === 'completed' || status === 'dead')
  if (over.length === 0) return
  const { id } = scene.chance.pick(over)
  putInInbox(scene.places, {
    kind: 'report',
    run: `${id}.1`,
    status: 'completed',
    text: 'I have it, at last',
    files: [],
  })
  count(scene, 'results that came too late')
}

/** A member that tells of its progress at length makes the journal go on in a new file, while others work and are killed. */
async function makeLong(scene: Scene): Promise<void> {
  const { places, chance } = scene
  const files = journalFiles(places.journal).length
  const text = sendTask(scene, chance.pick(members), 'sleep=2 end=fine')
  const start = () => readLedger(scene.ledger).starts.find((one) => one.text === text)
  for (let tries = 0; start() === undefined && tries < 100; tries++) {
    keepTwoRunning(scene)
    await pause(20)
  }
  const { run } = start() ?? {}
  if (run === undefined) return
  const progress = { kind: 'report', run, status: 'progress', text: 'and on '.repeat(8000), files: [] } as const
  for (let reports = 0; reports < 44; reports++) putInInbox(places, progress)
  await pause(chance.below(40))
  if (chance.next() < 0.7) killBoth(scene)
  for (let tries = 0; tries < 100 && journalFiles(places.journal).length === files; tries++) {
    keepTwoRunning(scene)
    await pause(20)
  }
  if (journalFiles(places.journal).length > files) count(scene, 'compactions of the journal')
}
