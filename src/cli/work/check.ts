/** `troupe work check`: who can hand work to whom, and what each member runs as, before anything runs. */
import { findPlayers } from '../../acting/players.ts'
import { graphText } from '../../report/work-graph-text.ts'
import { openConfig, openTeam, readState } from '../../runtime/open.ts'
import { checkGraph, type GraphProblem } from '../../workplace/graph.ts'
import { joined } from '../../workplace/may.ts'
import type { Player } from '../../workplace/player.ts'
import { type Command, exit, printJson, printLines } from '../command.ts'
import { withDisk, workplaceOf } from './opening.ts'

export const check: Command = {
  name: 'work check',
  takes: '',
  words: 0,
  summary: 'the team, what each member runs as, and what it may do',
  details:
    'Shows the team and its handoffs, what each member runs as, what it may do, and whether its harness has a login or a key. Only whether files and variables are there is looked at; no turn is started. Says what is wrong: agents that do not exist or that no agent reaches, names that cannot be told apart, members that cannot run (exit code 1). Circles are allowed; a chain of handoffs is bounded.',
  options: { strict: { type: 'boolean', about: 'warnings count as errors' } },
  examples: [['troupe work check', 'before the first start']],
  run: (input) =>
    withDisk(input, async () => {
      const places = workplaceOf(input)
      const { terminal, options } = input
      // Both say it where the workplace cannot be used.
      openConfig(places)
      readState(places)
      const { roster, rules, problems, registry } = await openTeam(places)
      const players = await findPlayers({ places, registry, roster, standIn: Boolean(process.env.TROUPE_MODEL) })
      const found: GraphProblem[] = [
        ...problems.map(
          (message): GraphProblem => ({ severity: 'error', member: null, code: 'invalid-setting', message }),
        ),
        ...checkGraph(roster, rules.budget.handoffs),
        ...hindrances(players),
      ]
      const errors = found.filter(({ severity }) => severity === 'error').length
      const warnings = found.filter(({ severity }) => severity === 'warning').length
      if (options.json === true) {
        const members = [...roster.values()].map(({ body: _body, ...member }) => member)
        printJson(terminal, { members, players, rules, problems: found, summary: { errors, warnings } })
      } else printLines(terminal, graphText(roster, rules, found, players, terminal))
      return errors > 0 || (options.strict === true && warnings > 0) ? exit.findings : exit.fine
    }),
}

/** What keeps members from running, once for all that it concerns. */
function hindrances(players: readonly Player[]): GraphProblem[] {
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
        message: `${joined(names, 'and')} cannot run: ${message.replace(/\.$/, '')}.`,
        ...(hint === undefined ? {} : { hint }),
      },
    ]
  })
}
