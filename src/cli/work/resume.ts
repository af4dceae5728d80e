/** `troupe work resume`: goes on with what is open, and with what was written while the workplace did not run. */
import { startDetached } from '../../runtime/host.ts'
import { openSetting, readState } from '../../runtime/open.ts'
import type { State } from '../../workplace/state.ts'
import { type Command, type CommandInput, exit, printJson } from '../command.ts'
import { attendTelling } from './attending.ts'
import { reviveHandoff } from './decide.ts'
import { say, withDisk, workplaceOf } from './opening.ts'

export const resume: Command = {
  name: 'work resume',
  takes: '[HANDOFF]',
  words: 1,
  summary: 'go on with what is open, or with a dead letter',
  details:
    'Runs the workplace until nothing is left to do: programs that survived a crash are taken in hand again, those that did not are tried again, and messages that were written meanwhile are delivered. With HANDOFF, a dead letter gets new attempts.',
  options: {
    detach: { type: 'boolean', about: 'in the background' },
    stay: { type: 'boolean', about: 'do not end when there is nothing to do: wait for messages' },
    finish: { type: 'boolean', about: 'end also persistent agents when nothing is open (used by `start --detach`)' },
    attached: { type: 'boolean', about: 'stay without a terminal (used by --detach)' },
  },
  examples: [
    ['troupe work resume', 'after a crash, or after `troupe work stop`'],
    ['troupe work resume --stay --detach', 'keep an eye on chat.md from now on'],
  ],
  run: (input) => withDisk(input, () => resumeHere(input)),
}

async function resumeHere(input: CommandInput): Promise<number> {
  const { terminal, options, positionals } = input
  const places = workplaceOf(input)
  const before = readState(places)
  const [letter] = positionals
  if (letter !== undefined) reviveHandoff(places, before, letter)
  if (options.detach === true) {
    const pid = startDetached(places, options.stay === true ? ['--stay'] : [])
    if (options.json === true) printJson(terminal, { pid })
    else terminal.tell(`Running in the background, pid ${pid}. \`troupe work stop\` ends it.\n`)
    return exit.fine
  }
  const setting = await openSetting(places)
  say(
    terminal,
    setting.problems.map((problem) => `! ${problem}`),
  )
  let looks = 0
  const endsAlso = options.finish === true && options.stay !== true
  const until = (state: State, isIdle: boolean) => {
    if (options.stay === true) return false
    return (isIdle || (endsAlso && state.open.size + state.worktrees.size === 0)) && looks++ > 0
  }
  const { state, ending } = await attendTelling(input, setting, { chain: null, until, keep: endsAlso ? 'none' : 'all' })
  const dead = [...state.handoffs.values()].filter(
    ({ id, status }) => status === 'dead' && before.handoffs.get(id)?.status !== 'dead',
  ).length
  if (options.json === true) printJson(terminal, { open: state.open.size, dead })
  else
    terminal.tell(
      `${state.open.size === 0 ? 'Nothing is left to do' : `${state.open.size} handoffs are open`}${dead === 0 ? '' : `; ${dead} newly dead`}.\n`,
    )
  return ending === 'interrupted' ? exit.interrupted : dead > 0 ? exit.findings : exit.fine
}
