/** `troupe work start`: gives an agent a task, and sees it through. */
import { startDetached } from '../../runtime/host.ts'
import { drop } from '../../runtime/inbox.ts'
import { openSetting, readState } from '../../runtime/open.ts'
import type { Places } from '../../runtime/places.ts'
import { nearest } from '../../text/nearest.ts'
import { checkGraph } from '../../workplace/graph.ts'
import { cleanText } from '../../workplace/message.ts'
import { KERNEL } from '../../workplace/names.ts'
import type { Roster } from '../../workplace/roster.ts'
import { route } from '../../workplace/routing.ts'
import { isKnown, type State } from '../../workplace/state.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { attendTelling, printOutcome, tellServices } from './attending.ts'
import { say, withDisk, workplaceOf } from './opening.ts'

export const start: Command = {
  name: 'work start',
  takes: '[AGENT] TASK',
  words: 2,
  summary: 'give an agent a task, and see it through',
  details:
    'Hands TASK to an agent and stays until the whole chain of handoffs is done, or dead; then prints the answer. Without AGENT the words of the task choose one, by the triggers of the agents. Agents are played in their harnesses, or by the programs that troupe.yaml names, with your rights.',
  options: {
    detach: { type: 'boolean', about: 'return at once; the work goes on in the background' },
    keep: { type: 'boolean', about: 'persistent agents go on running when the work is done' },
    worktree: { type: 'boolean', about: 'each agent works in a git worktree and on a branch of its own' },
    as: { type: 'string', value: 'NAME', about: 'who asks: user (default), developer or human' },
  },
  examples: [
    ['troupe work start coder "implement the login form"', 'stay until it is done'],
    ['troupe work start "fix the flaky test" --detach', 'the agent that "fix" triggers'],
  ],
  run: (input) => withDisk(input, () => startHere(input)),
}

async function startHere(input: CommandInput): Promise<number> {
  const { terminal, options } = input
  const places = workplaceOf(input)
  // It says so where the journal cannot be read.
  readState(places)
  const setting = await openSetting(places)
  say(
    terminal,
    setting.problems.map((problem) => `! ${problem}`),
  )
  const { agent, task } = chosen(input.positionals, setting.roster, input)
  const hindrances = checkGraph(setting.roster, setting.rules.budget.handoffs).filter(
    ({ severity, member }) => severity === 'error' && (member === null || reached(agent, setting.roster).has(member)),
  )
  if (hindrances.length > 0) {
    for (const { message, hint } of hindrances)
      say(terminal, [`\u2717 ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])])
    terminal.tell('Nothing was started. `troupe work check` shows the whole team.\n')
    return exit.findings
  }
  const from = typeof options.as === 'string' ? options.as : 'user'
  if (!['user', 'developer', 'human'].includes(from))
    throw new UsageError(
      `"${from}" cannot start work.`,
      'user, developer and human are you; agents use `troupe work send`.',
    )
  const id = drop(places, {
    kind: 'message',
    from,
    to: agent,
    observers: [],
    text: task,
    run: null,
    worktree: options.worktree === true,
  })
  if (options.detach === true) return detached(input, places, id, agent, options.keep === true)
  const attended = await attendTelling(input, setting, {
    chain: id,
    until: (state) => isOver(state, id),
    keep: options.keep === true ? 'all' : 'earlier',
  })
  tellServices(input, attended)
  return printOutcome(input, attended, chainOf(attended.state.messages, id))
}

/** Also its worktrees are gone, or left to the person. */
function isOver({ messages, chains, worktrees }: State, id: string): boolean {
  const chain = chainOf(messages, id)
  return chains.get(chain)?.ended === true && ![...worktrees.values()].some((one) => one.chain === chain)
}

/** The answer to an agent's question goes on with that agent's chain. */
function chainOf(messages: ReadonlyMap<string, { readonly chain: string }>, id: string): string {
  return messages.get(id)?.chain ?? id
}

async function detached(
  { terminal, options }: CommandInput,
  places: Places,
  id: string,
  agent: string,
  keep: boolean,
): Promise<number> {
  startDetached(places, keep ? [] : ['--finish'])
  for (let waited = 0; waited < 5000 && !isKnown(readState(places), id); waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50))
  const isTaken = isKnown(readState(places), id)
  if (options.json === true) printJson(terminal, { chain: id, agent, journalled: isTaken })
  else {
    terminal.print(`${id}\n`)
    terminal.tell(
      isTaken
        ? `${agent} has it. \`troupe work status --watch\` shows it at work.\n`
        : `It is kept, but not begun yet: see ${places.log}.\n`,
    )
  }
  return isTaken ? exit.fine : exit.findings
}

function chosen(words: readonly string[], roster: Roster, { terminal }: CommandInput): { agent: string; task: string } {
  const [first = '', second] = words
  const task = cleanText(second ?? first)
  if (second !== undefined) {
    if (task === '') throw new UsageError('The task is empty.')
    if (roster.has(first)) return { agent: first, task }
    const close = nearest(first, [...roster.keys()])
    const names = `There are ${[...roster.keys()].filter((name) => name !== KERNEL).join(', ')}.`
    throw new UsageError(`There is no agent "${first}".`, close === null ? names : `Did you mean ${close}? ${names}`)
  }
  if (task === '') throw new UsageError('A task is missing.', 'troupe work start [AGENT] "what to do"')
  if (roster.has(task)) throw new UsageError(`What should ${task} do?`, `troupe work start ${task} "..."`)
  const { members, words: found } = route(task, roster)
  const [member, other] = members
  if (member === undefined)
    throw new UsageError(
      'No agent matches this task.',
      `Name one: ${[...roster.keys()].filter((name) => name !== KERNEL).join(', ')}. \`troupe work check\` shows the words that choose them.`,
    )
  if (other !== undefined)
    throw new UsageError(
      `The task could be for ${members.map(({ name }) => name).join(' or ')} (${found.join(', ')}).`,
      'Name the agent.',
    )
  terminal.tell(`For ${member.name}, because of "${found.join('", "')}".\n`)
  return { agent: member.name, task }
}

/** Every agent that the work can come to. */
function reached(agent: string, roster: Roster): Set<string> {
  const found = new Set([agent])
  for (const name of found) for (const next of roster.get(name)?.handoffTo ?? []) found.add(next)
  return found
}
