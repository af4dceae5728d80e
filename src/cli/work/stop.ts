/** `troupe work stop`: ends one agent, or all of them; the work stays open. */
import { attend } from '../../runtime/host.ts'
import { drop } from '../../runtime/inbox.ts'
import { Contender, readOwner } from '../../runtime/lock.ts'
import { openSetting, openTeam, readState } from '../../runtime/open.ts'
import type { Places } from '../../runtime/places.ts'
import { unknownMember } from '../../workplace/classify.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { withDisk, workplaceOf } from './opening.ts'

export const stop: Command = {
  name: 'work stop',
  takes: '[AGENT]',
  words: 1,
  summary: 'end one agent, or all of them',
  details:
    'Ends the programs of a workplace, and what they started. What they were at stays open: `troupe work resume` goes on. With AGENT, only that agent; what it was at becomes a dead letter, which can be revived.',
  options: {},
  examples: [
    ['troupe work stop', 'everything'],
    ['troupe work stop coder', 'one agent'],
  ],
  run: (input) => withDisk(input, () => stopHere(input)),
}

async function stopHere(input: CommandInput): Promise<number> {
  const { terminal, options, positionals } = input
  const places = workplaceOf(input)
  // It says so where the journal cannot be read.
  readState(places)
  const [agent = null] = positionals
  if (agent !== null) {
    const { roster } = await openTeam(places)
    if (!roster.has(agent)) throw new UsageError(`${unknownMember(agent, roster).replace(/^t/, 'T')}.`)
  }
  const isUp = readOwner(places)?.isUp === true
  const isOver = isUp ? await askTo(places, agent) : await clearUp(places, agent)
  if (options.json === true) printJson(terminal, { agent, stopped: isOver })
  else
    terminal.tell(
      isOver ? `${agent ?? 'Everything'} is stopped.\n` : 'It was told to stop, and has not answered yet.\n',
    )
  return isOver ? exit.fine : exit.findings
}

async function askTo(places: Places, agent: string | null): Promise<boolean> {
  drop(places, { kind: 'stop', agent })
  const contender = new Contender(places)
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

/** Nobody runs it: programs that a crash left running are ended all the same. */
async function clearUp(places: Places, agent: string | null): Promise<boolean> {
  const setting = await openSetting(places)
  if (agent !== null) drop(places, { kind: 'stop', agent })
  else drop(places, { kind: 'stop', agent: null })
  const { ending } = await attend(setting, {
    until: (state) => agent !== null && state.stopped.has(agent),
    told: () => {},
    trouble: () => {},
    keep: 'none',
    interrupted: new Promise(() => {}),
  })
  return ending !== 'interrupted'
}
