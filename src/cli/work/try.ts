/** `troupe work try`: plays the team once on a stand-in model, offline, and shows what works. */
import { findPlayers } from '../../acting/players.ts'
import { trialRows } from '../../acting/trial/rows.ts'
import { tryTeam } from '../../acting/trial/trial.ts'
import { oneLine, plural } from '../../report/layout.ts'
import { narrate } from '../../report/work-narration.ts'
import { trialText } from '../../report/work-trial-text.ts'
import { openConfig, openTeam } from '../../runtime/open.ts'
import type { Player } from '../../workplace/player.ts'
import { planTrial } from '../../workplace/trial.ts'
import { type Command, type CommandInput, exit, printJson, printLines, UsageError } from '../command.ts'
import { canAsk } from '../gap-policy.ts'
import { withQuestions } from '../questions.ts'
import { interruption, say, withDisk, workplaceOf } from './opening.ts'

export const tryOut: Command = {
  name: 'work try',
  takes: '',
  words: 0,
  summary: 'play the team once without a model, a key or a network',
  details:
    'Plays the team once in a copy of the project: the workplace and the harnesses are the real ones, each with a home folder of its own, and the model is played by Troupe on this machine. Each member is started, seen to be the agent of its definition, hands on along handoff_to, and answers. Nothing is written into the project, and nothing is left running. Settings, hooks, MCP servers and plugins of the project are left out of the copy, so that no program is started that they name; the result says which. Members whose harness is not installed are played by a stand-in. Programs of your own (`command`) are really run: you are asked first.',
  options: { yes: { type: 'boolean', about: 'run programs of your own without asking' } },
  examples: [['troupe work try', 'before the first key is spent']],
  run: (input) => withDisk(input, () => tryHere(input)),
}

async function tryHere(input: CommandInput): Promise<number> {
  const { terminal, options } = input
  const places = workplaceOf(input)
  const { ignorePatterns } = openConfig(places)
  const { roster, registry, problems } = await openTeam(places)
  say(
    terminal,
    problems.map((problem) => `! ${problem}`),
  )
  if (planTrial(roster).entries.length === 0)
    throw new UsageError('There is no agent to try.', '`troupe work check` shows the team.')
  const players = await findPlayers({ places, registry, roster, standIn: true })
  const programs = await mayRun(input, players)
  const { heard: interrupted, forget } = interruption()
  say(terminal, [
    'Playing the team once in a copy of the project. The model is played by Troupe on this machine: no key is used.',
  ])
  try {
    const trial = await tryTeam({
      root: places.root,
      ignore: ignorePatterns,
      registry,
      players,
      programs,
      interrupted,
      told: (records, state) => {
        for (const record of records) {
          const line = narrate(record, state, null, { ...terminal, columns: terminal.columns - 2 })
          if (line !== null) terminal.tell(`  ${line}\n`)
        }
      },
    })
    if (trial.isInterrupted) {
      say(terminal, ['Stopped. Nothing is left of it.'])
      return exit.interrupted
    }
    const rows = trialRows(roster, players, trial, programs)
    if (trial.left > 0)
      say(terminal, [
        `${plural(trial.left, 'file')} of the project ${trial.left === 1 ? 'was' : 'were'} not copied: too large, too many, or a link to elsewhere.`,
      ])
    if (options.json === true) printJson(terminal, { members: rows, notCopied: trial.left, ...trial.quieted })
    else {
      terminal.tell('\n')
      printLines(terminal, trialText(rows, trial.quieted, terminal))
    }
    const isMissing = players.some(({ problem }) => problem?.code === 'no-program')
    return isMissing || rows.some(({ problem }) => problem !== null) ? exit.findings : exit.fine
  } finally {
    forget()
  }
}

/** Programs of the user's own do whatever they do, with a real key if they have one. */
async function mayRun(input: CommandInput, players: readonly Player[]): Promise<boolean> {
  const own = players.filter(
    ({ harness, command, problem }) => harness === null && command !== null && problem === null,
  )
  if (own.length === 0) return false
  if (input.options.yes === true) return true
  if (!canAsk(input)) return false
  const { tell, style } = input.terminal
  tell('\nThese members are programs of your own. They are really run, with your rights and your keys:\n')
  for (const { member, command } of own)
    tell(`  ${style.bold(oneLine(member))}  ${oneLine(command?.join(' ') ?? '')}\n`)
  const answer = await withQuestions((choose) => choose('Run them in a copy of the project? y/n [n] ', ['y', 'n'], 'n'))
  return answer === 'y'
}
