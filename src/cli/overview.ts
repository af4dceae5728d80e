/** `troupe` alone: what is here, what is wrong, what to do next, on one screen. */
import { checkInventory } from '../project/check.ts'
import { countBySeverity, countsText } from '../report/diagnostics-text.ts'
import { oneLine, pad, plural, wrap } from '../report/layout.ts'
import { besides } from './besides.ts'
import { type Command, exit, printJson, printLines, type Terminal } from './command.ts'
import { agentRow } from './rows.ts'
import { openInventory } from './setting.ts'

export const overview: Command = {
  name: '',
  takes: '',
  words: 0,
  summary: 'what is here, what is wrong, what to do next',
  options: {},
  examples: [['troupe', 'an overview of the current project']],
  run: async (input) => {
    const { terminal } = input
    const { style } = terminal
    const { registry, inventory } = await openInventory(input, [])
    const { diagnostics } = checkInventory(registry, inventory)
    const counts = countBySeverity(diagnostics)
    if (input.options.json === true) {
      const agents = inventory.agents.map((found) => agentRow(found))
      printJson(terminal, { agents, diagnostics, summary: { agents: agents.length, ...counts } })
      return exit.fine
    }
    if (inventory.agents.length === 0) {
      printLines(terminal, [
        'No agents in this project.',
        '',
        `  ${style.cyan('troupe list PATH')}         looks in another folder, also one of loose files`,
        `  ${style.cyan('troupe list --scope all')}  looks in your home folder too`,
        `  ${style.cyan('troupe harnesses')}         shows where each harness keeps its agents`,
      ])
      for (const line of besides(inventory)) terminal.tell(`${line}\n`)
      return exit.fine
    }
    const byHarness = new Map<string, number>()
    for (const { agent } of inventory.agents) byHarness.set(agent.harness, (byHarness.get(agent.harness) ?? 0) + 1)
    const width = Math.max(...[...byHarness.keys()].map((id) => id.length))
    printLines(terminal, [
      style.bold(`${plural(inventory.agents.length, 'agent')} in ${plural(byHarness.size, 'dialect')}`),
      ...[...byHarness].map(([id, count]) => `  ${pad(id, width)}  ${plural(count, 'agent')}`),
      '',
      ...problems(counts, diagnostics, terminal),
      '',
      `  ${style.cyan('troupe list')}         shows them`,
      `  ${style.cyan('troupe check')}        says what is wrong with each`,
      ...(diagnostics.some(({ fixable }) => fixable)
        ? [`  ${style.cyan('troupe check --fix')}  repairs what is mechanical`]
        : []),
    ])
    return exit.fine
  },
}

function problems(
  counts: ReturnType<typeof countBySeverity>,
  diagnostics: ReturnType<typeof checkInventory>['diagnostics'],
  { style, columns }: Terminal,
): string[] {
  if (counts.error + counts.warning === 0) return [style.green('Nothing is wrong with them.')]
  const worst = diagnostics.filter(({ severity }) => severity === 'error').slice(0, 3)
  return [
    style.red(`${countsText(counts)}.`),
    ...worst.flatMap(({ path, line, message }) => [
      `  ${oneLine(path)}:${line}`,
      ...wrap(oneLine(message), columns - 4).map((text) => `    ${text}`),
    ]),
  ]
}
