/** `troupe init`: proposes a short `troupe.yaml` that fits the project, and writes it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeNewFile } from '../../disk/atomic-write.ts'
import { describeError } from '../../disk/errors.ts'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { findProgram } from '../../disk/run-program.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { takeInventory } from '../../project/inventory.ts'
import { TROUPE_FILE } from '../../project/troupe-file.ts'
import type { Inventory } from '../../workbench/inventory.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { findTarget, loadRegistry } from '../load.ts'

export const init: Command = {
  name: 'init',
  takes: '',
  words: 0,
  summary: 'write a troupe.yaml for this project',
  details:
    'Looks at the agents in this project and the harnesses that are installed, and writes a short troupe.yaml: one source, and the targets that `troupe build` keeps up to date with it. Never replaces a file.',
  options: {
    source: { type: 'string', value: 'PATH', about: 'the folder or file with the agents' },
    targets: { type: 'string', value: 'ID,...', about: 'the harnesses to build for' },
    'dry-run': { type: 'boolean', about: 'print the file; write nothing' },
  },
  examples: [
    ['troupe init', 'look, propose, write'],
    ['troupe init --source agents --targets claude-code,opencode', 'choose the source and the targets yourself'],
  ],
  run: async (input) => {
    const { registry } = await loadRegistry(input)
    const { here, terminal, options } = input
    const root = projectFolders(here)[0] ?? here
    const path = join(root, TROUPE_FILE)
    const shown = showPath(here)(path)
    if (existsSync(path))
      throw new UsageError(`${shown} already exists.`, 'Nothing was changed. Edit that file, or remove it first.')
    const proposal = proposalFor(input, registry, root)
    const text = troupeFileText(proposal)
    if (options['dry-run'] !== true) {
      try {
        writeNewFile(path, Buffer.from(text), { mode: null, durable: false })
      } catch (error) {
        process.stderr.write(`troupe: Cannot write ${shown}: ${describeError(error, 'writing')}.\n`)
        return exit.failed
      }
    }
    if (options.json === true) printJson(terminal, { path: shown, ...proposal })
    else {
      terminal.print(text)
      if (options['dry-run'] !== true) terminal.info(`\nWrote ${shown}. ${nextStep(root, proposal)}\n`)
    }
    return exit.fine
  },
}

/** If there is nothing to build yet, the first agent comes first. */
function nextStep(root: string, { source }: BuildProposal): string {
  return existsSync(join(root, source))
    ? '`troupe build --check` shows what it would do.'
    : `There are no agents yet: \`troupe new NAME\` creates one in ${source}/.`
}

function proposalFor({ options }: CommandInput, registry: Registry, root: string): BuildProposal {
  const found = proposeProject(registry, takeInventory({ registry, here: root }), isInstalled)
  const source = typeof options.source === 'string' ? options.source : found.source
  if (typeof options.source === 'string' && !existsSync(join(root, source))) {
    throw new UsageError(`No such file or folder: ${source}.`)
  }
  if (typeof options.targets !== 'string') return { source, targets: found.targets }
  const targets = options.targets.split(',').map((word) => word.trim())
  for (const word of targets) findTarget(registry, word)
  return { source, targets }
}

function isInstalled(program: string): boolean {
  return findProgram(program) !== null
}

export interface BuildProposal {
  readonly source: string
  readonly targets: readonly string[]
}

/** For an empty project. */
const FOLDER = 'agents'

/** The source: where most agents are. The targets: the dialects of the others, or the harnesses on this machine. */
export function proposeProject(
  registry: Registry,
  { agents }: Inventory,
  isInstalled: (program: string) => boolean,
): BuildProposal {
  const counts = new Map<Harness, number>()
  const folders = new Map<Harness, Map<string, number>>()
  for (const { file } of agents) {
    const { harness, carrier, relativePath, plugin } = file.candidate
    // A build cannot use entries of a settings file as a source.
    if (carrier.agents !== undefined) continue
    counts.set(harness, (counts.get(harness) ?? 0) + 1)
    const folder = plugin === undefined ? file.path.slice(0, -relativePath.length - 1) : PLUGINS
    const known = folders.get(harness) ?? new Map<string, number>()
    folders.set(harness, known.set(folder, (known.get(folder) ?? 0) + 1))
  }
  const ranked = [...counts].toSorted(([a, many], [b, more]) => more - many || order(registry, a) - order(registry, b))
  // A folder that no harness reads can only be a source.
  const source = ranked.find(([harness]) => harness.oracle === undefined)?.[0] ?? ranked[0]?.[0]
  const runnable = registry.all.filter(({ oracle }) => oracle !== undefined)
  const present = runnable.filter((harness) => counts.has(harness) && harness !== source)
  const installed = runnable.filter(({ oracle, id }) => id !== source?.id && isInstalled(oracle?.program.name ?? ''))
  // Those that most agents are written for.
  const usual = runnable.toSorted((a, b) => b.prior - a.prior).filter((harness) => harness !== source)
  const targets = present.length > 0 ? present : installed.length > 0 ? installed : usual.slice(0, 2)
  const [folder] = [...((source === undefined ? null : folders.get(source)) ?? [])].toSorted(
    ([, many], [, more]) => more - many,
  )[0] ?? [FOLDER]
  return { source: folder === PLUGINS ? folderOfPlugins(agents) : folder, targets: targets.map(({ id }) => id) }
}

/** Means the folders of all plugins. */
const PLUGINS = '*'

/** The common folder of all plugins. */
function folderOfPlugins(agents: Inventory['agents']): string {
  const folders = agents.filter(({ plugin }) => plugin !== null).map(({ path }) => path.split('/').slice(0, -1))
  const [first = []] = folders
  const differs = first.findIndex((part, index) => folders.some((other) => other[index] !== part))
  const shared = first.slice(0, differs < 0 ? first.length : differs)
  return shared.length === 0 ? '.' : shared.join('/')
}

function order({ all }: Registry, harness: Harness): number {
  return all.indexOf(harness)
}

export function troupeFileText({ source, targets }: BuildProposal): string {
  return [
    '# One source, and the harnesses that `troupe build` writes for.',
    '',
    '# A folder, a file, or a list of them.',
    `source: ${source}`,
    '',
    '# `troupe harnesses` lists them; ID:KIND selects another kind of file.',
    'targets:',
    ...targets.map((id) => `  - ${id}`),
    '',
    '# models:            # your own model names, by target',
    '#   opencode: { opus: anthropic/claude-opus-4-5 }',
    '',
    '# answers: troupe.answers.yaml   # your decisions where a target has no equivalent',
    '',
    '# accept:            # what agents may gain in a target, each with a reason',
    '#   codex: { search: all our agents may search the web }',
    '',
  ].join('\n')
}
