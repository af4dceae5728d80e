/** The person, who is told of lines that may be old and were not run, and sends those of them again that are new. */
import { existsSync, readFileSync } from 'node:fs'
import { putInInbox } from '../../../src/team/engine/inbox.ts'
import { readWholeJournal } from '../../../src/team/engine/journal-reader.ts'
import { archivesOf, keptOf } from './chat-tricks.ts'
import { deedsIn, readLedger } from './ledger.ts'
import { count, type Scene } from './scene.ts'

/** Says whether there were any. A line that nobody was told of is not sent: it is lost. */
export function sendHeld(scene: Scene): boolean {
  const { places, sent, ledger } = scene
  const done = deedsIn(readLedger(ledger))
  const ranges = [...readWholeJournal(places.journal)].flatMap((record) =>
    record.t === 'held' ? rangesIn(record.lines) : [],
  )
  const isTold = (number: number) => ranges.some(([first, last]) => first <= number && number <= last)
  let isAny = false
  for (const { number, to, text } of linesOf(scene)) {
    if (!sent.includes(text) || done.has(text) || !isTold(number)) continue
    done.set(text, { handoffs: new Set(), attempts: [] })
    putInInbox(places, { kind: 'message', from: 'user', to, observers: [], text, run: null, worktree: false })
    count(scene, HELD)
    isAny = true
  }
  return isAny
}

export const HELD = 'new lines held among changed ones, shown to the person and sent by hand'

/** Whatever a file is called by now, its lines have the numbers that they had. */
function linesOf(scene: Scene): { readonly number: number; readonly to: string; readonly text: string }[] {
  return [scene.places.chat, ...archivesOf(scene), ...keptOf(scene)].filter(existsSync).flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const [, to, text] = /^\[user-to-([a-z-]+)\](?: @ \[developer\])?: (.*)$/.exec(line) ?? []
        return to === undefined || text === undefined ? [] : [{ number: index + 1, to, text }]
      }),
  )
}

/** `3,64-71` */
function rangesIn(lines: string): [number, number][] {
  return lines.split(',').map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return [first, last]
  })
}
