/** Proposes a `troupe.yaml` for a project from its contents. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Inventory } from '../workbench/inventory.ts'

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
