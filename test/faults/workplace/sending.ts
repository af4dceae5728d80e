/** Messages on their way into a workplace: through the chat, whole or in halves, or through the inbox. */
import { appendFileSync, closeSync, openSync, writeSync } from 'node:fs'
import { putInInbox } from '../../../src/team/engine/inbox.ts'
import { count, type Scene } from './scene.ts'
import { members } from './stage.ts'

export type Way = 'chat' | 'inbox'

/** Says whether it was taken; what was not taken was not sent. */
export function send(scene: Scene, way: Way = scene.chance.next() < 0.4 ? 'inbox' : 'chat'): boolean {
  const { chance, sent } = scene
  const number = sent.length
  const to = chance.pick(members)
  const trouble = ['fail', 'die', 'hang', 'flood', 'hopeless', 'escape', 'vanish']
  const end = chance.next() < 0.8 ? 'fine' : chance.pick(trouble)
  const next = chance.next() < 0.2 ? ` next=${chance.pick(members.filter((one) => one !== to))}:${number}b` : ''
  const after = chance.next() < 0.3 ? ' after=0.1' : ''
  const text = `task ${number} sleep=${chance.pick(['0', '0', '0.02', '0.1'])} end=${end}${next}${after}`
  const isTaken = way === 'inbox' ? sendByInbox(scene, to, text) : sendByChat(scene, to, text)
  if (!isTaken) return false
  sent.push(text)
  if (next !== '') sent.push(`task ${number}b sleep=0 end=fine`)
  return true
}

/** A task of one's own. */
export function sendTask(scene: Scene, to: string, words: string): string {
  const text = `task ${scene.sent.length}x ${words}`
  scene.sent.push(text)
  appendFileSync(scene.places.chat, `[user-to-${to}]: ${text}\n`)
  return text
}

function sendByInbox({ places }: Scene, to: string, text: string): boolean {
  try {
    putInInbox(places, { kind: 'message', from: 'user', to, observers: [], text, run: null, worktree: false })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    return false
  }
}

/** Some in two halves: half a line now, the rest in a moment, whatever others write in between. */
function sendByChat(scene: Scene, to: string, text: string): boolean {
  const { chance, places } = scene
  const observers = chance.next() < 0.1 ? ' @ [developer]' : ''
  const line = `[user-to-${to}]${observers}: ${text}\n`
  if (chance.next() >= 0.15) return append(places.chat, line) === line.length
  const half = 1 + chance.below(line.length - 1)
  appendFileSync(places.chat, line.slice(0, half))
  for (const end = performance.now() + chance.below(12); performance.now() < end; );
  appendFileSync(places.chat, line.slice(half))
  count(scene, 'lines written in two halves')
  return true
}

/** Gives the number of bytes for which there was room. */
export function append(path: string, text: string): number {
  const bytes = Buffer.from(text)
  const file = openSync(path, 'a')
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(file, bytes, written)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  return written
}
