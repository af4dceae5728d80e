/** What became of each message, by the log outside of the workplace, and whether the journal says the same: the figures of a play. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readWholeJournal } from '../../../src/team/engine/journal-reader.ts'
import type { WorkplacePaths } from '../../../src/team/engine/paths.ts'
import type { Handoff } from '../../../src/team/state/handoff.ts'
import { foldRecords, type State } from '../../../src/team/state/state.ts'
import { deedsIn, readLedger } from './ledger.ts'
import { processesIn, readQuietly, type Scene } from './scene.ts'

export interface Figures {
  readonly seed: number
  readonly messages: number
  readonly seconds: number
  /** Messages that members say they have worked on. */
  readonly handoffs: number
  readonly completed: number
  readonly dead: number
  /** Reasons of dead letters, and how many have each. */
  readonly reasons: Readonly<Record<string, number>>
  readonly lost: readonly string[]
  /** Messages that were worked on in more than one handoff. */
  readonly doubled: readonly string[]
  /** What members were asked to do and nobody has sent. */
  readonly strange: readonly string[]
  /** Handoffs with more than one completion in the journal. */
  readonly completedTwice: readonly string[]
  /** Completions of runs that have not done their work. */
  readonly unearned: readonly string[]
  /** Handoffs that were begun once more after their completion. */
  readonly begunAgain: readonly string[]
  readonly undecided: readonly string[]
  /** Attempts whose program was started more than once. */
  readonly startedTwice: readonly string[]
  readonly programs: number
  /** Work that was done, and had to be done again, because its program was killed before anybody knew. */
  readonly repeated: number
  readonly retries: number
  readonly refused: number
  readonly orphans: readonly string[]
  readonly leftovers: readonly string[]
  readonly broken: readonly string[]
  readonly faults: Readonly<Record<string, number>>
  /** Lines of the chat that the person was told of and that were not run. */
  readonly held: readonly string[]
  readonly story: readonly string[]
}

export function account(scene: Scene, seed: number, messages: number, seconds: number): Figures {
  const { places, sent, faults, story } = scene
  const ledger = readLedger(scene.ledger)
  const deeds = deedsIn(ledger)
  const records = [...readWholeJournal(places.journal)]
  const state = foldRecords(records)
  const handoffs = [...state.handoffs.values()]
  const byText = new Map(handoffs.map((handoff) => [handoff.text, handoff]))
  const known = new Set(sent)
  const completions = records.flatMap((record) => (record.t === 'completed' ? [record] : []))
  const dead = handoffs.filter(({ status }) => status === 'dead')
  const runs = ledger.starts.map(({ run }) => run)
  return {
    seed,
    messages,
    seconds: Math.round(seconds),
    handoffs: deeds.size,
    completed: completions.length,
    dead: dead.length,
    reasons: reasonsOf(dead),
    lost: sent.filter((text) => !deeds.has(text) && !hasReason(byText.get(text)) && !isExcused(text, sent, byText)),
    doubled: [...deeds].filter(([, one]) => one.handoffs.size > 1).map(([text]) => text),
    strange: [...deeds.keys()].filter((text) => !known.has(text)),
    completedTwice: repetitions(completions.map(({ id }) => id)),
    unearned: completions.map(({ id, attempt }) => `${id}.${attempt}`).filter((run) => !ledger.ended.has(run)),
    begunAgain: completions
      .filter(({ id, attempt }) => runs.some((run) => run.startsWith(`${id}.`) && Number(run.split('.')[1]) > attempt))
      .map(({ id }) => id),
    undecided: handoffs
      .filter((handoff) => handoff.status !== 'completed' && !hasReason(handoff))
      .map(({ text }) => text),
    startedTwice: repetitions(runs),
    programs: runs.length,
    repeated: ledger.ended.size - new Set([...ledger.ended].map((run) => run.split('.')[0])).size,
    retries: records.filter(({ t }) => t === 'failed').length,
    refused: state.refused,
    orphans: processesIn(places.root, scene.ledger),
    leftovers: leftoversIn(places, state),
    broken: readQuietly(join(places.root, 'orchestrator.out'))
      .split('\n')
      .filter((line) => /should not have happened|Error/.test(line)),
    faults,
    held: records.flatMap((record) => (record.t === 'held' ? `${record.file}:${record.lines}: ${record.why}` : [])),
    story,
  }
}

function repetitions(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.size === seen.add(name).size)
}

function hasReason(handoff: Handoff | undefined): boolean {
  return handoff?.status === 'dead' && Boolean(handoff.why)
}

function reasonsOf(dead: readonly Handoff[]): Record<string, number> {
  const reasons: Record<string, number> = {}
  for (const { why } of dead) {
    const reason = (why ?? '').replace(/"[^"]*"/g, '"..."')
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  return reasons
}

/** What a member was to send when it could not do its work was never sent. */
function isExcused(text: string, sent: readonly string[], handoffs: ReadonlyMap<string, Handoff>): boolean {
  const number = /^task (\d+)b /.exec(text)?.[1]
  if (number === undefined) return false
  const parent = sent.find((one) => one.startsWith(`task ${number} `))
  return hasReason(handoffs.get(parent ?? ''))
}

/** Only what was kept for dead letters may be left. */
function leftoversIn({ claims, runs, inbox, folder, run }: WorkplacePaths, { handoffs }: State): string[] {
  const kept = readdirSync(runs).filter((name) => handoffs.get(name.split('.')[0] ?? '')?.status !== 'dead')
  const drafts = [...readdirSync(folder), ...readdirSync(run)].filter((name) => /\.troupe-\d/.test(name))
  return [...readdirSync(claims), ...kept, ...readdirSync(inbox), ...drafts]
}
