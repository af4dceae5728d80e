/** Disks that are full, one kind of write at a time, and files that may not grow. */
import { appendFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lastJournalFile } from '../../../src/team/engine/journal-reader.ts'
import { count, keepTwoRunning, killBoth, pause, type Scene, startOrchestrator } from './scene.ts'
import { append, send } from './sending.ts'
import { diskOf, type Kind, members } from './stage.ts'

export const fullFault = (kind: Kind) => `times the disk of the ${kind} was full`

/** Not a byte is free for a while, and there is work meanwhile; some of it comes in where there is still room. */
export async function fillDisk(scene: Scene, kind: Kind): Promise<void> {
  const { places, chance } = scene
  const filler = join(diskOf(places, kind), '.filler')
  keepTwoRunning(scene)
  for (let sent = 0; sent < 4; sent++) send(scene)
  let rest: (() => void) | null = null
  try {
    let isRefused = false
    for (let sent = 0; sent < 4; sent++) {
      // What others have removed meanwhile has made room.
      fill(filler)
      if (kind === 'inbox' && !send(scene, 'inbox')) isRefused = true
      if (kind !== 'chat') send(scene, kind === 'inbox' ? 'chat' : undefined)
      else if (rest === null) rest = sendWhatFits(scene)
      await pause(100 + chance.below(200))
    }
    if (kind !== 'inbox' || isRefused) count(scene, fullFault(kind))
    if (chance.next() < 0.5) killBoth(scene)
    keepTwoRunning(scene)
    await pause(chance.below(400))
  } finally {
    rmSync(filler, { force: true })
    rest?.()
  }
}

function fill(path: string): void {
  for (const size of [1 << 20, 1 << 14, 1 << 9]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size))
    } catch {
      // Full, but for what is smaller than that.
    }
  }
}

/** A writer who finds no room for all of a line, and ends it when there is. It is longer than what is left of a page. */
function sendWhatFits({ places, sent, chance }: Scene): () => void {
  const text = `task ${sent.length} sleep=0 end=fine ${'and so on '.repeat(500)}`.trim()
  sent.push(text)
  const line = `[user-to-${chance.pick(members)}]: ${text}\n`
  const written = append(places.chat, line)
  return () => appendFileSync(places.chat, line.slice(written))
}

/** One that may write no file longer than the journal is, or a little more: it ends in the middle of its work. */
export async function limitFiles(scene: Scene): Promise<void> {
  const { places, chance } = scene
  const size = statSync(lastJournalFile(places.journal).path, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  killBoth(scene)
  for (let sent = 0; sent < 6; sent++) send(scene)
  // No less than the files need that have nothing to do with it.
  const blocks = Math.ceil((Math.max(size, 128 * 1024) + chance.below(8192)) / 512)
  const child = startOrchestrator(scene, ['--stay'], { blocks })
  scene.orchestrators[0] = child
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  for (let sent = 0; sent < 6; sent++) send(scene)
  await Promise.race([ended, pause(1500)])
  child.kill('SIGKILL')
  await ended
  count(scene, 'orchestrators under ulimit -f')
}
