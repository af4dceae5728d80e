/** Everything that can be completed, gathered from the commands themselves. */
import { commonOptions } from '../arguments.ts'
import type { Command, Completes, OptionSpec } from '../command.ts'
import { commands } from '../commands.ts'

export interface CompletionTable {
  readonly commands: readonly CompletedCommand[]
  /** Options of every command. */
  readonly common: readonly CompletedOption[]
  readonly harnesses: readonly string[]
  readonly tools: readonly string[]
}

export interface CompletedCommand {
  readonly name: string
  readonly about: string
  readonly options: readonly CompletedOption[]
  /** Its words, one after the other. */
  readonly words: readonly Completes[]
  /** The last of them may come again. */
  readonly repeats: boolean
}

export interface CompletedOption {
  readonly name: string
  readonly short: string | null
  readonly about: string
  /** What follows it; null: nothing does. */
  readonly value: Completes | null
  /** The value may be left out, and stands behind `=` otherwise. */
  readonly alone: boolean
}

export async function completionTable(
  harnesses: readonly string[],
  tools: readonly string[],
): Promise<CompletionTable> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => completed(name, summary, await load())),
  )
  return { commands: loaded, common: optionsOf(commonOptions), harnesses, tools }
}

function completed(name: string, about: string, { options, completes = [], words }: Command): CompletedCommand {
  return { name, about, options: optionsOf(options), words: completes, repeats: words === Number.POSITIVE_INFINITY }
}

function optionsOf(options: Readonly<Record<string, OptionSpec>>): CompletedOption[] {
  return Object.entries(options).map(([name, { short = null, about, value, choices, alone }]) => {
    const kind = value === undefined ? null : (choices ?? byWord[value] ?? 'nothing')
    return { name, short, about, value: kind, alone: alone !== undefined }
  })
}

/** What the help text calls the value says what it is. */
const byWord: Readonly<Record<string, Completes>> = {
  ID: 'harness',
  'ID,...': 'harnesses',
  DIR: 'folder',
  FILE: 'path',
  PATH: 'path',
}

/** The words that need no looking up; null: they need it. */
export function fixedWords(kind: Completes, { harnesses, tools }: CompletionTable): readonly string[] | null {
  if (typeof kind === 'object') return kind
  if (kind === 'harness' || kind === 'harnesses') return harnesses
  return kind === 'tool' ? tools : kind === 'nothing' ? [] : null
}
