/** `troupe work resume`: goes on with what is open, and with what was written while nobody ran the workplace. */
import { startDetached } from '../../runtime/host.ts'
import { drop } from '../../runtime/inbox.ts'
import { openSetting, readState } from '../../runtime/open.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { attendTelling } from './attending.ts'
import { withDisk, workplaceOf } from './opening.ts'

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
    attached: { type: 'boolean', about: 'stay attached although nobody looks on (used by --detach)' },
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
  if (letter !== undefined) {
    const handoff = before.handoffs.get(letter)
    if (handoff === undefined)
      throw new UsageError(`There is no handoff ${letter}.`, '`troupe work status` names them.')
    if (handoff.status !== 'dead') throw new UsageError(`The handoff ${letter} is not dead: it is ${handoff.status}.`)
    drop(places, { kind: 'revive', id: letter })
  }
  if (options.detach === true) {
    const pid = startDetached(places, options.stay === true ? ['--stay'] : [])
    if (options.json === true) printJson(terminal, { pid })
    else terminal.tell(`Running in the background, pid ${pid}. \`troupe work stop\` ends it.\n`)
    return exit.fine
  }
  const setting = await openSetting(places)
  for (const problem of setting.problems) terminal.tell(`! ${problem}\n`)
  let looks = 0
  const until = options.stay === true ? () => false : (_state: unknown, isIdle: boolean) => isIdle && looks++ > 0
  const { state, ending } = await attendTelling(input, setting, { chain: null, until })
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
