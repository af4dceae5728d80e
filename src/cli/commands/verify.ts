/** `troupe verify`: runs the user's own harness offline and compares it with what Troupe predicts. */
import { resolve } from 'node:path'
import { programAt } from '../../disk/run-program.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { isVerified, type VerifiedHarness } from '../../model/verification.ts'
import { takeInventory } from '../../project/inventory.ts'
import { plural } from '../../report/layout.ts'
import { verificationText } from '../../report/verification.ts'
import { runHarness } from '../../verify/verify.ts'
import { agentsReadBy, type FoundAgent, type Inventory, pluginAgentsOf } from '../../workbench/inventory.ts'
import { type Command, type CommandInput, exit, openStepLine, printJson, printLines, UsageError } from '../command.ts'
import { findHarness, loadRegistry } from '../load.ts'

export const verify: Command = {
  name: 'verify',
  takes: '[NAME...]',
  completes: ['agent'],
  words: Number.POSITIVE_INFINITY,
  summary: "check Troupe's predictions against your own harness",
  details:
    'Runs your own harness offline, in a temporary home folder, on copies of the agents here, and compares what it loads with what Troupe predicts. With --live it also takes one turn as every agent, against a stub model on 127.0.0.1. Nothing leaves the machine and no key is needed. Keys that would start programs (hooks, MCP servers) are removed from the copies.',
  options: {
    harness: { type: 'string', value: 'ID,...', about: 'only these (default: all that have agents here)' },
    live: { type: 'boolean', about: 'also take one turn as every agent: prompt, tools, model' },
    bin: { type: 'string', value: 'PATH', about: 'the program, if it is not on the PATH (needs one --harness)' },
    'include-prompts': { type: 'boolean', about: 'show prompts instead of their sizes and hashes' },
    'time-limit': { type: 'string', value: 'SECONDS', about: 'limit for each run of the program (default 60)' },
  },
  examples: [
    ['troupe verify', 'does every harness here load its agents as it should?'],
    ['troupe verify --harness opencode --live', 'what does OpenCode send to a model?'],
    ['troupe verify reviewer --live --json', 'one agent, as JSON'],
  ],
  run: async (input) => {
    const { registry, problems } = await loadRegistry(input)
    const { here, options, positionals, terminal } = input
    const inventory = takeInventory({ registry, here })
    const asked = wordsOf(options.harness).map((word) => findHarness(registry, word))
    const wanted = asked.length > 0 ? asked : registry.all.filter((one) => isRunnable(one) && hasOwn(one, inventory))
    const bin = typeof options.bin === 'string' ? binary(input, options.bin, wanted) : null
    requireNames(positionals, inventory)
    const isNamed = ({ agent, name, path, file }: FoundAgent) =>
      positionals.length === 0 || positionals.some((word) => wordsFor({ agent, name, path, file }).includes(word))
    const steps = openStepLine(input)
    const results: VerifiedHarness[] = []
    const how = {
      live: options.live === true,
      includePrompts: options['include-prompts'] === true,
      limit: timeLimit(options['time-limit']),
    }
    try {
      for (const harness of wanted) {
        const agents = agentsReadBy(registry, harness, inventory)
        const apart = pluginAgentsOf(harness, inventory).filter(isNamed)
        if (positionals.length > 0 && !agents.some(isNamed)) {
          if (apart.length > 0) results.push(pluginAgentsOnly(harness, apart))
          continue
        }
        const show = (step: string) => steps.show(`${harness.title}: ${step}`)
        const result = await runHarness(
          { registry, harness, here, agents, isWanted: isNamed, onStep: show, ...how },
          bin,
        )
        results.push({ ...result, notes: [...result.notes, ...pluginNotes(harness, apart)] })
      }
    } finally {
      steps.end()
    }
    if (options.json === true) printJson(terminal, { harnesses: results, diagnostics: problems })
    else
      printLines(terminal, verificationText(results, { live: options.live === true }, terminal.style, terminal.columns))
    // Harnesses not asked for by name may be missing, as long as one is installed.
    const counted = asked.length > 0 ? results : results.filter(({ installed }) => installed)
    return counted.length > 0 && counted.every(isVerified) ? exit.fine : exit.findings
  },
}

function wordsOf(value: CommandInput['options'][string]): string[] {
  return typeof value === 'string' ? value.split(',').filter((word) => word.trim() !== '') : []
}

function isRunnable({ oracle }: Harness): boolean {
  return oracle !== undefined
}

function hasOwn({ id }: Harness, { agents, outputs }: Inventory): boolean {
  return [...agents, ...outputs].some(({ file }) => file.candidate.harness.id === id)
}

function binary({ here }: CommandInput, path: string, wanted: readonly Harness[]): string {
  if (wanted.length !== 1) throw new UsageError('--bin needs exactly one --harness.')
  const found = programAt(resolve(here, path))
  if (found === null) throw new UsageError(`${path} is not an executable program.`)
  return found
}

function wordsFor({ agent, name, path, file }: Pick<FoundAgent, 'agent' | 'name' | 'path' | 'file'>): string[] {
  const { id } = file.candidate.harness
  return [name, agent.name, path, `${id}:${name}`, `${id}:${agent.name}`]
}

function requireNames(words: readonly string[], { agents, outputs }: Inventory): void {
  const all = [...agents, ...outputs]
  for (const word of words) {
    const isKnown = all.some((found) => wordsFor(found).includes(word))
    if (!isKnown) throw new UsageError(`No agent "${word}" here.`, '`troupe list` shows all agents.')
  }
}

function timeLimit(value: CommandInput['options'][string]): number {
  if (value === undefined) return 60_000
  const seconds = Number(value)
  if (!(seconds > 0 && seconds <= 3600)) throw new UsageError('--time-limit takes a number of seconds, at most 3600.')
  return seconds * 1000
}

/** More names than this are only counted. */
const NAMES_SHOWN = 5

function pluginNotes({ title }: Harness, apart: readonly FoundAgent[]): string[] {
  if (apart.length === 0) return []
  const names = apart.slice(0, NAMES_SHOWN).map(({ name }) => name)
  const more = apart.length > NAMES_SHOWN ? ` and ${apart.length - NAMES_SHOWN} more` : ''
  const [were, them] = apart.length === 1 ? ['was', 'it'] : ['were', 'them']
  const who = `${plural(apart.length, 'agent')} of plugins ${were} not run (${names.join(', ')}${more})`
  return [`${who}: ${title} loads ${them} only if the plugin is installed.`]
}

/** If no other agents were asked about, that is not an answer. */
function pluginAgentsOnly(harness: Harness, apart: readonly FoundAgent[]): VerifiedHarness {
  const { id, title, checked } = harness
  const problems = pluginNotes(harness, apart)
  return { id, title, version: null, checkedWith: checked.version, installed: true, problems, notes: [], agents: [] }
}

/** `written`: the files that count, below the folder `out`. */
export async function verifyWritten(
  input: CommandInput,
  registry: Registry,
  targets: readonly Harness[],
  out: string,
  written: ReadonlySet<string>,
): Promise<VerifiedHarness[]> {
  const steps = openStepLine(input)
  const results: VerifiedHarness[] = []
  try {
    for (const harness of new Set(targets)) {
      const inventory = takeInventory({ registry, here: out, harness })
      const agents = agentsReadBy(registry, harness, inventory)
      if (!agents.some(({ path }) => written.has(path))) continue
      const show = (step: string) => steps.show(`${harness.title}: ${step}`)
      const how = { live: false, includePrompts: false, limit: 60_000 }
      const isWanted = ({ path }: { readonly path: string }) => written.has(path)
      results.push(await runHarness({ registry, harness, here: out, agents, isWanted, onStep: show, ...how }, null))
    }
  } finally {
    steps.end()
  }
  return results
}
