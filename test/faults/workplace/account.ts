/** What became of each handoff, and of everything else: the figures of a play. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readJournal } from '../../../src/runtime/journal-file.ts'
import type { Places } from '../../../src/runtime/places.ts'
import { fold, type State } from '../../../src/workplace/state.ts'
import { processesIn, readQuietly, type Scene } from './scene.ts'

export interface Figures {
  readonly seed: number
  readonly seconds: number
  readonly handoffs: number
  readonly completed: number
  readonly dead: number
  /** Reasons of dead letters, and how many have each. */
  readonly reasons: Readonly<Record<string, number>>
  readonly lost: readonly string[]
  /** More than one handoff for one message. */
  readonly doubled: readonly string[]
  /** Handoffs with more than one completion in the journal. */
  readonly completedTwice: readonly string[]
  readonly undecided: readonly string[]
  /** Attempts whose program was started more than once. */
  readonly startedTwice: readonly string[]
  readonly programs: number
  readonly retries: number
  readonly refused: number
  readonly orphans: readonly string[]
  readonly leftovers: readonly string[]
  readonly broken: readonly string[]
  readonly faults: Readonly<Record<string, number>>
}

export function account(scene: Scene, seed: number, seconds: number): Figures {
  const { places, sent, faults } = scene
  const { records } = readJournal(places.journal)
  const state = fold(records)
  const handoffs = [...state.handoffs.values()]
  const texts = handoffs.map(({ text }) => text)
  const completions = new Map<string, number>()
  for (const record of records)
    if (record.t === 'completed') completions.set(record.id, (completions.get(record.id) ?? 0) + 1)
  const dead = handoffs.filter(({ status }) => status === 'dead')
  const marks = readdirSync(join(places.root, 'marks')).map((name) => name.replace(/\.\d+$/, ''))
  const reasons: Record<string, number> = {}
  for (const { why } of dead) {
    const reason = (why ?? '').replace(/"[^"]*"/g, '"..."')
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  return {
    seed,
    seconds: Math.round(seconds),
    handoffs: handoffs.length,
    completed: handoffs.filter(({ status }) => status === 'completed').length,
    dead: dead.length,
    reasons,
    lost: sent.filter((text) => !texts.includes(text) && !isExcused(text, sent, handoffs)),
    doubled: texts.filter((text, index) => text.startsWith('task') && texts.indexOf(text) !== index),
    completedTwice: [...completions].filter(([, times]) => times > 1).map(([id]) => id),
    undecided: handoffs
      .filter(({ status, why }) => status !== 'completed' && !(status === 'dead' && why))
      .map(({ text }) => text),
    startedTwice: marks.filter((mark, index) => marks.indexOf(mark) !== index),
    programs: marks.length,
    retries: records.filter(({ t }) => t === 'failed').length,
    refused: state.refused,
    orphans: processesIn(places.root),
    leftovers: leftoversIn(places, state),
    broken: readQuietly(join(places.root, 'orchestrator.out'))
      .split('\n')
      .filter((line) => /should not have happened|Error/.test(line)),
    faults,
  }
}

/** What a member was to send when it could not do its work was never sent. */
function isExcused(
  text: string,
  sent: readonly string[],
  handoffs: readonly { text: string; status: string }[],
): boolean {
  const number = /^task (\d+)b /.exec(text)?.[1]
  if (number === undefined) return false
  const parent = sent.find((one) => one.startsWith(`task ${number} `))
  return handoffs.find((one) => one.text === parent)?.status === 'dead'
}

/** Only what was kept of dead letters may be left. */
function leftoversIn({ claims, runs, inbox, folder, run }: Places, { handoffs }: State): string[] {
  const kept = readdirSync(runs).filter((name) => handoffs.get(name.split('.')[0] ?? '')?.status !== 'dead')
  const drafts = [...readdirSync(folder), ...readdirSync(run)].filter((name) => /draft|^lock|owner/.test(name))
  return [...readdirSync(claims), ...kept, ...readdirSync(inbox), ...drafts]
}
