/** `troupe import`: a folder of agents becomes one PromptScript file. */
import { resolve } from 'node:path'
import type { Target } from '../convert/read-back.ts'
import type { Registry } from '../harness/registry.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { type AgentsImport, importAgents } from '../project/import-agents.ts'
import { showPath } from '../project/roots.ts'
import { diagnosticsText } from '../report/diagnostics-text.ts'
import { oneLine, plural } from '../report/layout.ts'
import { type Command, type CommandInput, exit, printJson, printLines, refuseRun, UsageError } from './command.ts'
import { findHarness, openRegistry, requirePaths } from './setting.ts'

export const importCommand: Command = {
  name: 'import',
  takes: 'SRC',
  words: 1,
  summary: 'a folder of agents into one PromptScript file',
  details:
    'Writes every agent of a project, a folder of loose files or a file into the @agents block of one .prs file: the same prompts, byte for byte but for line ends, and the same words wherever PromptScript has them. Files without front matter are left out. `troupe convert FILE.prs --to ID` is the way back.',
  options: {
    out: { type: 'string', short: 'o', value: 'FILE', about: 'the file to write; default: it is printed' },
    harness: { type: 'string', value: 'ID', about: 'read the agents as this dialect' },
    force: { type: 'boolean', about: 'replace a file that Troupe did not write' },
    'dry-run': { type: 'boolean', about: 'say what would be done, and write nothing' },
  },
  examples: [
    ['troupe import agents/ -o agents.prs', 'one file with all of them'],
    ['troupe import .claude/agents/planner.md', 'what would become of one agent'],
  ],
  run: async (input) => {
    const { options, here, positionals } = input
    const [from] = positionals
    if (from === undefined) throw new UsageError('What should be imported?', '`troupe import FOLDER -o FILE.prs`')
    const { registry, problems } = await openRegistry(input)
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
    else tell(input, whole, shown)
    if (result.refused !== null) return refuseRun(result.refused)
    for (const sentence of result.notAgents) process.stderr.write(`troupe: ${oneLine(sentence)}\n`)
    if (result.notAgents.length > 0) return exit.usage
    if (result.agents.length === 0) return exit.findings
    const all = [...whole.diagnostics, ...whole.agents.flatMap(({ diagnostics }) => diagnostics)]
    const isIncomplete =
      result.agents.some(({ entry }) => entry === null) || all.some(({ code }) => code === 'not-written')
    return isIncomplete ? exit.findings : exit.fine
  },
}

function outputOf(here: string, file: string): string {
  if (!file.endsWith('.prs')) throw new UsageError(`${file} is no name for a PromptScript file.`, 'It ends with .prs.')
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

/** The file alone on stdout where it is printed; all else is said beside it. */
function tell({ terminal }: CommandInput, result: AgentsImport, path: string | null): void {
  const { style, columns } = terminal
  // What became of the file itself stands last.
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
    // A file without agents is of no use.
    if (result.agents.length > 0) terminal.print(result.text)
    terminal.tell(all.length === 0 ? '' : `${all.join('\n')}\n`)
  }
}

function closingText(result: AgentsImport, path: string | null): string | null {
  const { imported, leftOut } = countsOf(result)
  if (result.refused !== null) return null
  if (result.agents.length === 0 && path === null)
    return result.notAgents.length > 0 ? null : 'There is no agent to import.'
  const counts = `${plural(imported, 'agent')}${leftOut > 0 ? `, ${leftOut} left out` : ''}`
  const { status } = result
  if (path === null || status === null) return `${counts}.${lineEndsText(result)}`
  const file = oneLine(path)
  if (status === 'failed') return 'Nothing was written.'
  const done = { planned: `Would write ${file}`, unchanged: `${file} says so already`, written: `Wrote ${file}` }
  return `${done[status]}: ${counts}.${lineEndsText(result)}`
}

/** The same of many agents is said once. */
function lineEndsText({ agents }: AgentsImport): string {
  const count = agents.filter(({ diagnostics }) => diagnostics.some(({ code }) => code === 'line-ends')).length
  return count === 0 ? '' : ` Lines end with LF now, also of ${plural(count, 'prompt')} with CRLF.`
}
