/** Everything that can go wrong around the work, as chance has it; and what chance has left out. */
import { appendFileSync, existsSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drop } from '../../../src/runtime/inbox.ts'
import { killInEveryPhase, killMember } from './kills.ts'
import { count, keepTwoRunning, pause, type Scene, stateOf } from './scene.ts'

/** How long faults are waited for that chance has left out (ms); the whole play takes less than a minute. */
const PATIENCE = 90_000

interface Trick {
  readonly weight: number
  /** What is counted when it has worked; null: that depends. */
  readonly fault: string | null
  readonly play: (scene: Scene) => void | Promise<void>
}

const tricksFor = (isSmall: boolean): readonly Trick[] => [
  { weight: 22, fault: 'kill -9 of an orchestrator', play: killOrchestrator },
  { weight: 30, fault: null, play: killMember },
  { weight: 8, fault: 'rotations of chat.md', play: rotate },
  { weight: 6, fault: 'truncations of chat.md', play: cutShort },
  { weight: 8, fault: 'jumps of the clock', play: turnClock },
  { weight: 4, fault: 'lines of rubbish', play: noise },
  { weight: 3, fault: 'results that came too late', play: lateResult },
  { weight: 2, fault: 'kill -9 of an orchestrator', play: bothOrchestrators },
  ...(isSmall ? [{ weight: 4, fault: 'times the disk was full', play: fillDisk }] : []),
]

export async function mischief(scene: Scene, isSmall: boolean): Promise<void> {
  const tricks = tricksFor(isSmall)
  const all = tricks.reduce((sum, { weight }) => sum + weight, 0)
  let at = scene.chance.next() * all
  for (const { weight, play } of tricks) {
    at -= weight
    if (at < 0) {
      await play(scene)
      return
    }
  }
}

/** A run that leaves a fault out proves nothing about it: what chance has not brought about is done until it has happened. */
export async function makeUp(scene: Scene, isSmall: boolean): Promise<void> {
  const limit = performance.now() + PATIENCE
  const isMissing = (fault: string) => scene.faults[fault] === undefined && performance.now() < limit
  await killInEveryPhase(scene, isMissing)
  for (const { fault, play } of tricksFor(isSmall)) {
    while (fault !== null && isMissing(fault)) {
      keepTwoRunning(scene)
      await play(scene)
      await pause(20)
    }
  }
}

async function killOrchestrator(scene: Scene): Promise<void> {
  await pause(scene.chance.below(150))
  const child = scene.chance.pick(scene.orchestrators)
  if (child?.kill('SIGKILL')) count(scene, 'kill -9 of an orchestrator')
}

function bothOrchestrators(scene: Scene): void {
  for (const child of scene.orchestrators) if (child?.kill('SIGKILL')) count(scene, 'kill -9 of an orchestrator')
}

/** The file gets another name, with whatever nobody has read yet; the next writer begins a new one. */
function rotate(scene: Scene): void {
  const { places } = scene
  if (!existsSync(places.chat)) return
  renameSync(places.chat, join(places.folder, `chat.${scene.faults['rotations of chat.md'] ?? 0}.md`))
  writeFileSync(places.chat, '', { flag: 'a' })
  count(scene, 'rotations of chat.md')
}

/** Cut to nothing when all of it was read; what nobody has read nobody can bring back. */
async function cutShort(scene: Scene): Promise<void> {
  const { places } = scene
  for (let tries = 0; tries < 60; tries++) {
    keepTwoRunning(scene)
    const { cursor } = stateOf(places)
    const stat = statSync(places.chat, { throwIfNoEntry: false })
    if (
      cursor !== null &&
      stat !== undefined &&
      cursor.inode === stat.ino &&
      cursor.offset === stat.size &&
      stat.size > 0
    ) {
      truncateSync(places.chat, 0)
      count(scene, 'truncations of chat.md')
      return
    }
    await pause(20)
  }
}

function turnClock(scene: Scene): void {
  const day = 86_400_000
  writeFileSync(scene.clock, String(scene.chance.pick([-400 * day, -day, -3600_000, 0, 3600_000, day, 4000 * day])))
  count(scene, 'jumps of the clock')
}

/** Lines that are none, and lines that pretend. */
function noise(scene: Scene): void {
  const lines = [
    '[user-to-ada task',
    '[ada-to-ben-to-path-to-prod]: x',
    '\u001b[2J\u0000\u0007',
    '# a title',
    '[user-to-nobody]: are you there?',
  ]
  appendFileSync(scene.places.chat, `${scene.chance.pick(lines)}\n`)
  count(scene, 'lines of rubbish')
}

/** A run that was given up long ago comes back with a result. */
function lateResult(scene: Scene): void {
  const { handoffs } = stateOf(scene.places)
  const over = [...handoffs.values()].filter(({ status }) => status === 'completed' || status === 'dead')
  if (over.length === 0) return
  const { id } = scene.chance.pick(over)
  drop(scene.places, { kind: 'report', run: `${id}.1`, status: 'completed', text: 'I have it, at last', files: [] })
  count(scene, 'results that came too late')
}

/** Not a byte is free for a while. */
async function fillDisk(scene: Scene): Promise<void> {
  const filler = join(scene.places.root, 'filler')
  try {
    for (const size of [1 << 20, 1 << 14, 1 << 9]) {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(size))
      } catch {
        // Full, but for what is smaller than that.
      }
    }
    count(scene, 'times the disk was full')
    await pause(600 + scene.chance.below(600))
    if (scene.chance.next() < 0.5) await killOrchestrator(scene)
  } finally {
    rmSync(filler, { force: true })
  }
}
