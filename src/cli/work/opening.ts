/** What the commands of `work` share: finding the workplace, interrupts, the person's decisions. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describeError } from '../../disk/errors.ts'
import { readMutexOwner } from '../../disk/mutex.ts'
import { endingSignals } from '../../disk/signals.ts'
import { oneLine } from '../../report/layout.ts'
import { wrapIndented } from '../../report/print-text.ts'
import type { KeyAction } from '../../report/team/screen.ts'
import type { StatusHead } from '../../report/team/status.ts'
import { putInInbox, waiting } from '../../team/engine/inbox.ts'
import type { WorkplacePaths } from '../../team/engine/paths.ts'
import { requireWorkplace, WorkplaceError } from '../../team/runtime/open.ts'
import { type Overview, overviewOf } from '../../team/state/overview.ts'
import type { Roster } from '../../team/state/roster.ts'
import { isKnownMessage, type State } from '../../team/state/state.ts'
import { type CommandInput, exit, type Terminal, UsageError } from '../command.ts'

/** Agents call from anywhere: their environment names the workplace. */
export function findWorkplaceFor({ here, options }: CommandInput): WorkplacePaths {
  const own = process.env.TROUPE_WORKPLACE
  const isHere = Array.isArray(options.directory) && options.directory.length > 0
  return requireWorkplace(own !== undefined && own !== '' && !isHere ? own : here)
}

/** A missing or unreadable workplace is a usage error. */
export async function asUsage<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WorkplaceError) throw new UsageError(error.message, error.hint)
    throw error
  }
}

/** Runs what accesses the disk of a workplace; a full or read-only disk is reported as a message, not as a bug. */
export async function withDiskErrors(input: CommandInput, work: () => Promise<number> | number): Promise<number> {
  try {
    return await asUsage(work)
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    const known = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT', 'ENOTDIR']
    if (code === undefined || !known.includes(code)) throw error
    const why =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'the disk is full'
        : code === 'EROFS'
          ? 'the disk is read-only'
          : describeError(error)
    input.terminal.info(`troupe: cannot write ${path ?? 'to the workplace'}: ${why}.\n`)
    return exit.failed
  }
}

/** For people, beside the result: agents and files must not control the terminal. */
export function printNotes(terminal: Terminal, texts: readonly string[]): void {
  for (const text of texts) {
    const indent = /^ */.exec(text)?.[0].length ?? 0
    for (const line of wrapIndented(terminal, text, indent)) terminal.info(`${line}\n`)
  }
}

/** Comma-separated words. */
export function splitList(value: unknown): string[] {
  return typeof value === 'string'
    ? value
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
    : []
}

/** Resolves at the first Ctrl-C; the second one ends the program as usual. */
export function onInterrupt(): { readonly interrupted: Promise<void>; readonly forget: () => void } {
  let forget = () => {}
  const interrupted = new Promise<void>((resolve) => {
    const listen = () => {
      forget()
      resolve()
    }
    forget = () => {
      for (const signal of endingSignals) process.removeListener(signal, listen)
    }
    for (const signal of endingSignals) process.on(signal, listen)
  })
  return { interrupted, forget: () => forget() }
}

/** Whether it runs; cheap. */
export function readStatusHead(places: WorkplacePaths, name: string): StatusHead {
  const owner = readMutexOwner(places.run)
  const pid = owner?.isUp === true ? owner.pid : null
  return { name, pid, undelivered: pid === null ? messagesIn(places) : 0 }
}

function messagesIn(places: WorkplacePaths): number {
  let count = 0
  for (const { item } of waiting(places)) if ('kind' in item && item.kind === 'message') count++
  return count
}

/** `last`: the maximum number of handoffs. */
export function readOverview(
  places: WorkplacePaths,
  { pid }: StatusHead,
  state: State,
  roster: Roster,
  now: number,
  last?: number,
): Overview {
  const lastSign = (run: string) => {
    const signs = ['out', 'err'].map(
      (file) => statSync(join(places.runs, run, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    )
    return Math.max(...signs) || null
  }
  return overviewOf(state, roster, now, pid !== null, lastSign, last)
}

/** Returns who asked the question. */
export function answerQuestion(places: WorkplacePaths, state: State, question: string, yes: boolean): string {
  if (process.env.TROUPE_AGENT) throw new UsageError('Only a person can answer.')
  const asked = state.questions.get(question)
  if (asked === undefined)
    throw new UsageError(`There is no open question "${question}".`, '`troupe work status` shows the open ones.')
  putInInbox(places, { kind: 'answer', question, yes, by: 'person' })
  return asked.agent
}

/** Returns the member of the dead letter. */
export function reviveHandoff(places: WorkplacePaths, state: State, id: string): string {
  const handoff = state.handoffs.get(id)
  if (handoff === undefined && isKnownMessage(state, id))
    throw new UsageError(`Handoff ${id} is not a dead letter: it is completed.`)
  if (handoff === undefined) throw new UsageError(`There is no handoff ${id}.`, '`troupe work status` lists them.')
  if (handoff.status !== 'dead') throw new UsageError(`Handoff ${id} is not a dead letter: it is ${handoff.status}.`)
  putInInbox(places, { kind: 'revive', id })
  return handoff.to
}

export type PersonDecision = Exclude<KeyAction, { kind: 'quit' }>

/** Those that were carried out, and why others were not: settled meanwhile, or a disk error. */
export function carryOut(
  decision: PersonDecision,
  places: WorkplacePaths,
  state: State,
): { readonly done: readonly string[]; readonly why: string | null } {
  const done: string[] = []
  let why: string | null = null
  for (const id of decision.ids) {
    try {
      if (decision.kind === 'answer') answerQuestion(places, state, id, decision.yes)
      else reviveHandoff(places, state, id)
      done.push(id)
    } catch (error) {
      if (!(error instanceof UsageError) && (error as NodeJS.ErrnoException).code === undefined) throw error
      why = (error as Error).message
    }
  }
  return { done, why }
}

/** What was done, as a sentence. */
export function decisionText(decision: PersonDecision, count: number): string {
  const agent = oneLine(decision.agent)
  if (decision.kind === 'answer')
    return `Answered ${agent} with ${decision.yes ? 'yes' : 'no'}${count === 1 ? '' : `, ${count} times`}.`
  return count === 1
    ? `The dead letter of ${agent} gets new attempts.`
    : `${count} dead letters of ${agent} get new attempts.`
}
