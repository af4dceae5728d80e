/** `troupe work doctor`: what a crash or a stranger left behind. */
import { oneLine, pad } from '../../report/layout.ts'
import { wrapped } from '../../report/paper.ts'
import { examine } from '../../runtime/examine.ts'
import { openConfig, openTeam, readState } from '../../runtime/open.ts'
import { type Command, exit, printJson, printLines } from '../command.ts'
import { withDisk, workplaceOf } from './opening.ts'

export const doctor: Command = {
  name: 'work doctor',
  takes: '',
  words: 0,
  summary: 'what a crash or a stranger left behind',
  details:
    'Looks at the journal, the chat, the inbox, processes, runs and worktrees, and says what is not as it should be. It changes nothing.',
  options: {},
  examples: [['troupe work doctor', 'when something seems wrong']],
  run: (input) =>
    withDisk(input, async () => {
      const places = workplaceOf(input)
      const { terminal, options } = input
      // It says so where the workplace cannot be used.
      openConfig(places)
      const state = readState(places)
      const { roster } = await openTeam(places)
      const findings = examine(places, state, roster)
      const { style } = terminal
      if (options.json === true) printJson(terminal, { findings })
      else {
        const lines = findings.flatMap(({ what, ok, message, hint }) => [
          `${ok ? style.green('\u2713') : style.red('\u2717')} ${pad(what, 10)} ${oneLine(message)}`,
          ...(hint === undefined ? [] : wrapped(terminal, hint, 13).map((line) => style.dim(line))),
        ])
        printLines(terminal, lines)
      }
      return findings.every(({ ok }) => ok) ? exit.fine : exit.findings
    }),
}
