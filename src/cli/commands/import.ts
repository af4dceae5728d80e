/**
 * `troupe import`: turns a folder of agents into one PromptScript file; `troupe harnesses import`: an adapter into a
 * harness file.
 */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Target } from '../../convert/plan.ts'
import { showPath } from '../../disk/roots.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Diagnostic } from '../../model/findings.ts'
import { diagnosticsText } from '../../report/findings.ts'
import { oneLine, pad, plural, wrap } from '../../report/layout.ts'
import { type AgentsImport, importAgents } from '../../sync/import-agents.ts'
import { type HarnessImport, importHarness } from '../../sync/import-harness.ts'
import {
  type Command,
  type CommandInput,
  errorText,
  exit,
  printJson,
  printLines,
  refuseRun,
  UsageError,
} from '../command.ts'
import { findHarness, loadRegistry, requirePaths } from '../load.ts'

export const importCommand: Command = {
  name: 'import',
  reportsHarnessProblems: false,
  takes: 'SRC',
  words: 1,
  summary: 'import a folder of agents into one PromptScript file',
  details:
    'Writes every agent of a project, a folder or a file into the @agents block of one .prs file. Prompts stay the same, byte for byte except for line endings, and so does everything that PromptScript can express. Files without front matter are left out. `troupe convert FILE.prs --to ID` converts back.',
  options: {
    out: { type: 'string', short: 'o', value: 'FILE', about: 'file to write (default: print it)' },
    harness: { type: 'string', value: 'ID', about: 'read the agents as this dialect' },
    force: { type: 'boolean', about: 'replace a file that Troupe did not write' },
    'dry-run': { type: 'boolean', about: 'show what would be done; write nothing' },
  },
  examples: [
    ['troupe import agents/ -o agents.prs', 'one file with all of them'],
    ['troupe import .claude/agents/planner.md', 'preview one agent'],
  ],
  run: async (input) => {
    const { options, here, positionals } = input
    const [from] = positionals
    if (from === undefined) throw new UsageError('Missing argument PATH.', '`troupe import FOLDER -o FILE.prs`')
    const { registry, problems } = await loadRegistry(input)
    requirePaths(input)
    const out = typeof options.out === 'string' ? outputOf(here, options.out) : null
    const result = importAgents({
      registry,
      here,
      target: oneFileTarget(registry),
      from: resolve(here, from),
      harness: typeof options.harness === 'string' ? findHarness(registry, options.harness) : null,
      out,
      force: options.force === true,
      dryRun: options['dry-run'] === true,
    })
    const shown = out === null ? null : showPath(here)(out)
    const whole = { ...result, diagnostics: [...problems, ...result.diagnostics] }
    if (options.json === true) printJson(input.terminal, documentOf(whole, shown))
    else printImport(input, whole, shown)
    if (result.refused !== null) return refuseRun(result.refused)
    for (const sentence of result.notAgents) process.stderr.write(errorText(sentence, undefined))
    if (result.notAgents.length > 0) return exit.usage
    if (result.agents.length === 0) return exit.findings
    const all = [...whole.diagnostics, ...whole.agents.flatMap(({ diagnostics }) => diagnostics)]
    const isIncomplete =
      result.agents.some(({ entry }) => entry === null) || all.some(({ code }) => code === 'not-written')
    return isIncomplete ? exit.findings : exit.fine
  },
}

function outputOf(here: string, file: string): string {
  if (!file.endsWith('.prs'))
    throw new UsageError(`${file} is not a PromptScript file.`, 'Its name must end with .prs.')
  return resolve(here, file)
}

/** The dialect that holds all agents in one file of this format. */
function oneFileTarget({ all }: Registry): Target {
  for (const harness of all) {
    const carrier = harness.carriers.find(({ format, agents }) => format === 'prs' && agents?.as === 'map')
    if (carrier !== undefined) return { harness, carrier }
  }
  throw new UsageError('There is no harness file for PromptScript.')
}

function countsOf({ agents }: AgentsImport) {
  const imported = agents.filter(({ entry }) => entry !== null).length
  return { agents: agents.length, imported, leftOut: agents.length - imported }
}

function documentOf(result: AgentsImport, path: string | null) {
  const agents = result.agents.map(({ name, from: { source, called }, entry, diagnostics }) => ({
    name,
    source: { name: called, harness: source.harness.id, path: source.path },
    imported: entry !== null,
    diagnostics,
  }))
  const { status, diagnostics } = result
  const text = path === null ? { text: result.text } : {}
  return { path, status, ...text, agents, diagnostics, summary: countsOf(result) }
}

/** On stdout only the file, if it is printed; everything else goes to stderr. */
function printImport({ terminal }: CommandInput, result: AgentsImport, path: string | null): void {
  const { style, columns } = terminal
  // The result for the file itself comes last.
  const isOfFile = ({ code }: Diagnostic) => code === 'not-written'
  const said = [
    ...result.diagnostics.filter((one) => !isOfFile(one)),
    ...result.agents.flatMap(({ diagnostics }) => diagnostics),
    ...result.diagnostics.filter(isOfFile),
  ]
  const shown = said.filter(({ severity }) => severity !== 'info')
  const lines = diagnosticsText(shown, style, columns)
  const closing = closingText(result, path)
  const all = [...lines, ...(lines.length > 0 && closing !== null ? [''] : []), ...(closing === null ? [] : [closing])]
  if (path !== null) printLines(terminal, all)
  else {
    // A file without agents is useless.
    if (result.agents.length > 0) terminal.print(result.text)
    terminal.info(all.length === 0 ? '' : `${all.join('\n')}\n`)
  }
}

function closingText(result: AgentsImport, path: string | null): string | null {
  const { imported, leftOut } = countsOf(result)
  if (result.refused !== null) return null
  if (result.agents.length === 0 && path === null)
    return result.notAgents.length > 0 ? null : 'There are no agents to import.'
  const counts = `${plural(imported, 'agent')}${leftOut > 0 ? `, ${leftOut} left out` : ''}`
  const { status } = result
  if (path === null || status === null) return `${counts}.${lineEndsText(result)}`
  const file = oneLine(path)
  if (status === 'failed') return 'Nothing was written.'
  const done = { planned: `Would write ${file}`, unchanged: `${file} is up to date`, written: `Wrote ${file}` }
  return `${done[status]}: ${counts}.${lineEndsText(result)}`
}

/** The same note for many agents is printed once. */
function lineEndsText({ agents }: AgentsImport): string {
  const count = agents.filter(({ diagnostics }) => diagnostics.some(({ code }) => code === 'line-ends')).length
  return count === 0 ? '' : ` ${plural(count, 'prompt')} with CRLF line endings now ${count === 1 ? 'has' : 'have'} LF.`
}

/** `troupe harnesses import FILE.md`: turns an adapter into a harness file, and reports how. */
export async function runHarnessImport(input: CommandInput, file: string | undefined): Promise<number> {
  const { options, here, terminal } = input
  if (file === undefined) throw new UsageError('Missing argument FILE.md.', '`troupe harnesses import FILE.md`')
  if (!existsSync(resolve(here, file))) throw new UsageError(`No such file: ${file}.`)
  const { registry } = await loadRegistry(input)
  const result = await importHarness({
    registry,
    here,
    file: resolve(here, file),
    out: typeof options.out === 'string' ? resolve(here, options.out) : null,
    force: options.force === true,
    id: typeof options.id === 'string' ? options.id : null,
    today: new Date().toISOString().slice(0, 10),
  })
  if (options.json === true) printJson(terminal, harnessDocument(result))
  else printLines(terminal, harnessImportText(input, result))
  return result.status === 'failed' ? exit.findings : exit.fine
}

function harnessDocument({ imported, path, status, diagnostics }: HarnessImport) {
  const { harness = null, understood = [] } = imported ?? {}
  return { harness: harness?.id ?? null, title: harness?.title ?? null, path, status, understood, diagnostics }
}

function harnessImportText(
  { terminal }: CommandInput,
  { imported, path, status, diagnostics }: HarnessImport,
): string[] {
  const { style, columns } = terminal
  const lines: string[] = []
  const understood = imported?.understood ?? []
  const width = Math.max(0, ...understood.map(({ what }) => what.length))
  if (understood.length > 0) lines.push(style.bold('Understood'))
  for (const { what, text } of understood) {
    const [first = '', ...rest] = wrap(oneLine(text), Math.max(24, columns - width - 4))
    lines.push(`  ${style.cyan(pad(what, width))}  ${first}`, ...rest.map((line) => ' '.repeat(width + 4) + line))
  }
  // Without a result, only the reasons matter.
  const titles = imported?.harness ? ['Assumed', 'Not used', 'Notes', 'Errors'] : ['Errors']
  for (const title of titles) {
    const some = diagnostics.filter((one) => groupOf(one) === title)
    if (some.length === 0) continue
    if (lines.length > 0) lines.push('')
    lines.push(style.bold(title), ...diagnosticsText(some, style, columns))
  }
  if (lines.length > 0) lines.push('')
  return [...lines, harnessClosing(imported?.harness?.id ?? null, path, status)]
}

function groupOf({ code, severity }: Diagnostic): string {
  if (code === 'adapter-default') return 'Assumed'
  if (code === 'adapter-unused') return 'Not used'
  return severity === 'error' ? 'Errors' : 'Notes'
}

function harnessClosing(id: string | null, path: string | null, status: HarnessImport['status']): string {
  if (status === 'failed' || id === null || path === null) return 'Nothing was written.'
  const done = status === 'unchanged' ? `${oneLine(path)} is up to date.` : `Wrote ${oneLine(path)}.`
  return `${done} \`troupe convert --to ${id}\` uses it.`
}
