/** A question to the person, through the workplace; whoever does not answer in time has said no. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { drop } from '../runtime/inbox.ts'
import { JournalReader } from '../runtime/journal-reader.ts'
import type { Places } from '../runtime/places.ts'

export interface Question {
  readonly agent: string
  readonly run: string
  readonly text: string
  /** Milliseconds. */
  readonly patience: number
}

/** How often the journal is looked at (ms). */
const GLANCE = 100

export async function askPerson(places: Places, { agent, run, text, patience }: Question): Promise<boolean> {
  const id = `q${randomBytes(4).toString('hex')}`
  const reader = new JournalReader(places.journal)
  drop(places, { kind: 'question', id, run, agent, text, until: Date.now() + patience })
  const end = performance.now() + patience
  while (performance.now() < end) {
    const answer = reader.more().find((record) => record.t === 'answered' && record.id === id)
    if (answer?.t === 'answered') return answer.yes
    await pause(GLANCE)
  }
  drop(places, { kind: 'answer', question: id, yes: false, by: 'nobody' })
  return false
}
