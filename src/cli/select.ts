/** NAME on the command line: an agent's name, `harness:name`, or a path. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FoundAgent } from '../project/inventory.ts'
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
  const candidates = isFile ? setting.inventory.agents : setting.inventory.agents.filter((one) => isCalled(one, word))
  const visible = candidates.filter(({ shadowedBy }) => shadowedBy === null)
  const [found, ...others] = visible.length > 0 ? visible : candidates
  if (found === undefined && isFile) throw new UsageError(unreadable(setting, word))
  if (found === undefined) throw notFound(setting, word)
  if (others.length > 0) {
    const all = [found, ...others].map(({ agent, path }) => `${agent.harness}:${agent.name} (${path})`)
    throw new UsageError(`"${word}" is the name of ${all.length} agents.`, `Say which: ${all.join(', ')}.`)
  }
  return { ...setting, found }
}

function isCalled({ agent, file }: FoundAgent, word: string): boolean {
  const { id, alsoCalled } = file.candidate.harness
  return agent.name === word || [id, ...alsoCalled].some((harness) => `${harness}:${agent.name}` === word)
}

/** Why a file that is there gave no agent. */
function unreadable({ inventory }: Setting, word: string): string {
  const [first] = [...inventory.diagnostics, ...inventory.files.flatMap((file) => file.diagnostics)]
  return first === undefined ? `There is no agent in ${word}.` : `${word}: ${first.message}`
}

function notFound({ inventory }: Setting, word: string): UsageError {
  const names = inventory.agents.map(({ agent }) => agent.name)
  const close = nearest(word, names)
  const hint = close === null ? '`troupe list` shows all agents.' : `Did you mean ${close}?`
  return new UsageError(`There is no agent "${word}" here.`, hint)
}
