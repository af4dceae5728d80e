/** `troupe work start`: gives an agent a task and follows it to the end. */

import { nearestWord } from '../../formats/text.ts'
import { putInInbox } from '../../team/engine/inbox.ts'
import type { WorkplacePaths } from '../../team/engine/paths.ts'
import { openWorkplace, readState } from '../../team/runtime/open.ts'
import { startDetached } from '../../team/runtime/supervise.ts'
import { checkTeam } from '../../team/state/graph.ts'
import { cleanText, KERNEL } from '../../team/state/message.ts'
import { type Roster, routeTask } from '../../team/state/roster.ts'
import { isKnownMessage, type State } from '../../team/state/state.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { findWorkplaceFor, printNotes, withDiskErrors } from './opening.ts'
import { printOutcome, printServices, superviseAndNarrate } from './resume.ts'

export const workStart: Command = {
  name: 'work start',
  takes: '[AGENT] TASK',
  words: 2,
  summary: 'give an agent a task and follow it to the end',
  details:
    'Hands TASK to an agent, stays until the whole chain of handoffs is completed or dead, and prints the answer. Without AGENT, the trigger words of the agents choose one. Agents run in their harnesses, or as the programs that troupe.yaml names, with your permissions.',
  options: {
    detach: { type: 'boolean', about: 'return at once; the work continues in the background' },
    keep: { type: 'boolean', about: 'keep persistent agents running when the work is done' },
    worktree: { type: 'boolean', about: 'each agent works in its own git worktree and branch' },
    as: { type: 'string', value: 'NAME', about: 'who asks: user (default), developer or human' },
  },
  examples: [
    ['troupe work start coder "implement the login form"', 'wait until it is done'],
    ['troupe work start "fix the flaky test" --detach', 'the agent that "fix" triggers'],
  ],
  run: (input) => withDiskErrors(input, () => startHere(input)),
}

async function startHere(input: CommandInput): Promise<number> {
  const { terminal, options } = input
  const places = findWorkplaceFor(input)
  // Throws if the journal cannot be read.
  readState(places)
  const workplace = await openWorkplace(places)
  printNotes(
    terminal,
    workplace.problems.map((problem) => `! ${problem}`),
  )
  const { agent, task } = chooseAgent(input.positionals, workplace.roster, input)
  const obstacles = checkTeam(workplace.roster, workplace.rules.budget.handoffs).filter(
    ({ severity, member }) =>
      severity === 'error' && (member === null || reachableAgents(agent, workplace.roster).has(member)),
  )
  if (obstacles.length > 0) {
    for (const { message, hint } of obstacles)
      printNotes(terminal, [`\u2717 ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])])
    terminal.info('Nothing was started. `troupe work check` shows the whole team.\n')
    return exit.findings
  }
  const from = typeof options.as === 'string' ? options.as : 'user'
  if (!['user', 'developer', 'human'].includes(from))
    throw new UsageError(
      `"${from}" cannot start work.`,
      'user, developer and human are you; agents use `troupe work send`.',
    )
  const id = putInInbox(places, {
    kind: 'message',
    from,
    to: agent,
    observers: [],
    text: task,
    run: null,
    worktree: options.worktree === true,
  })
  if (options.detach === true) return startInBackground(input, places, id, agent, options.keep === true)
  const attended = await superviseAndNarrate(input, workplace, {
    chain: id,
    until: (state) => isOver(state, id),
    keep: options.keep === true ? 'all' : 'earlier',
  })
  printServices(input, attended)
  return printOutcome(input, attended, chainOf(attended.state.messages, id))
}

/** Including its worktrees: removed, or left to the person. */
function isOver({ messages, chains, worktrees }: State, id: string): boolean {
  const chain = chainOf(messages, id)
  return chains.get(chain)?.ended === true && ![...worktrees.values()].some((one) => one.chain === chain)
}

/** The answer to an agent's question continues that agent's chain. */
function chainOf(messages: ReadonlyMap<string, { readonly chain: string }>, id: string): string {
  return messages.get(id)?.chain ?? id
}

async function startInBackground(
  { terminal, options }: CommandInput,
  places: WorkplacePaths,
  id: string,
  agent: string,
  keep: boolean,
): Promise<number> {
  startDetached(places, keep ? [] : ['--finish'])
  for (let waited = 0; waited < 5000 && !isKnownMessage(readState(places), id); waited += 50)
    await new Promise((resolve) => setTimeout(resolve, 50))
  const isTaken = isKnownMessage(readState(places), id)
  if (options.json === true) printJson(terminal, { chain: id, agent, journalled: isTaken })
  else {
    terminal.print(`${id}\n`)
    terminal.info(
      isTaken
        ? `${agent} has the task. \`troupe work status --watch\` shows its progress.\n`
        : `The task is saved, but not started yet: see ${places.log}.\n`,
    )
  }
  return isTaken ? exit.fine : exit.findings
}

function chooseAgent(
  words: readonly string[],
  roster: Roster,
  { terminal }: CommandInput,
): { agent: string; task: string } {
  const [first = '', second] = words
  const task = cleanText(second ?? first)
  if (second !== undefined) {
    if (task === '') throw new UsageError('The task is empty.')
    if (roster.has(first)) return { agent: first, task }
    const close = nearestWord(first, [...roster.keys()])
    const names = `Agents: ${[...roster.keys()].filter((name) => name !== KERNEL).join(', ')}.`
    throw new UsageError(`There is no agent "${first}".`, close === null ? names : `Did you mean ${close}? ${names}`)
  }
  if (task === '') throw new UsageError('The task is missing.', 'troupe work start [AGENT] "what to do"')
  if (roster.has(task)) throw new UsageError(`What should ${task} do?`, `troupe work start ${task} "..."`)
  const { members, words: found } = routeTask(task, roster)
  const [member, other] = members
  if (member === undefined)
    throw new UsageError(
      "No agent's trigger words match this task.",
      `Name one: ${[...roster.keys()].filter((name) => name !== KERNEL).join(', ')}. \`troupe work check\` shows the trigger words.`,
    )
  if (other !== undefined)
    throw new UsageError(
      `Several agents match this task: ${members.map(({ name }) => name).join(' and ')} (${found.join(', ')}).`,
      'Name the agent.',
    )
  terminal.info(`Chose ${member.name} because of "${found.join('", "')}".\n`)
  return { agent: member.name, task }
}

/** Every agent that the work can reach. */
function reachableAgents(agent: string, roster: Roster): Set<string> {
  const found = new Set([agent])
  for (const name of found) for (const next of roster.get(name)?.handoffTo ?? []) found.add(next)
  return found
}
