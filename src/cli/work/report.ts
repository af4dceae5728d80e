/** `troupe work report`: what an agent says of its own work. */
import { drop } from '../../runtime/inbox.ts'
import { type ReportStatus, reportStatuses } from '../../workplace/records.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { listOf, withDisk, workplaceOf } from './opening.ts'

export const report: Command = {
  name: 'work report',
  takes: 'completed|error|progress [TEXT]',
  words: 2,
  summary: 'what an agent says of its own work',
  details:
    'For agents at work: that they are done, that they cannot go on, or where they are, so that another attempt can go on from there. The run it belongs to is known from the environment.',
  options: {
    files: { type: 'string', value: 'PATH,...', about: 'the files involved' },
    run: { type: 'string', value: 'RUN', about: 'the run it is about, for agents that run all the time' },
  },
  examples: [
    ['troupe work report completed "the login form is there"', 'the answer to the one who asked'],
    ['troupe work report progress "tests are written" --files test/login.test.ts', 'in between'],
  ],
  run: (input) => withDisk(input, () => reportHere(input)),
}

function reportHere(input: CommandInput): number {
  const { terminal, options, positionals } = input
  const [word = '', text = ''] = positionals
  const status: ReportStatus | undefined = reportStatuses.find((one) => one === word)
  if (status === undefined)
    throw new UsageError(`There is no status "${word}".`, `There are ${reportStatuses.join(', ')}.`)
  const run = typeof options.run === 'string' ? options.run : process.env.TROUPE_RUN
  if (run === undefined || run === '')
    throw new UsageError('This is for agents at work: TROUPE_RUN is not set.', '--run names the run.')
  const id = drop(workplaceOf(input), { kind: 'report', run, status, text, files: listOf(options.files) })
  if (options.json === true) printJson(terminal, { id, run, status })
  return exit.fine
}
