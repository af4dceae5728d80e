/** What a command is, and what it is given to work with. */
import type { Refusal } from '../project/writing/open.ts'
import { jsonText } from '../report/hidden.ts'
import { oneLine } from '../report/layout.ts'
import type { Style } from '../report/style.ts'

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined

/** What a word on the command line is, or the words there are to choose from. */
export type Completes = 'agent' | 'harness' | 'tool' | 'path' | 'folder' | 'nothing' | readonly string[]

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly multiple?: true
  readonly short?: string
  /** The word for the value in the help text. */
  readonly value?: string
  /** All there is to choose from, where that is little. */
  readonly choices?: readonly string[]
  /** The value where none is given. */
  readonly alone?: string
  readonly about: string
}

export interface Command {
  readonly name: string
  /** What stands behind the name in the usage line, options excepted. */
  readonly takes: string
  /** How many words that is at most. */
  readonly words: number
  /** What a shell can offer for them, one after the other. */
  readonly completes?: readonly Completes[]
  readonly summary: string
  readonly details?: string
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly examples: readonly (readonly [command: string, about: string])[]
  readonly run: (input: CommandInput) => number | Promise<number>
  /** Commands of its own; each has the whole name, as in `work start`. */
  readonly subcommands?: Readonly<Record<string, CommandEntry>>
}

export interface CommandEntry {
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** A command that is loaded only when it is called. */
export interface CommandEntry {
  readonly summary: string
  readonly load: () => Promise<Command>
}

export interface CommandInput {
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, OptionValue>>
  readonly terminal: Terminal
  /** The folder to work in (`-C`). */
  readonly here: string
}

export interface Terminal {
  readonly style: Style
  readonly columns: number
  /** Results, on stdout. */
  readonly print: (text: string) => void
  /** Progress and prose, on stderr; nothing with `--quiet`. */
  readonly tell: (text: string) => void
}

/** The user asked for something that cannot be done as asked: exit 2, with the sentence and perhaps a way out. */
export class UsageError extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** Ctrl-C while a question is open. */
export class Interrupted extends Error {}

/** Exit codes: scripts rely on them, and the README says what they mean. */
export const exit = { fine: 0, findings: 1, usage: 2, failed: 3, interrupted: 130 } as const

/** Says why a run did not begin, and how to exit: another run or a broken lock file is a finding, a disk that refuses a failure. */
export function refuseRun({ reason, message, hint }: Refusal, besides = ''): number {
  process.stderr.write(
    `troupe: ${oneLine(message)}${besides}\n${hint === undefined ? '' : `        ${oneLine(hint)}\n`}`,
  )
  return reason === 'unwritable' ? exit.failed : exit.findings
}

/** `--json`: exactly one document. */
export function printJson(terminal: Terminal, document: object): void {
  terminal.print(`${jsonText({ schema: 1, ...document }, 2)}\n`)
}

export function printLines(terminal: Terminal, lines: readonly string[]): void {
  if (lines.length > 0) terminal.print(`${lines.join('\n')}\n`)
}
