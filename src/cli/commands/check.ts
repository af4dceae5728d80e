/** `troupe check`: reports problems and what each harness does about them; `--fix` repairs mechanical ones. */

import { projectFolders } from '../../disk/roots.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { countBySeverity, countsText, diagnosticsText, sarif } from '../../report/findings.ts'
import { jsonText, oneLine, plural } from '../../report/layout.ts'
import { repairFiles } from '../../sync/repair.ts'
import { checkInventory } from '../../workbench/check-inventory.ts'
import type { Inventory } from '../../workbench/inventory.ts'
import {
  type Command,
  type CommandInput,
  exit,
  type OptionValue,
  printAnnotations,
  printJson,
  printLines,
  refuseRun,
  UsageError,
  version,
} from '../command.ts'
import { findHarness, type LoadedProject, loadInventory, scopes } from '../load.ts'
import { otherFilesText } from '../rows.ts'

const checkFormats = ['text', 'json', 'sarif', 'github'] as const
type Format = (typeof checkFormats)[number]

export const check: Command = {
  name: 'check',
  reportsHarnessProblems: false,
  takes: '[PATH...]',
  completes: ['path'],
  words: Number.POSITIVE_INFINITY,
  summary: 'find problems, and predict what each harness does about them',
  details:
    'Predicts for every agent what its harness will do with it: load it, drop a field, refuse to start. --fix repairs what needs no judgement (quoting, names and form of tools, colours, model ids) and changes nothing else; `troupe undo` reverts it.',
  options: {
    for: { type: 'string', value: 'ID,...', about: 'check as these harnesses would read the files' },
    harness: { type: 'string', value: 'ID', about: 'only this harness; loose files are read as its dialect' },
    scope: { type: 'string', value: 'SCOPE', choices: scopes, about: 'project (default), user, or all' },
    fix: { type: 'boolean', about: 'repair in place what needs no judgement' },
    strict: { type: 'boolean', about: 'treat warnings as errors' },
    notes: { type: 'boolean', about: 'show notes as well as errors and warnings' },
    format: { type: 'string', value: 'FORMAT', choices: checkFormats, about: checkFormats.join(', ') },
  },
  examples: [
    ['troupe check', 'everything in the current project'],
    ['troupe check --for opencode,codex .claude/agents', 'how other harnesses would read these files'],
    ['troupe check --fix', 'repair what needs no judgement'],
    ['troupe check --format github', 'annotations in a pull request'],
  ],
  run: async (input) => {
    const format = parseFormat(input)
    if (input.options.fix === true && input.options.for !== undefined) {
      throw new UsageError('--fix repairs files only for their own harness.', 'Remove --for.')
    }
    const loaded = await loadInventory(input)
    const readers = readersOf(loaded.registry, input.options.for)
    const repairs = input.options.fix === true ? repairAll(input, loaded) : noRepairs
    const { repaired } = repairs
    const { registry, inventory } = repaired > 0 ? await loadInventory(input) : loaded
    const { diagnostics } = checkInventory(registry, inventory, readers)
    const counts = countBySeverity(diagnostics)
    const { terminal } = input
    if (format === 'json') printJson(terminal, { diagnostics, summary: { ...amounts(inventory), repaired, ...counts } })
    else if (format === 'sarif') terminal.print(`${jsonText(sarif(diagnostics, version()), 2)}\n`)
    else if (format === 'github') printAnnotations(terminal, diagnostics, input.here)
    else printLines(terminal, text(input, inventory, diagnostics, repairs))
    if (repairs.code !== exit.fine) return repairs.code
    if (isEmpty(inventory)) {
      if (format !== 'text') terminal.info(`${NOTHING}\n`)
      for (const line of otherFilesText(inventory)) terminal.info(`${line}\n`)
      return exit.findings
    }
    return counts.error > 0 || (input.options.strict === true && counts.warning > 0) ? exit.findings : exit.fine
  },
}

/** If nothing is checked, the folder is probably wrong. */
const NOTHING = 'There are no agents to check.'

function isEmpty({ agents, outputs }: Inventory): boolean {
  return agents.length + outputs.length === 0
}

function amounts({ agents, outputs }: Inventory) {
  return { agents: agents.length, outputs: outputs.length }
}

function parseFormat({ options }: CommandInput): Format {
  if (options.json === true) return 'json'
  const format = checkFormats.find((one) => one === (options.format ?? 'text'))
  if (format === undefined)
    throw new UsageError(`Unknown format "${options.format}".`, `Formats are ${checkFormats.join(', ')}.`)
  return format
}

function readersOf(registry: Registry, value: OptionValue): Harness[] {
  return typeof value === 'string' ? value.split(',').map((word) => findHarness(registry, word)) : []
}

interface Repairs {
  /** The number of places. */
  readonly repaired: number
  readonly canBeUndone: boolean
  readonly code: number
}

const noRepairs: Repairs = { repaired: 0, canBeUndone: false, code: exit.fine }

function repairAll(input: CommandInput, { registry, inventory }: LoadedProject): Repairs {
  const root = projectFolders(input.here)[0] ?? input.here
  // Outputs of Troupe are repaired by repairing their source.
  const built = new Set(inventory.outputs.map(({ file }) => file))
  const own = inventory.files.filter((file) => !built.has(file))
  const { refused, files } = repairFiles(registry, root, own)
  if (refused !== null) {
    return { ...noRepairs, code: refuseRun(refused, ' Nothing was repaired.') }
  }
  const { info } = input.terminal
  for (const { path, repair, problem, canBeUndone } of files) {
    if (problem !== null) {
      info(`not repaired ${oneLine(path)}: ${oneLine(problem)}\n`)
      continue
    }
    info(`repaired ${oneLine(path)}: ${plural(repair.repaired.length, 'place')}\n`)
    if (repair.revived.length > 0)
      info(`  it now grants ${repair.revived.join(', ')}, which the harness ignored before\n`)
    if (repair.exceeding.length > 0)
      info(`  its harness loads it now, and gives it more than it says: ${repair.exceeding.join(', ')}\n`)
    if (!canBeUndone) info('  it is outside this project, so `troupe undo` cannot revert it\n')
  }
  const done = files.filter(({ problem }) => problem === null)
  const repaired = done.reduce((sum, { repair }) => sum + repair.repaired.length, 0)
  return { repaired, canBeUndone: done.some((one) => one.canBeUndone), code: exit.fine }
}

function text(
  input: CommandInput,
  inventory: Inventory,
  all: ReturnType<typeof checkInventory>['diagnostics'],
  { repaired, canBeUndone }: Repairs,
): string[] {
  const { style, columns } = input.terminal
  const shown = input.options.notes === true ? all : all.filter(({ severity }) => severity !== 'info')
  const counts = countBySeverity(all)
  const fixable = all.filter((one) => one.fixable).length
  const { agents, outputs } = amounts(inventory)
  const made = outputs === 0 ? '' : ` and ${plural(outputs, 'output')}`
  const checked = isEmpty(inventory) ? NOTHING : `${plural(agents, 'agent')}${made} checked: ${countsText(counts)}.`
  const hints = [
    repaired > 0 ? `${plural(repaired, 'place')} repaired${canBeUndone ? '; `troupe undo` reverts this' : ''}.` : null,
    fixable > 0 ? `\`troupe check --fix\` repairs ${fixable} of them.` : null,
    counts.info > 0 && input.options.notes !== true ? '`--notes` shows the notes.' : null,
  ].filter((hint) => hint !== null)
  return [
    ...diagnosticsText(shown, style, columns),
    ...(shown.length > 0 ? [''] : []),
    counts.error > 0 ? style.red(checked) : checked,
    ...(hints.length > 0 ? [hints.join(' ')] : []),
  ]
}
