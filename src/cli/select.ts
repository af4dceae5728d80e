/** NAME on the command line: an agent's name, `plugin:name`, `harness:name`, `harness:plugin:name`, or a path. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { passedOverText } from '../project/discover.ts'
import type { FoundAgent, Inventory } from '../project/inventory.ts'
import { nearest } from '../text/nearest.ts'
import { type CommandInput, UsageError } from './command.ts'
import { openInventory, type Setting } from './setting.ts'

export interface Selected extends Setting {
  readonly found: FoundAgent
}

export async function selectAgent(input: CommandInput, word: string | undefined): Promise<Selected> {
  if (word === undefined) throw new UsageError('Which agent?', '`troupe list` shows their names.')
  const path = resolve(input.here, word)
  const isFile = /[./]/.test(word) && existsSync(path) && statSync(path).isFile()
  const setting = await openInventory(input, isFile ? [word] : [])
  const [found, ...others] = isFile ? visible(setting.inventory.agents) : agentsCalled(setting.inventory, word)
  if (found === undefined && isFile) throw new UsageError(unreadable(setting, word))
  if (found === undefined) throw notFound(setting, word)
  if (others.length > 0) throw ambiguous(word, [found, ...others])
  return { ...setting, found }
}

/** The agents that a word can mean: by their whole names before their own, sources before what was made of them. */
export function agentsCalled({ agents, outputs }: Inventory, word: string): FoundAgent[] {
  const ways = [
    (found: FoundAgent) => isNamed(found, word, found.name),
    (found: FoundAgent) => isNamed(found, word, found.agent.name),
  ]
  for (const all of [agents, outputs]) {
    for (const way of ways) {
      const named = visible(all.filter(way))
      if (named.length > 0) return named
    }
  }
  return []
}

export function ambiguous(word: string, all: readonly FoundAgent[]): UsageError {
  const names = all.map(({ agent, name, path }) => `${agent.harness}:${name} (${path})`)
  return new UsageError(`"${word}" is the name of ${all.length} agents.`, `Say which: ${names.join(', ')}.`)
}

function isNamed({ file }: FoundAgent, word: string, name: string): boolean {
  const { id, alsoCalled } = file.candidate.harness
  return name === word || [id, ...alsoCalled].some((harness) => `${harness}:${name}` === word)
}

/** What is hidden is meant only where nothing else is. */
function visible(agents: readonly FoundAgent[]): FoundAgent[] {
  const seen = agents.filter(({ shadowedBy }) => shadowedBy === null)
  return seen.length > 0 ? seen : [...agents]
}

/** Why a file that is there gave no agent. */
function unreadable({ inventory }: Setting, word: string): string {
  const [other] = inventory.passedOver
  if (other !== undefined) return passedOverText(word, other)
  const [first] = [...inventory.diagnostics, ...inventory.files.flatMap((file) => file.diagnostics)]
  return first === undefined ? `There is no agent in ${word}.` : `${word}: ${first.message}`
}

function notFound({ inventory }: Setting, word: string): UsageError {
  const names = inventory.agents.flatMap(({ agent, name }) => [name, agent.name])
  const close = nearest(word, names)
  const hint = close === null ? '`troupe list` shows all agents.' : `Did you mean ${close}?`
  return new UsageError(`There is no agent "${word}" here.`, hint)
}
