/** `troupe work check`: who can hand work to whom, before anything runs. */
import { resolve } from 'node:path'
import type { Registry } from '../../harness/registry.ts'
import { findProgram, programAt } from '../../proof/find-program.ts'
import { graphText } from '../../report/work-graph-text.ts'
import { openConfig, openTeam, readState } from '../../runtime/open.ts'
import { checkGraph, type GraphProblem } from '../../workplace/graph.ts'
import type { Roster } from '../../workplace/roster.ts'
import { type Command, exit, printJson, printLines } from '../command.ts'
import { withDisk, workplaceOf } from './opening.ts'

export const check: Command = {
  name: 'work check',
  takes: '',
  words: 0,
  summary: 'who can hand work to whom, before anything runs',
  details:
    'Shows the team and its handoffs, and what is wrong with them: agents that do not exist, agents that nobody reaches, names that cannot be told apart, agents that nothing plays. Circles are allowed; a chain of handoffs is bounded.',
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
      const found: GraphProblem[] = [
        ...problems.map(
          (message): GraphProblem => ({ severity: 'error', member: null, code: 'invalid-setting', message }),
        ),
        ...checkGraph(roster, rules.budget.handoffs),
        ...missingPrograms(roster, places.root, registry),
      ]
      const errors = found.filter(({ severity }) => severity === 'error').length
      const warnings = found.filter(({ severity }) => severity === 'warning').length
      if (options.json === true) {
        const members = [...roster.values()].map(({ body: _body, ...member }) => member)
        printJson(terminal, { members, rules, problems: found, summary: { errors, warnings } })
      } else printLines(terminal, graphText(roster, rules, found, terminal))
      return errors > 0 || (options.strict === true && warnings > 0) ? exit.findings : exit.fine
    }),
}

/** Programs named by a list are looked for; a line for the shell is the shell's affair. */
function missingPrograms(roster: Roster, root: string, registry: Registry): GraphProblem[] {
  return [...roster.values()].flatMap(({ name, command, playedIn }): GraphProblem[] => {
    const harness = playedIn === null ? undefined : registry.byId(playedIn)
    const program = harness === undefined ? command?.[0] : harness.oracle?.program.name
    if (program === undefined || program === '/bin/sh') return []
    const found = program.includes('/') ? programAt(resolve(root, program)) : findProgram(program)
    if (found !== null) return []
    return [
      {
        severity: 'error',
        member: name,
        code: 'no-program',
        message:
          harness === undefined
            ? `The program that plays ${name} is not there: ${program}.`
            : `${name} is played in ${harness.title}, which is not installed: there is no \`${program}\` on the PATH.`,
      },
    ]
  })
}
