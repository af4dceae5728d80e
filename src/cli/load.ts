/** What most commands start with: the harnesses, and the agents of the given paths. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Target } from '../convert/plan.ts'
import { showPath } from '../disk/roots.ts'
import { nearestWord } from '../formats/text.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { takeInventory } from '../project/inventory.ts'
import { loadUserHarnesses, registryWith } from '../project/user-harnesses.ts'
import type { WorkerOptions } from '../sync/convert/request.ts'
import { otherFileText } from '../workbench/file.ts'
import type { FoundAgent, Inventory } from '../workbench/inventory.ts'
import { harnessNamed, targetNamed, targetsNamed, UnknownNameError } from '../workbench/targets.ts'
import { type CommandInput, type OptionValue, UsageError } from './command.ts'

export interface LoadedProject {
  readonly registry: Registry
  readonly inventory: Inventory
}

export async function loadRegistry(
  input: CommandInput,
): Promise<{ registry: Registry; problems: Inventory['diagnostics'] }> {
  const own = await loadUserHarnesses(input.here)
  return { registry: registryWith(own.harnesses), problems: own.diagnostics }
}

export async function loadInventory(
  input: CommandInput,
  paths: readonly string[] = input.positionals,
): Promise<LoadedProject> {
  const { registry, problems } = await loadRegistry(input)
  requirePaths(input, paths)
  const harness = input.options.harness
  const scope = scopeOf(input.options.scope)
  const inventory = takeInventory({
    registry,
    here: input.here,
    paths,
    scope,
    ...(typeof harness === 'string' ? { harness: findHarness(registry, harness) } : {}),
  })
  requireAgents(input, paths, inventory)
  return { registry, inventory: { ...inventory, diagnostics: [...problems, ...inventory.diagnostics] } }
}

export function requirePaths({ here, positionals }: CommandInput, paths: readonly string[] = positionals): void {
  for (const path of paths) {
    if (!existsSync(resolve(here, path))) throw new UsageError(`No such file or folder: ${path}.`)
  }
}

/** A named file that is not an agent is a usage error. */
function requireAgents({ here }: CommandInput, paths: readonly string[], { otherFiles }: Inventory): void {
  const named = new Set(paths.map((path) => resolve(here, path)))
  const sentences = otherFiles
    .filter(({ path }) => named.has(path))
    .map((one) => otherFileText(showPath(here)(one.path), one))
  if (sentences.length > 0) throw new UsageError(sentences.join('\n        '))
}

/** Whose agents. */
export const scopes = ['project', 'user', 'all'] as const

function scopeOf(value: OptionValue): (typeof scopes)[number] {
  if (value === undefined) return 'project'
  const scope = scopes.find((one) => one === value)
  if (scope === undefined) throw new UsageError(`Unknown scope "${value}".`, `Scopes are ${scopes.join(', ')}.`)
  return scope
}

export function findHarness(registry: Registry, word: string): Harness {
  return known(() => harnessNamed(registry, word))
}

export function findTarget(registry: Registry, word: string): Target {
  return known(() => targetNamed(registry, word))
}

/** Comma-separated. */
export function findTargets(registry: Registry, words: string): Target[] {
  return known(() => targetsNamed(registry, words.split(',')))
}

function known<T>(find: () => T): T {
  try {
    return find()
  } catch (error) {
    if (error instanceof UnknownNameError) throw new UsageError(error.message, error.hint)
    throw error
  }
}

/** NAME on the command line: an agent's name, `plugin:name`, `harness:name`, `harness:plugin:name`, or a path. */
export interface Selected extends LoadedProject {
  readonly found: FoundAgent
}

export async function selectAgent(input: CommandInput, word: string | undefined): Promise<Selected> {
  if (word === undefined) throw new UsageError('Missing argument NAME.', '`troupe list` shows the names.')
  const path = resolve(input.here, word)
  const isFile = /[./]/.test(word) && existsSync(path) && statSync(path).isFile()
  const loaded = await loadInventory(input, isFile ? [word] : [])
  const [found, ...others] = isFile ? withoutShadowed(loaded.inventory.agents) : agentsCalled(loaded.inventory, word)
  if (found === undefined && isFile) throw new UsageError(unreadable(loaded, word))
  if (found === undefined) throw notFound(loaded, word)
  if (others.length > 0) throw ambiguous(word, [found, ...others])
  return { ...loaded, found }
}

/** The agents that a word can mean: by full names before own names, sources before outputs. */
function agentsCalled({ agents, outputs }: Inventory, word: string): FoundAgent[] {
  const ways = [
    (found: FoundAgent) => isMeantBy(found, word, found.name),
    (found: FoundAgent) => isMeantBy(found, word, found.agent.name),
  ]
  for (const all of [agents, outputs]) {
    for (const way of ways) {
      const named = withoutShadowed(all.filter(way))
      if (named.length > 0) return named
    }
  }
  return []
}

function ambiguous(word: string, all: readonly FoundAgent[]): UsageError {
  const names = all.map(({ agent, name, path }) => `${agent.harness}:${name} (${path})`)
  return new UsageError(`${all.length} agents are called "${word}".`, `Choose one: ${names.join(', ')}.`)
}

function isMeantBy({ file }: FoundAgent, word: string, name: string): boolean {
  const { id, alsoCalled } = file.candidate.harness
  return name === word || [id, ...alsoCalled].some((harness) => `${harness}:${name}` === word)
}

/** A shadowed agent is meant only if nothing else is. */
function withoutShadowed(agents: readonly FoundAgent[]): FoundAgent[] {
  const seen = agents.filter(({ shadowedBy }) => shadowedBy === null)
  return seen.length > 0 ? seen : [...agents]
}

/** Why an existing file yields no agent. */
function unreadable({ inventory }: LoadedProject, word: string): string {
  const [other] = inventory.otherFiles
  if (other !== undefined) return otherFileText(word, other)
  const [first] = [...inventory.diagnostics, ...inventory.files.flatMap((file) => file.diagnostics)]
  return first === undefined ? `${word} contains no agent.` : `${word}: ${first.message}`
}

function notFound({ inventory }: LoadedProject, word: string): UsageError {
  const names = inventory.agents.flatMap(({ agent, name }) => [name, agent.name])
  const close = nearestWord(word, names)
  const hint = close === null ? '`troupe list` shows all agents.' : `Did you mean ${close}?`
  return new UsageError(`No agent "${word}" here.`, hint)
}

/** `TROUPE_THREADS=N`: large collections are converted on N threads. Not the default: it saves no time yet. */
export function convertWorkers(): WorkerOptions {
  const wanted = Number.parseInt(process.env.TROUPE_THREADS ?? '1', 10)
  return { program: join(__dirname, 'convert-worker.cjs'), count: Number.isNaN(wanted) ? 1 : wanted }
}
