/** `troupe work check`, `try` and `doctor`: the handoff graph, a trial of the team, and the remains of a crash. */

import { oneLine, pad, plural } from '../../report/layout.ts'
import { wrapIndented } from '../../report/print-text.ts'
import { teamText, trialText } from '../../report/team/check.ts'
import { narrateRecord } from '../../report/team/status.ts'
import { findPlayers } from '../../team/members/players.ts'
import { trialRows, tryTeam } from '../../team/members/trial.ts'
import { examineWorkplace } from '../../team/runtime/doctor.ts'
import { openTeam, readState, readWorkplaceConfig } from '../../team/runtime/open.ts'
import { checkTeam, type GraphProblem, planTrial } from '../../team/state/graph.ts'
import { joinNames, type Player } from '../../team/state/roster.ts'
import { type Command, type CommandInput, exit, printJson, printLines, UsageError } from '../command.ts'
import { isInteractive } from '../policies.ts'
import { withQuestions } from '../questions.ts'
import { findWorkplaceFor, onInterrupt, printNotes, withDiskErrors } from './opening.ts'

export const workCheck: Command = {
  name: 'work check',
  takes: '',
  words: 0,
  summary: 'show the team, what runs each member, and what it may do',
  details:
    'Shows the team and its handoffs, what runs each member, what it may do, and whether its harness has a login or a key. It only looks whether files and variables exist, and starts no turn. Reports problems: agents that do not exist or cannot be reached, ambiguous names, members that cannot run (exit code 1). Cycles are allowed: the length of a chain is limited.',
  options: { strict: { type: 'boolean', about: 'warnings count as errors' } },
  examples: [['troupe work check', 'before the first start']],
  run: (input) =>
    withDiskErrors(input, async () => {
      const places = findWorkplaceFor(input)
      const { terminal, options } = input
      // Both throw if the workplace cannot be used.
      readWorkplaceConfig(places)
      readState(places)
      const { roster, rules, problems, registry } = await openTeam(places)
      const players = await findPlayers({ places, registry, roster, standIn: Boolean(process.env.TROUPE_MODEL) })
      const found: GraphProblem[] = [
        ...problems.map(
          (message): GraphProblem => ({ severity: 'error', member: null, code: 'invalid-setting', message }),
        ),
        ...checkTeam(roster, rules.budget.handoffs),
        ...playerProblems(players),
      ]
      const errors = found.filter(({ severity }) => severity === 'error').length
      const warnings = found.filter(({ severity }) => severity === 'warning').length
      if (options.json === true) {
        const members = [...roster.values()].map(({ body: _body, ...member }) => member)
        printJson(terminal, { members, players, rules, problems: found, summary: { errors, warnings } })
      } else printLines(terminal, teamText(roster, rules, found, players, terminal))
      return errors > 0 || (options.strict === true && warnings > 0) ? exit.findings : exit.fine
    }),
}

/** What prevents members from running, once for all that are affected. */
function playerProblems(players: readonly Player[]): GraphProblem[] {
  const groups = new Map<string, Player[]>()
  for (const player of players) {
    if (player.problem === null) continue
    const key = JSON.stringify([player.problem, player.harness?.id])
    groups.set(key, [...(groups.get(key) ?? []), player])
  }
  return [...groups.values()].flatMap((group): GraphProblem[] => {
    const [first] = group
    if (first === undefined || first.problem === null) return []
    const { code, message, hint } = first.problem
    const names = group.map(({ member }) => member)
    return [
      {
        severity: 'error',
        member: names.length === 1 ? first.member : null,
        code,
        message: `${joinNames(names, 'and')} cannot run: ${message.replace(/\.$/, '')}.`,
        ...(hint === undefined ? {} : { hint }),
      },
    ]
  })
}

/** `troupe work try`: runs the team once on a stand-in model, offline, and shows what works. */
export const workTry: Command = {
  name: 'work try',
  takes: '',
  words: 0,
  summary: 'run the team once without a model, a key or a network',
  details:
    'Runs the team once in a copy of the project. The workplace and the harnesses are real, each with its own home folder; the model is a stub on this machine. Each member is started, checked against its definition, hands work on along handoff_to, and answers. Nothing is written to the project, and nothing keeps running. Settings, hooks, MCP servers and plugins of the project are left out of the copy, so that no program they name is started; the result lists them. A stand-in replaces members whose harness is not installed. Your own programs (`command`) really run: you are asked first.',
  options: { yes: { type: 'boolean', about: 'run your own programs without asking' } },
  examples: [['troupe work try', 'before you use a key']],
  run: (input) => withDiskErrors(input, () => tryHere(input)),
}

async function tryHere(input: CommandInput): Promise<number> {
  const { terminal, options } = input
  const places = findWorkplaceFor(input)
  const { ignorePatterns } = readWorkplaceConfig(places)
  const { roster, registry, problems } = await openTeam(places)
  printNotes(
    terminal,
    problems.map((problem) => `! ${problem}`),
  )
  if (planTrial(roster).entries.length === 0)
    throw new UsageError('There is no agent to try.', '`troupe work check` shows the team.')
  const players = await findPlayers({ places, registry, roster, standIn: true })
  const programs = await mayRunPrograms(input, players)
  const { interrupted, forget } = onInterrupt()
  printNotes(terminal, [
    'Running the team once in a copy of the project, with a stub model on this machine: no key is used.',
  ])
  try {
    const trial = await tryTeam({
      root: places.root,
      ignore: ignorePatterns,
      registry,
      players,
      programs,
      interrupted,
      onRecords: (records, state) => {
        for (const record of records) {
          const line = narrateRecord(record, state, null, { ...terminal, columns: terminal.columns - 2 })
          if (line !== null) terminal.info(`  ${line.replaceAll('\n', '\n  ')}\n`)
        }
      },
    })
    if (trial.isInterrupted) {
      printNotes(terminal, ['Stopped. The copy is removed.'])
      return exit.interrupted
    }
    const rows = trialRows(roster, players, trial, programs)
    if (trial.left > 0)
      printNotes(terminal, [
        `${plural(trial.left, 'file')} of the project ${trial.left === 1 ? 'was' : 'were'} not copied: too large, too many, or a link out of the project.`,
      ])
    if (options.json === true) printJson(terminal, { members: rows, notCopied: trial.left, ...trial.removed })
    else {
      terminal.info('\n')
      printLines(terminal, trialText(rows, trial.removed, terminal))
    }
    const isMissing = players.some(({ problem }) => problem?.code === 'no-program')
    return isMissing || rows.some(({ problem }) => problem !== null) ? exit.findings : exit.fine
  } finally {
    forget()
  }
}

/** The user's own programs may do anything, with a real key if they have one. */
async function mayRunPrograms(input: CommandInput, players: readonly Player[]): Promise<boolean> {
  const own = players.filter(
    ({ harness, command, problem }) => harness === null && command !== null && problem === null,
  )
  if (own.length === 0) return false
  if (input.options.yes === true) return true
  if (!isInteractive(input)) return false
  const { info, style } = input.terminal
  info('\nThese members are your own programs. They really run, with your permissions and your keys:\n')
  for (const { member, command } of own)
    info(`  ${style.bold(oneLine(member))}  ${oneLine(command?.join(' ') ?? '')}\n`)
  const answer = await withQuestions((choose) => choose('Run them in a copy of the project? y/n [n] ', ['y', 'n'], 'n'))
  return answer === 'y'
}

/** `troupe work doctor`: what a crash or another program left behind. */
export const workDoctor: Command = {
  name: 'work doctor',
  takes: '',
  words: 0,
  summary: 'show what a crash or another program left behind',
  details:
    'Checks the journal, the chat, the inbox, processes, runs and worktrees, and reports problems. It changes nothing.',
  options: {},
  examples: [['troupe work doctor', 'when something seems wrong']],
  run: (input) =>
    withDiskErrors(input, async () => {
      const places = findWorkplaceFor(input)
      const { terminal, options } = input
      // Throws if the workplace cannot be used.
      readWorkplaceConfig(places)
      const state = readState(places)
      const { roster } = await openTeam(places)
      const findings = examineWorkplace(places, state, roster)
      const { style } = terminal
      if (options.json === true) printJson(terminal, { findings })
      else {
        const lines = findings.flatMap(({ what, ok, message, hint }) => [
          ...wrapIndented(terminal, message, 13).map((line, index) =>
            index > 0 ? line : `${ok ? style.green('\u2713') : style.red('\u2717')} ${pad(what, 10)} ${line.slice(13)}`,
          ),
          ...(hint === undefined ? [] : wrapIndented(terminal, hint, 13).map((line) => style.dim(line))),
        ])
        printLines(terminal, lines)
      }
      return findings.every(({ ok }) => ok) ? exit.fine : exit.findings
    }),
}
