/** `start` and `resume` stay until the work is done: they tell what happens, and end with what came of it. */
import { wrapped } from '../../report/paper.ts'
import { narrate, seconds } from '../../report/work-narration.ts'
import type { Setting } from '../../runtime/engine.ts'
import { type Attendance, type Attended, attend } from '../../runtime/host.ts'
import { JournalUnusable } from '../../runtime/journal-text.ts'
import { NoWorkplace } from '../../runtime/open.ts'
import { outcomeOf } from '../../workplace/overview.ts'
import type { State } from '../../workplace/state.ts'
import { type CommandInput, exit, printJson, printLines } from '../command.ts'
import { interruption } from './opening.ts'

export interface Watching {
  /** Only this chain is told about; null: all of them. */
  readonly chain: string | null
  readonly until: (state: State, isIdle: boolean) => boolean
  /** Which persistent members go on when that is so. */
  readonly keep: Attendance['keep']
}

export async function attendTelling(
  input: CommandInput,
  setting: Setting,
  { chain, until, keep }: Watching,
): Promise<Attended> {
  const { terminal } = input
  const { heard, forget } = interruption()
  try {
    return await attend(setting, {
      until,
      keep,
      interrupted: heard,
      trouble: (why) =>
        terminal.tell(
          why === null ? 'It goes on.\n' : `Waiting: ${why}. Nothing is lost; it goes on when there is room.\n`,
        ),
      told: (records, state) => {
        for (const record of records) {
          const line = narrate(record, state, chain, terminal)
          if (line !== null) terminal.tell(`${line}\n`)
        }
      },
    })
  } catch (error) {
    if (error instanceof JournalUnusable)
      throw new NoWorkplace(error.message, 'Use the Troupe that wrote it; nothing was changed.')
    throw error
  } finally {
    forget()
  }
}

/** What becomes of the persistent members. */
export function tellServices({ terminal }: CommandInput, { services }: Attended): void {
  const { ended = [], left = [], pid = null } = services ?? {}
  if (ended.length > 0)
    terminal.tell(
      `${ended.join(', ')} ran for this work and ${ended.length === 1 ? 'has' : 'have'} ended with it; --keep leaves ${ended.length === 1 ? 'it' : 'them'} running.\n`,
    )
  if (left.length > 0)
    terminal.tell(
      `${left.join(', ')} ${left.length === 1 ? 'goes' : 'go'} on in the background, pid ${pid}. \`troupe work stop\` ends it.\n`,
    )
}

/** The outcome of a chain, for people or programs, and its exit code. */
export function printOutcome(
  { terminal, options }: CommandInput,
  { state, ending, hosted }: Attended,
  chain: string,
): number {
  const outcome = outcomeOf(state, chain)
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
      terminal.tell(
        `${wrapped(terminal, `${to} did not finish: ${why}.`, 0).join('\n')}\n  \`troupe work resume ${id}\` tries again.\n`,
      )
    }
    const isLeft = !hosted && ending === 'interrupted'
    const stopped = isLeft ? 'No longer watching; the work goes on.' : 'Stopped; `troupe work resume` goes on.'
    terminal.tell(
      isOver
        ? `${handoffs} ${handoffs === 1 ? 'handoff' : 'handoffs'}, ${dead} dead, ${seconds(ms)} of work.\n`
        : `${stopped} ${open} of ${handoffs} handoffs are open.\n`,
    )
  }
  if (ending === 'interrupted') return exit.interrupted
  return isOver && outcome?.isFine === true ? exit.fine : exit.findings
}
