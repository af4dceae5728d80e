/** `troupe list`: every agent here, in every dialect, including broken ones, and what else harnesses read. */
import { openAccess } from '../../project/access-in-force.ts'
import { agentListText } from '../../report/agents.ts'
import { componentListText, countComponents } from '../../report/components.ts'
import { countBySeverity, countsText, diagnosticsText } from '../../report/findings.ts'
import { joinList, oneLine, pad, plural, wrap } from '../../report/layout.ts'
import { checkInventory } from '../../workbench/check-inventory.ts'
import { type Command, exit, printJson, printLines, type Terminal } from '../command.ts'
import { loadInventory, scopes } from '../load.ts'
import { agentRow, componentRow, diagnosticsWithoutAgent, otherFilesText, outputRows } from '../rows.ts'

export const list: Command = {
  name: 'list',
  reportsHarnessProblems: false,
  takes: '[PATH...]',
  completes: ['path'],
  words: Number.POSITIVE_INFINITY,
  summary: 'list the agents here, in every dialect, and what else harnesses read',
  details:
    'Lists the agents, skills, commands, MCP servers, instructions and hooks of a project, a folder of loose agent files, or single files (default: the current project). Files with errors are listed too, with what Troupe can recover.',
  options: {
    harness: { type: 'string', value: 'ID', about: 'only this harness; loose files are read as its dialect' },
    scope: { type: 'string', value: 'SCOPE', choices: scopes, about: 'project (default), user, or all' },
  },
  examples: [
    ['troupe list', 'the agents of the current project'],
    ['troupe list --scope user', 'the agents in your home folder'],
    ['troupe list ~/collections/agents --json', 'a folder of loose files, for a script'],
  ],
  run: async (input) => {
    const { registry, inventory } = await loadInventory(input)
    const inForce = openAccess(registry, input.here, { isList: true })
    const rows = inventory.agents.map((found) => agentRow(found, inForce(found).access))
    const found = inventory.components()
    if (input.options.json === true) {
      const outputs = outputRows(inventory)
      const nested = inventory.nested()
      const diagnostics = [...diagnosticsWithoutAgent(inventory), ...found.problems]
      printJson(input.terminal, {
        agents: rows,
        components: found.components.map(componentRow),
        outputs,
        nested,
        diagnostics,
      })
      return exit.fine
    }
    const { terminal } = input
    const { style, columns } = terminal
    printLines(
      terminal,
      agentListText(rows, (id) => registry.byId(id)?.title ?? id, style, columns),
    )
    const components = componentListText(found.components, style, columns)
    printLines(terminal, rows.length === 0 ? components.slice(1) : components)
    const shown = [
      ...diagnosticsWithoutAgent(inventory),
      ...found.problems,
      ...found.components.flatMap((one) => one.diagnostics),
    ]
    // Outputs of Troupe are repaired in their source, and are not counted.
    const diagnostics = [...shown, ...rows.flatMap((row) => row.diagnostics)]
    if (shown.length > 0) printLines(terminal, ['', ...diagnosticsText(shown, style, columns)])
    printLines(
      terminal,
      closing(
        rows.length,
        countComponents(found.components),
        diagnostics.length === 0 ? null : countsText(countBySeverity(diagnostics)),
      ),
    )
    for (const line of otherFilesText(inventory)) terminal.info(`${line}\n`)
    return exit.fine
  },
}

function closing(agents: number, others: readonly string[], problems: string | null): string[] {
  if (agents === 0 && others.length === 0) {
    return [
      'No agents here. `troupe harnesses` shows where each harness keeps them; `troupe list PATH` looks in another folder.',
    ]
  }
  const found = `${joinList([...(agents === 0 ? [] : [plural(agents, 'agent')]), ...others])}.`
  return ['', problems === null ? found : `${found} Found while reading: ${problems}. \`troupe check\` shows details.`]
}

/** `troupe` alone: what is here, what is wrong, what to do next, on one screen. */
export const overview: Command = {
  name: '',
  takes: '',
  words: 0,
  summary: 'show what is here, what is wrong, and what to do next',
  options: {},
  examples: [['troupe', 'an overview of the current project']],
  run: async (input) => {
    const { terminal } = input
    const { style } = terminal
    const { registry, inventory } = await loadInventory(input, [])
    const { diagnostics } = checkInventory(registry, inventory)
    const counts = countBySeverity(diagnostics)
    const { components } = inventory.components()
    const others = joinList(countComponents(components))
    if (input.options.json === true) {
      const inForce = openAccess(registry, input.here, { isList: true })
      const agents = inventory.agents.map((found) => agentRow(found, inForce(found).access))
      const summary = { agents: agents.length, ...counts }
      printJson(terminal, { agents, components: components.map(componentRow), diagnostics, summary })
      return exit.fine
    }
    if (inventory.agents.length === 0) {
      printLines(terminal, [
        ...wrap(`No agents in this project${others === '' ? '.' : `, but ${others}.`}`, terminal.columns),
        '',
        ...(others === ''
          ? []
          : [`  ${style.cyan('troupe list')}              lists them, and the harnesses that read them`]),
        `  ${style.cyan('troupe list PATH')}         looks in another folder, even one of loose files`,
        `  ${style.cyan('troupe list --scope all')}  also looks in your home folder`,
        `  ${style.cyan('troupe harnesses')}         shows where each harness keeps its agents`,
      ])
      for (const line of otherFilesText(inventory)) terminal.info(`${line}\n`)
      return exit.fine
    }
    const byHarness = new Map<string, number>()
    for (const { agent } of inventory.agents) byHarness.set(agent.harness, (byHarness.get(agent.harness) ?? 0) + 1)
    const width = Math.max(...[...byHarness.keys()].map((id) => id.length))
    printLines(terminal, [
      style.bold(`${plural(inventory.agents.length, 'agent')} in ${plural(byHarness.size, 'dialect')}`),
      ...[...byHarness].map(([id, count]) => `  ${pad(id, width)}  ${plural(count, 'agent')}`),
      ...(others === '' ? [] : wrap(`Also here: ${others}.`, terminal.columns)),
      '',
      ...problemLines(counts, diagnostics, terminal),
      '',
      `  ${style.cyan('troupe list')}         lists ${others === '' ? 'the agents' : 'all of it'}`,
      `  ${style.cyan('troupe check')}        explains each problem`,
      ...(diagnostics.some(({ fixable }) => fixable)
        ? [`  ${style.cyan('troupe check --fix')}  repairs what needs no judgement`]
        : []),
    ])
    return exit.fine
  },
}

function problemLines(
  counts: ReturnType<typeof countBySeverity>,
  diagnostics: ReturnType<typeof checkInventory>['diagnostics'],
  { style, columns }: Terminal,
): string[] {
  if (counts.error + counts.warning === 0) return [style.green('No problems found.')]
  const worst = diagnostics.filter(({ severity }) => severity === 'error').slice(0, 3)
  return [
    style.red(`${countsText(counts)}.`),
    ...worst.flatMap(({ path, line, message }) => [
      `  ${oneLine(path)}:${line}`,
      ...wrap(oneLine(message), columns - 4).map((text) => `    ${text}`),
    ]),
  ]
}
