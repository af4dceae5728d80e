/** What most commands start with: the harnesses, and the agents of the paths they were given. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Target } from '../convert/read-back.ts'
import { createRegistry, type Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { passedOverText } from '../project/discover.ts'
import { loadOwnHarnesses } from '../project/harness-files.ts'
import { type Inventory, takeInventory } from '../project/inventory.ts'
import { showPath } from '../project/roots.ts'
import { nearest } from '../text/nearest.ts'
import { type CommandInput, type OptionValue, UsageError } from './command.ts'

export interface Setting {
  readonly registry: Registry
  readonly inventory: Inventory
}

export async function openRegistry(
  input: CommandInput,
): Promise<{ registry: Registry; problems: Inventory['diagnostics'] }> {
  const own = await loadOwnHarnesses(input.here)
  return { registry: createRegistry(own.harnesses), problems: own.diagnostics }
}

export async function openInventory(
  input: CommandInput,
  paths: readonly string[] = input.positionals,
): Promise<Setting> {
  const { registry, problems } = await openRegistry(input)
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
    if (!existsSync(resolve(here, path))) throw new UsageError(`There is no file or folder ${path}.`)
  }
}

/** A file that was named and is no agent is no way to use the command. */
function requireAgents({ here }: CommandInput, paths: readonly string[], { passedOver }: Inventory): void {
  const named = new Set(paths.map((path) => resolve(here, path)))
  const sentences = passedOver
    .filter(({ path }) => named.has(path))
    .map((one) => passedOverText(showPath(here)(one.path), one))
  if (sentences.length > 0) throw new UsageError(sentences.join('\n        '))
}

/** Whose agents. */
export const scopes = ['project', 'user', 'all'] as const

function scopeOf(value: OptionValue): (typeof scopes)[number] {
  if (value === undefined) return 'project'
  const scope = scopes.find((one) => one === value)
  if (scope === undefined) throw new UsageError(`There is no scope "${value}".`, `Scopes are ${scopes.join(', ')}.`)
  return scope
}

export function findHarness(registry: Registry, word: string): Harness {
  const wanted = word.trim().toLowerCase()
  const found = registry.all.find(({ id, alsoCalled }) => id === wanted || alsoCalled.includes(wanted))
  if (found !== undefined) return found
  const close = nearest(
    wanted,
    registry.all.flatMap(({ id, alsoCalled }) => [id, ...alsoCalled]),
  )
  const all = `Known are ${registry.all.map(({ id }) => id).join(', ')}.`
  throw new UsageError(`There is no harness "${word}".`, close === null ? all : `Did you mean ${close}? ${all}`)
}

/** `ID`, or `ID:KIND` for another kind of file than the usual one. */
export function findTarget(registry: Registry, word: string): Target {
  const [id = '', kind] = word.split(':')
  const harness = findHarness(registry, id)
  const writable = harness.carriers.filter(({ project }) => project?.write !== undefined)
  const carrier = kind === undefined ? writable[0] : writable.find((one) => one.id === kind.trim())
  if (carrier !== undefined) return { harness, carrier }
  const kinds = writable.map((one) => `${harness.id}:${one.id}`).join(', ')
  throw new UsageError(`${harness.title} has no kind of file "${kind ?? ''}" to write.`, `There are ${kinds}.`)
}

/** Several, with commas between them; each once. */
export function findTargets(registry: Registry, words: string): Target[] {
  const targets = words.split(',').map((word) => findTarget(registry, word))
  return targets.filter((one, index) => targets.findIndex((other) => other.carrier === one.carrier) === index)
}
