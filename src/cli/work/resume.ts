/** `troupe work resume` and `stop`: continues open work, including messages written meanwhile; or ends it. */

import { Mutex, readMutexOwner } from '../../disk/mutex.ts'
import { plural } from '../../report/layout.ts'
import { narrateRecord } from '../../report/team/status.ts'
import { seconds } from '../../report/team/status-members.ts'
import type { Workplace } from '../../team/engine/engine.ts'
import { putInInbox } from '../../team/engine/inbox.ts'
import { JournalUnusable } from '../../team/engine/journal-format.ts'
import type { WorkplacePaths } from '../../team/engine/paths.ts'
import { openTeam, openWorkplace, readState, WorkplaceError } from '../../team/runtime/open.ts'
import {
  type SuperviseOptions,
  type SuperviseResult,
  startDetached,
  superviseWorkplace,
} from '../../team/runtime/supervise.ts'
import { chainOutcome } from '../../team/state/overview.ts'
import { unknownMemberText } from '../../team/state/roster.ts'
import type { State } from '../../team/state/state.ts'
import { type Command, type CommandInput, exit, printJson, printLines, UsageError } from '../command.ts'
import { findWorkplaceFor, onInterrupt, printNotes, reviveHandoff, withDiskErrors } from './opening.ts'

/** `start` and `resume` stay until the work is done: they report what happens, and end with the outcome. */
export interface NarrateOptions {
  /** Only this chain is reported; null: all of them. */
  readonly chain: string | null
  readonly until: (state: State, isIdle: boolean) => boolean
  /** Which persistent members continue after that. */
  readonly keep: SuperviseOptions['keep']
}

interface NarratedResult extends SuperviseResult {
  /** The dead letters whose reasons were printed. */
  readonly reported: ReadonlySet<string>
}

export async function superviseAndNarrate(
  input: CommandInput,
  workplace: Workplace,
  { chain, until, keep }: NarrateOptions,
): Promise<NarratedResult> {
  const { terminal } = input
  const { interrupted, forget } = onInterrupt()
  const reported = new Set<string>()
  try {
    const result = await superviseWorkplace(workplace, {
      until,
      keep,
      interrupted,
      trouble: (why) =>
        terminal.info(
          why === null ? 'Resumed.\n' : `Waiting: ${why}. Nothing is lost; work resumes when there is room.\n`,
        ),
      onRecords: (records, state) => {
        for (const record of records) {
          const line = narrateRecord(record, state, chain, terminal)
          if (line === null) continue
          terminal.info(`${line}\n`)
          if (record.t === 'dead') reported.add(record.id)
        }
      },
    })
    return { ...result, reported }
  } catch (error) {
    if (error instanceof JournalUnusable)
      throw new WorkplaceError(error.message, 'Use the version of Troupe that wrote it. Nothing was changed.')
    throw error
  } finally {
    forget()
  }
}

/** What happens to the persistent members. */
export function printServices({ terminal }: CommandInput, { services }: SuperviseResult): void {
  const { ended = [], left = [], pid = null } = services ?? {}
  if (ended.length > 0)
    terminal.info(
      `Stopped with this work: ${ended.join(', ')}. \`--keep\` leaves ${ended.length === 1 ? 'it' : 'them'} running.\n`,
    )
  if (left.length > 0)
    terminal.info(`Still running in the background, pid ${pid}: ${left.join(', ')}. \`troupe work stop\` stops it.\n`)
}

/** The outcome of a chain, for people or programs, and its exit code. */
export function printOutcome(
  { terminal, options }: CommandInput,
  { state, ending, hosted, reported }: NarratedResult,
  chain: string,
): number {
  const outcome = chainOutcome(state, chain)
  const isOver = outcome?.chain.ended === true
  const { dead = 0, open = 0, handoffs = 0, ms = 0, turns = 0, cost = 0 } = outcome?.chain ?? {}
  const letters = (outcome?.handoffs ?? [])
    .filter(({ status }) => status === 'dead')
    .map(({ id, from, to, why }) => ({ id, from, to, why }))
  if (options.json === true) {
    printJson(terminal, {
      chain,
      ended: isOver,
      fine: isOver && outcome?.isFine === true,
      answer: outcome?.answer ?? null,
      handoffs,
      open,
      dead: letters,
      ms,
      turns,
      cost,
    })
  } else {
    if (outcome?.answer != null) printLines(terminal, outcome.answer.split('\n'))
    for (const { id, to, why } of letters) {
      if (!reported.has(id)) printNotes(terminal, [`${to} did not finish: ${why}.`])
      terminal.info(`\`troupe work resume ${id}\` retries ${to}.\n`)
    }
    const isLeft = !hosted && ending === 'interrupted'
    const stopped = isLeft
      ? 'No longer watching; the work continues.'
      : 'Stopped; `troupe work resume` continues the work.'
    terminal.info(
      isOver
        ? `${plural(handoffs, 'handoff')}, ${dead} dead, ${seconds(ms)} of work.\n`
        : `${stopped} ${open} of ${handoffs} handoffs are open.\n`,
    )
  }
  if (ending === 'interrupted') return exit.interrupted
  return isOver && outcome?.isFine === true ? exit.fine : exit.findings
}

export const workResume: Command = {
  name: 'work resume',
  takes: '[HANDOFF]',
  words: 1,
  summary: 'continue open work, or retry a dead letter',
  details:
    'Runs the workplace until nothing is left to do. Programs that survived a crash are adopted, the others are started again, and messages written meanwhile are delivered. With HANDOFF, retries that dead letter.',
  options: {
    detach: { type: 'boolean', about: 'run in the background' },
    stay: { type: 'boolean', about: 'wait for messages when there is nothing to do' },
    finish: { type: 'boolean', about: 'also end persistent agents when nothing is open (used by `start --detach`)' },
    attached: { type: 'boolean', about: 'stay without a terminal (used by --detach)' },
  },
  examples: [
    ['troupe work resume', 'after a crash, or after `troupe work stop`'],
    ['troupe work resume --stay --detach', 'keep watching chat.md'],
  ],
  run: (input) => withDiskErrors(input, () => resumeHere(input)),
}

async function resumeHere(input: CommandInput): Promise<number> {
  const { terminal, options, positionals } = input
  const places = findWorkplaceFor(input)
  const before = readState(places)
  const [letter] = positionals
  if (letter !== undefined) reviveHandoff(places, before, letter)
  if (options.detach === true) {
    const pid = startDetached(places, options.stay === true ? ['--stay'] : [])
    if (options.json === true) printJson(terminal, { pid })
    else terminal.info(`Running in the background, pid ${pid}. \`troupe work stop\` stops it.\n`)
    return exit.fine
  }
  const workplace = await openWorkplace(places)
  printNotes(
    terminal,
    workplace.problems.map((problem) => `! ${problem}`),
  )
  let looks = 0
  const endsAlso = options.finish === true && options.stay !== true
  const until = (state: State, isIdle: boolean) => {
    if (options.stay === true) return false
    return (isIdle || (endsAlso && state.open.size + state.worktrees.size === 0)) && looks++ > 0
  }
  const { state, ending } = await superviseAndNarrate(input, workplace, {
    chain: null,
    until,
    keep: endsAlso ? 'none' : 'all',
  })
  const dead = [...state.handoffs.values()].filter(
    ({ id, status }) => status === 'dead' && before.handoffs.get(id)?.status !== 'dead',
  ).length
  if (options.json === true) printJson(terminal, { open: state.open.size, dead })
  else
    terminal.info(
      `${state.open.size === 0 ? 'Nothing is left to do' : `${plural(state.open.size, 'open handoff')}`}${dead === 0 ? '' : `; ${plural(dead, 'new dead letter')}`}.\n`,
    )
  return ending === 'interrupted' ? exit.interrupted : dead > 0 ? exit.findings : exit.fine
}

/** `troupe work stop`: ends one agent, or all of them; the work stays open. */
export const workStop: Command = {
  name: 'work stop',
  takes: '[AGENT]',
  words: 1,
  summary: 'stop one agent, or all of them',
  details:
    'Stops the programs of a workplace and everything they started. Their work stays open: `troupe work resume` continues it. With AGENT, stops only that agent; its current work becomes a dead letter, which can be retried.',
  options: {},
  examples: [
    ['troupe work stop', 'everything'],
    ['troupe work stop coder', 'one agent'],
  ],
  run: (input) => withDiskErrors(input, () => stopHere(input)),
}

async function stopHere(input: CommandInput): Promise<number> {
  const { terminal, options, positionals } = input
  const places = findWorkplaceFor(input)
  // Throws if the journal cannot be read.
  readState(places)
  const [agent = null] = positionals
  if (agent !== null) {
    const { roster } = await openTeam(places)
    if (!roster.has(agent)) throw new UsageError(`${unknownMemberText(agent, roster).replace(/^t/, 'T')}.`)
  }
  const isUp = readMutexOwner(places.run)?.isUp === true
  const isOver = isUp ? await askToStop(places, agent) : await stopLeftovers(places, agent)
  if (options.json === true) printJson(terminal, { agent, stopped: isOver })
  else
    terminal.info(
      isOver ? `Stopped ${agent ?? 'everything'}.\n` : 'The workplace was asked to stop, but has not answered yet.\n',
    )
  return isOver ? exit.fine : exit.findings
}

async function askToStop(places: WorkplacePaths, agent: string | null): Promise<boolean> {
  putInInbox(places, { kind: 'stop', agent })
  const contender = new Mutex(places.run)
  for (let waited = 0; waited < 10_000; waited += 50) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    if (agent !== null && readState(places).stopped.has(agent)) return true
    if (agent !== null) continue
    const lock = contender.take()
    if ('busy' in lock) continue
    lock.release()
    return true
  }
  return false
}

/** Nothing runs it: programs left running by a crash are ended anyway. */
async function stopLeftovers(places: WorkplacePaths, agent: string | null): Promise<boolean> {
  const workplace = await openWorkplace(places)
  if (agent !== null) putInInbox(places, { kind: 'stop', agent })
  else putInInbox(places, { kind: 'stop', agent: null })
  const { ending } = await superviseWorkplace(workplace, {
    until: (state) => agent !== null && state.stopped.has(agent),
    onRecords: () => {},
    trouble: () => {},
    keep: 'none',
    interrupted: new Promise(() => {}),
  })
  return ending !== 'interrupted'
}
