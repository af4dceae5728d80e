/**
 * The log that members keep outside of the workplace: when each began its work, when it had done it, and what it was asked
 * to do. The account of a play is made from it, so that it does not rest on what the workplace says about itself.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readQuietly } from './scene.ts'

export interface Start {
  readonly run: string
  readonly text: string
}

export interface Ledger {
  readonly starts: readonly Start[]
  /** Runs that had done their work, whatever became of them then. */
  readonly ended: ReadonlySet<string>
}

export function readLedger(folder: string): Ledger {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .flatMap((name) => readQuietly(join(folder, name)).split('\n'))
  const found = (word: string) => lines.filter((line) => line.startsWith(`${word} `))
  return {
    starts: found('start').map((line) => {
      const [, run = '', text = ''] = /^start (\S+) (.*)$/.exec(line) ?? []
      return { run, text }
    }),
    ended: new Set(found('end').map((line) => line.slice('end '.length))),
  }
}

/** What one message came to, as members have seen it. */
export interface Deed {
  /** More than one: the message was taken for a new one, later. */
  readonly handoffs: ReadonlySet<string>
  readonly attempts: readonly number[]
}

/** By the text of the message. */
export function deedsIn({ starts }: Ledger): Map<string, Deed> {
  const deeds = new Map<string, { handoffs: Set<string>; attempts: number[] }>()
  for (const { run, text } of starts) {
    const [handoff = '', attempt = '0'] = run.split('.')
    const deed = deeds.get(text) ?? { handoffs: new Set(), attempts: [] }
    deed.handoffs.add(handoff)
    deed.attempts.push(Number(attempt))
    deeds.set(text, deed)
  }
  return deeds
}
