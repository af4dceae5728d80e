/** `troupe list`: every agent here, in every dialect, even the broken ones. */
import { agentsText } from '../report/agents-text.ts'
import { countBySeverity, countsText, diagnosticsText } from '../report/diagnostics-text.ts'
import { plural } from '../report/layout.ts'
import { besides } from './besides.ts'
import { type Command, exit, printJson, printLines } from './command.ts'
import { agentRow, homelessDiagnostics, outputRows } from './rows.ts'
import { openInventory, scopes } from './setting.ts'

export const list: Command = {
  name: 'list',
  takes: '[PATH...]',
  completes: ['path'],
  words: Number.POSITIVE_INFINITY,
  summary: 'every agent here, in every dialect',
  details:
    'Lists the agents of a project, a folder of loose agent files, or single files. Without PATH: the current project. Files that are not valid are listed too, with what Troupe could recover.',
  options: {
    harness: { type: 'string', value: 'ID', about: 'only this harness; for loose files: read them as its dialect' },
    scope: { type: 'string', value: 'SCOPE', choices: scopes, about: 'project (default), user, or all' },
  },
  examples: [
    ['troupe list', 'the agents of the current project'],
    ['troupe list --scope user', 'the agents in your home folder'],
    ['troupe list ~/collections/agents --json', 'a folder of loose files, for a script'],
  ],
  run: async (input) => {
    const { registry, inventory } = await openInventory(input)
    const rows = inventory.agents.map((found) => agentRow(found))
    if (input.options.json === true) {
      const outputs = outputRows(inventory)
      const nested = inventory.nested()
      printJson(input.terminal, { agents: rows, outputs, nested, diagnostics: homelessDiagnostics(inventory) })
      return exit.fine
    }
    const { terminal } = input
    const { style, columns } = terminal
    printLines(
      terminal,
      agentsText(rows, (id) => registry.byId(id)?.title ?? id, style, columns),
    )
    const shown = homelessDiagnostics(inventory)
    // What Troupe made is mended by mending its source, and counted nowhere.
    const diagnostics = [...shown, ...rows.flatMap((row) => row.diagnostics)]
    if (shown.length > 0) printLines(terminal, ['', ...diagnosticsText(shown, style, columns)])
    printLines(
      terminal,
      closing(rows.length, diagnostics.length === 0 ? null : countsText(countBySeverity(diagnostics))),
    )
    for (const line of besides(inventory)) terminal.tell(`${line}\n`)
    return exit.fine
  },
}

function closing(agents: number, problems: string | null): string[] {
  if (agents === 0) {
    return [
      'No agents here. `troupe harnesses` shows where each harness keeps them; `troupe list PATH` looks elsewhere.',
    ]
  }
  const found = `${plural(agents, 'agent')}.`
  return ['', problems === null ? found : `${found} While reading: ${problems}; \`troupe check\` tells more.`]
}
