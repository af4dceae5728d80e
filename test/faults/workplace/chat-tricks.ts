/** What people and their tools do to chat.md and to what it was: rotate, copy, cut, rename, edit, scribble. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ChatCursor } from '../../../src/team/state/records.ts'
import { count, keepTwoRunning, pause, type Scene, stateOf } from './scene.ts'

/** The file gets another name, with whatever nobody has read yet; the next writer begins a new one. */
export function rotate(scene: Scene): void {
  const { places } = scene
  if (!existsSync(places.chat)) return
  renameSync(places.chat, newArchive(scene))
  writeFileSync(places.chat, '', { flag: 'a' })
  count(scene, 'rotations of chat.md')
}

/**
 * Cut to nothing when all of it was read; what nobody has read nobody can bring back. A file of one or two messages that are
 * all different afterwards may have been edited: those are held.
 */
export async function cutShort(scene: Scene): Promise<void> {
  const { places } = scene
  await whenRead(scene, 3, ({ offset }, size) => {
    if (offset !== size) return false
    keepForPerson(scene)
    truncateSync(places.chat, 0)
    count(scene, 'truncations of chat.md')
    return true
  })
}

/** As logrotate does it: a copy with all of it, then nothing is left, wherever those are who read. */
export async function copyAndCut(scene: Scene): Promise<void> {
  const { places } = scene
  await whenRead(scene, 3, () => {
    copyFileSync(places.chat, newArchive(scene))
    truncateSync(places.chat, 0)
    count(scene, 'copies of chat.md that was then cut')
    return true
  })
}

/** Away for a moment, and back, unless there is another one by then. */
export async function renameForAMoment(scene: Scene): Promise<void> {
  const { places } = scene
  if (!existsSync(places.chat)) return
  const other = newArchive(scene)
  renameSync(places.chat, other)
  await pause(scene.chance.below(300))
  if (!existsSync(places.chat)) renameSync(other, places.chat)
  count(scene, 'renames of chat.md for a moment')
}

export function renameArchive(scene: Scene): void {
  const { places, chance } = scene
  const archives = archivesOf(scene)
  if (archives.length === 0) return
  const path = chance.pick(archives)
  const memory = join(places.folder, 'memory')
  mkdirSync(memory, { recursive: true })
  const other = join(chance.pick([places.folder, memory]), `chat-${chance.below(1e6)}-${basename(path)}`)
  renameSync(path, other.slice(0, dirname(other).length + 100))
  count(scene, 'renames of what was chat.md')
}

/** One character of a line that was read is another one, or there is one more; in place, or as editors save. */
export async function editOneCharacter(scene: Scene): Promise<void> {
  const { places, chance } = scene
  await whenRead(scene, 12, ({ offset }) => {
    const bytes = readFileSync(places.chat)
    const starts = [...bytes.toString('latin1', 0, offset).matchAll(/^\[.*: /gm)].map(
      ({ index, 0: head }) => index + head.length,
    )
    // Whoever changes the last line that was read makes it hard to say what is new: then all of it is held.
    const at = chance.pick(starts.slice(-14, -6))
    if (at === undefined) return false
    keepForPerson(scene)
    if (chance.next() < 0.5) {
      bytes[at] = 0x54
      writeFileSync(places.chat, bytes, { flag: 'r+' })
    } else {
      const draft = join(places.folder, '.saved')
      writeFileSync(draft, Buffer.concat([bytes.subarray(0, at), Buffer.from('x'), bytes.subarray(at)]))
      renameSync(draft, places.chat)
    }
    count(scene, 'edits of one character in what was read')
    return true
  })
}

/** Lines that are none, and lines that pretend. */
export function noise(scene: Scene): void {
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

/** Outside of the workplace: among what was read there may be lines that the person was told of and has not sent yet. */
function keepForPerson({ places, ledger }: Scene): void {
  copyFileSync(places.chat, join(ledger, `kept-${readdirSync(ledger).length}.md`))
}

/** What is kept for the person. */
export function keptOf({ ledger }: Scene): string[] {
  return readdirSync(ledger)
    .filter((name) => name.startsWith('kept-'))
    .map((name) => join(ledger, name))
}

/** Files that were chat.md, the longest first. */
export function archivesOf({ places }: Scene): string[] {
  return [places.folder, join(places.folder, 'memory')]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []))
    .filter((path) => /^chat.+\.md$/.test(basename(path)))
    .sort((one, other) => statSync(other).size - statSync(one).size)
}

function newArchive(scene: Scene): string {
  return join(scene.places.folder, `chat.${archivesOf(scene).length}.md`)
}

/** When so many messages of chat.md were read; `act` says whether it could. */
async function whenRead(
  scene: Scene,
  least: number,
  act: (cursor: ChatCursor, size: number) => boolean,
): Promise<void> {
  const { places } = scene
  for (let tries = 0; tries < 60; tries++) {
    keepTwoRunning(scene)
    const { cursor } = stateOf(places)
    const stat = statSync(places.chat, { throwIfNoEntry: false })
    const isHere = cursor !== null && stat !== undefined && cursor.inode === stat.ino && cursor.offset <= stat.size
    if (isHere && cursor.offset > 0 && cursor.memory.lines >= least && act(cursor, stat.size)) return
    await pause(20)
  }
}
