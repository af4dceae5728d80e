/** `troupe check`: what is wrong, and what each harness will do about it; `--fix` repairs what is mechanical. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { checkInventory } from '../project/check.ts'
import { repairFile } from '../project/fix.ts'
import type { Inventory } from '../project/inventory.ts'
import { projectFolders } from '../project/roots.ts'
import { replaceFile } from '../project/write.ts'
import { countBySeverity, countsText, diagnosticsText } from '../report/diagnostics-text.ts'
import { plural } from '../report/layout.ts'
import { sarif } from '../report/sarif.ts'
import { encode } from '../text/decode.ts'
import { printAnnotations } from './annotations.ts'
import {
  type Command,
  type CommandInput,
  exit,
  type OptionValue,
  printJson,
  printLines,
  UsageError,
} from './command.ts'
import { findHarness, openInventory, scopes } from './setting.ts'
import { version } from './version.ts'

const formats = ['text', 'json', 'sarif', 'github'] as const
type Format = (typeof formats)[number]

export const check: Command = {
  name: 'check',
  takes: '[PATH...]',
  completes: ['path'],
  words: Number.POSITIVE_INFINITY,
  summary: 'what is wrong, and what each harness will do about it',
  details:
    'Says for every agent what its harness will really do with it: load it, drop a field, refuse to start. With --fix it repairs what is mechanical (quoting, spelling and shape of tools, colours, model ids) and touches nothing else.',
  options: {
    for: { type: 'string', value: 'ID,...', about: 'as these harnesses would read the files' },
    harness: { type: 'string', value: 'ID', about: 'only this harness; for loose files: read them as its dialect' },
    scope: { type: 'string', value: 'SCOPE', choices: scopes, about: 'project (default), user, or all' },
    fix: { type: 'boolean', about: 'repair in place what needs no judgement' },
    strict: { type: 'boolean', about: 'warnings count as errors' },
    notes: { type: 'boolean', about: 'show notes too, not only errors and warnings' },
    format: { type: 'string', value: 'FORMAT', choices: formats, about: formats.join(', ') },
  },
  examples: [
    ['troupe check', 'everything in the current project'],
    ['troupe check --for opencode,codex .claude/agents', 'what others would do with these files'],
    ['troupe check --fix', 'repair what is mechanical'],
    ['troupe check --format github', 'annotations in a pull request'],
  ],
  run: async (input) => {
    const format = formatOf(input)
    if (input.options.fix === true && input.options.for !== undefined) {
      throw new UsageError('--fix repairs files for the harness they belong to.', 'Leave out --for.')
    }
    const setting = await openInventory(input)
    const readers = readersOf(setting.registry, input.options.for)
    const repaired = input.options.fix === true ? repairAll(input, setting) : 0
    const { registry, inventory } = repaired > 0 ? await openInventory(input) : setting
    const { diagnostics } = checkInventory(registry, inventory, readers)
    const counts = countBySeverity(diagnostics)
    const { terminal } = input
    if (format === 'json')
      printJson(terminal, { diagnostics, summary: { agents: inventory.agents.length, repaired, ...counts } })
    else if (format === 'sarif') terminal.print(`${JSON.stringify(sarif(diagnostics, version()), null, 2)}\n`)
    else if (format === 'github') printAnnotations(terminal, diagnostics, input.here)
    else printLines(terminal, text(input, inventory, diagnostics, repaired))
    return counts.error > 0 || (input.options.strict === true && counts.warning > 0) ? exit.findings : exit.fine
  },
}

function formatOf({ options }: CommandInput): Format {
  if (options.json === true) return 'json'
  const format = formats.find((one) => one === (options.format ?? 'text'))
  if (format === undefined)
    throw new UsageError(`There is no format "${options.format}".`, `Formats are ${formats.join(', ')}.`)
  return format
}

function readersOf(registry: Registry, value: OptionValue): Harness[] {
  return typeof value === 'string' ? value.split(',').map((word) => findHarness(registry, word)) : []
}

function repairAll(input: CommandInput, setting: { registry: Registry; inventory: Inventory }): number {
  const root = projectFolders(input.here)[0] ?? input.here
  let repaired = 0
  for (const file of setting.inventory.files) {
    const repair = repairFile(setting.registry, file)
    if (repair === null) continue
    const result = replaceFile(file.candidate.path, encode(repair.text, file.source.encoding), root)
    if (result.written) {
      repaired += repair.repaired.length
      input.terminal.tell(`repaired ${file.path}: ${plural(repair.repaired.length, 'place')}\n`)
    } else input.terminal.tell(`not repaired ${file.path}: ${result.why}\n`)
  }
  return repaired
}

function text(
  input: CommandInput,
  inventory: Inventory,
  all: ReturnType<typeof checkInventory>['diagnostics'],
  repaired: number,
): string[] {
  const { style, columns } = input.terminal
  const shown = input.options.notes === true ? all : all.filter(({ severity }) => severity !== 'info')
  const counts = countBySeverity(all)
  const fixable = all.filter((one) => one.fixable).length
  const checked = `${plural(inventory.agents.length, 'agent')} checked: ${countsText(counts)}.`
  const hints = [
    repaired > 0 ? `${plural(repaired, 'place')} repaired.` : null,
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
