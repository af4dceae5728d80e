/** Everything that can be completed, collected from the commands themselves. */
import { neutralTools } from '../model/tools.ts'
import { type Command, type CommandEntry, type Completes, commonOptions, type OptionSpec } from './command.ts'

export interface CompletionTable {
  readonly commands: readonly CompletedCommand[]
  /** Options of every command. */
  readonly common: readonly CompletedOption[]
}

export interface CompletedCommand {
  readonly name: string
  readonly about: string
  readonly options: readonly CompletedOption[]
  /** Its words, in order. */
  readonly words: readonly Completion[]
  /** The last word may be repeated. */
  readonly repeats: boolean
}

export interface CompletedOption {
  readonly name: string
  readonly short: string | null
  readonly about: string
  /** What follows it; null: nothing. */
  readonly value: Completion | null
  /** The value is optional, and follows a `=`. */
  readonly alone: boolean
}

/** What a shell offers: some of these words, or what it finds itself. */
export type Completion =
  | { readonly kind: 'words' | 'list'; readonly words: readonly string[] }
  | { readonly kind: 'agent' | 'path' | 'folder' | 'nothing' }

export async function completionTable(
  commands: Readonly<Record<string, CommandEntry>>,
  harnesses: readonly string[],
): Promise<CompletionTable> {
  const completion = (completes: Completes, isList: boolean): Completion => {
    const words =
      typeof completes === 'object'
        ? completes
        : completes === 'harness'
          ? harnesses
          : completes === 'tool'
            ? neutralTools
            : null
    if (words !== null) return { kind: isList ? 'list' : 'words', words }
    return { kind: completes as Exclude<Completion['kind'], 'words' | 'list'> }
  }
  const optionsOf = (options: Readonly<Record<string, OptionSpec>>) =>
    Object.entries(options).map(([name, { short = null, about, value, choices, alone }]): CompletedOption => {
      const [one = '', ...more] = value?.split(',') ?? []
      const kind = value === undefined ? null : completion(choices ?? byWord[one] ?? 'nothing', more.length > 0)
      return { name, short, about, value: kind, alone: alone !== undefined }
    })
  const completed = (name: string, about: string, { options, completes = [], words }: Command): CompletedCommand => ({
    name,
    about,
    options: optionsOf(options),
    words: completes.map((one) => completion(one, false)),
    repeats: words === Number.POSITIVE_INFINITY,
  })
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => completed(name, summary, await load())),
  )
  return { commands: loaded, common: optionsOf(commonOptions) }
}

/** The placeholder in the help text determines the kind of value; `,...` after it allows several. */
const byWord: Readonly<Record<string, Completes>> = {
  ID: 'harness',
  TOOL: 'tool',
  DIR: 'folder',
  FILE: 'path',
  PATH: 'path',
}

/** Options with a separate value, in all their spellings. */
export function withValue({ commands: all, common }: CompletionTable): string[] {
  const options = [...common, ...all.flatMap(({ options: own }) => own)]
  const spellings = options
    .filter(({ value, alone }) => value !== null && !alone)
    .flatMap(({ name, short }) => [`--${name}`, ...(short === null ? [] : [`-${short}`])])
  return [...new Set(spellings)]
}
