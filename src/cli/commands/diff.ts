/** `troupe diff`: compares prompts line by line with another folder, or with what a conversion would write. */
import type { Target } from '../../convert/plan.ts'
import { projectFolders } from '../../disk/roots.ts'
import { type Registry, UNIVERSAL } from '../../harness/registry.ts'
import { overallMatch } from '../../model/score.ts'
import { takeInventory } from '../../project/inventory.ts'
import { readTroupeFile, TROUPE_FILE } from '../../project/troupe-file.ts'
import { diffText, patchText } from '../../report/diff.ts'
import { diagnosticsText } from '../../report/findings.ts'
import { plural } from '../../report/layout.ts'
import { createRenderer } from '../../sync/render.ts'
import { type Difference, diffWithFiles, diffWithTargets } from '../../workbench/diff.ts'
import type { Inventory } from '../../workbench/inventory.ts'
import { type Command, type CommandInput, exit, parsePercent, printJson, printLines, UsageError } from '../command.ts'
import { findTargets, loadRegistry, requirePaths } from '../load.ts'
import { diagnosticsWithoutAgent } from '../rows.ts'

export const diff: Command = {
  name: 'diff',
  reportsHarnessProblems: false,
  takes: '',
  words: 0,
  summary: 'compare prompts with another folder, line by line',
  details:
    'Compares the prompts of a folder of agents with another version of them, agent by agent and line by line. Lines that differ only in white space, and lines that the converter changes, are counted separately. Writes nothing.',
  options: {
    source: { type: 'string', value: 'DIR', about: 'the original agents' },
    target: { type: 'string', value: 'DIR', about: 'the agents to compare with' },
    to: { type: 'string', value: 'ID,...', about: 'compare with a conversion to these (default: troupe.yaml)' },
    'fail-below': { type: 'string', value: 'N', about: 'exit 1 if the mean line match is below N percent' },
    patch: { type: 'boolean', about: 'show the lines that differ' },
  },
  examples: [
    ['troupe diff --source agents --target .claude/agents', 'what has changed since agents/'],
    ['troupe diff --source agents --target .opencode/agents --patch', 'line by line'],
    ['troupe diff --source .claude/agents --to opencode,codex', 'what a conversion would change'],
    ['troupe diff --source agents --target .claude/agents --fail-below 95', 'in CI'],
  ],
  run: async (input) => {
    const { registry, problems } = await loadRegistry(input)
    const limit = parsePercent(input.options['fail-below'])
    const sources = sourcesOf(input, registry)
    const counterpart = counterpartOf(input, registry)
    const { agents, diagnostics } = compared(input, registry, sources, counterpart)
    const overall = overallMatch(agents)
    const known = [...problems, ...diagnosticsWithoutAgent(sources), ...diagnostics]
    const { terminal } = input
    if (input.options.json === true) printJson(terminal, { agents, overall, diagnostics: known })
    else {
      printLines(terminal, diffText(agents, overall, terminal))
      const patch = patchText(agents, terminal.style)
      if (patch.length > 0) terminal.print(`${patch.join('\n')}\n`)
      const shown = known.filter(({ severity }) => severity !== 'info')
      if (shown.length > 0) printLines(terminal, ['', ...diagnosticsText(shown, terminal.style, terminal.columns)])
      const { length: others } = sources.otherFiles
      if (others > 0) terminal.info(`Not agents: ${plural(others, 'file')} in the source.\n`)
    }
    return limit !== null && overall < limit ? exit.findings : exit.fine
  },
}

/** What the source is compared with: files of a folder, or the output of a conversion. */
type Counterpart = { readonly files: Inventory } | { readonly targets: readonly Target[] }

function counterpartOf(input: CommandInput, registry: Registry): Counterpart {
  const { target, to } = input.options
  if (typeof target === 'string' && to !== undefined)
    throw new UsageError(
      '--target and --to cannot be combined.',
      '--target compares with files, --to with the result of a conversion.',
    )
  if (typeof target === 'string') return { files: inventoryOf(input, registry, target) }
  const words = typeof to === 'string' ? to : settledTargets(input.here)
  if (words !== '') return { targets: findTargets(registry, words) }
  throw new UsageError(
    'Nothing to compare with.',
    `Use --target DIR (files), --to ID (a conversion), or \`targets:\` in ${TROUPE_FILE}.`,
  )
}

function settledTargets(here: string): string {
  const { file } = readTroupeFile(projectFolders(here)[0] ?? here)
  return file.targets.join(',')
}

function sourcesOf(input: CommandInput, registry: Registry): Inventory {
  const { source } = input.options
  if (typeof source !== 'string')
    throw new UsageError('Missing option --source DIR.', 'It names the folder with the original agents.')
  const sources = inventoryOf(input, registry, source)
  if (sources.agents.length > 0) return sources
  const [first] = diagnosticsWithoutAgent(sources)
  throw new UsageError(`No agents to compare in ${source}.`, first === undefined ? undefined : first.message)
}

function inventoryOf(input: CommandInput, registry: Registry, folder: string): Inventory {
  requirePaths(input, [folder])
  const otherwise = registry.byId(UNIVERSAL)
  return takeInventory({ registry, here: input.here, paths: [folder], ...(otherwise ? { otherwise } : {}) })
}

function compared(
  { here, options }: CommandInput,
  registry: Registry,
  sources: Inventory,
  counterpart: Counterpart,
): Difference {
  const { render, nameOf } = createRenderer(here, registry, sources.agents)
  const wanted = { render, nameOf, patch: options.patch === true }
  if ('targets' in counterpart) return diffWithTargets(sources.agents, counterpart.targets, wanted)
  const { files } = counterpart
  const { agents, diagnostics } = diffWithFiles(withoutFiles(sources, files), files.agents, wanted)
  return { agents, diagnostics: [...diagnosticsWithoutAgent(files), ...diagnostics] }
}

/** A project as the source may contain the target's folder too; its agents are not compared with themselves. */
function withoutFiles(sources: Inventory, { files }: Inventory): Inventory['agents'] {
  const theirs = new Set(files.map(({ candidate }) => candidate.path))
  const agents = sources.agents.filter(({ file }) => !theirs.has(file.candidate.path))
  if (agents.length === 0) throw new UsageError('--source and --target are the same files.')
  return agents
}
