/** The interface of a command and what it works with: options, terminal, exit codes, progress lines. */

import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { isInside } from '../disk/roots.ts'
import { signalCodes } from '../disk/signals.ts'
import { nearestWord } from '../formats/text.ts'
import type { Diagnostic } from '../model/findings.ts'
import { githubAnnotations } from '../report/findings.ts'
import { fitLines, jsonText, oneLine, wrap } from '../report/layout.ts'
import type { Style } from '../report/print-text.ts'
import type { RunRefusal } from '../sync/run/troupe-folder.ts'

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined

/** What a word on the command line is, or the words to choose from. */
export type Completes = 'agent' | 'harness' | 'tool' | 'path' | 'folder' | 'nothing' | readonly string[]

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly multiple?: true
  readonly short?: string
  /** The placeholder for the value in the help text. */
  readonly value?: string
  /** All choices, if there are few. */
  readonly choices?: readonly string[]
  /** The value if none is given. */
  readonly alone?: string
  readonly about: string
}

export interface Command {
  readonly name: string
  /** What follows the name in the usage line, except options. */
  readonly takes: string
  /** The maximum number of words. */
  readonly words: number
  /** What a shell can offer for them, in order. */
  readonly completes?: readonly Completes[]
  readonly summary: string
  readonly details?: string
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly examples: readonly (readonly [command: string, about: string])[]
  readonly run: (input: CommandInput) => number | Promise<number>
  /** False: its result says what is wrong with the user's own harness files, or no person reads what it prints. */
  readonly reportsHarnessProblems?: false
  /** Subcommands; each has its full name, as in `work start`. */
  readonly subcommands?: Readonly<Record<string, CommandEntry>>
}

/** A command that is loaded only when called. */
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
  /** False: it goes into a pipe or a file, where nothing is left out. */
  readonly isScreen?: boolean
  /** Results, on stdout. */
  readonly print: (text: string) => void
  /** Progress and prose, on stderr; nothing with `--quiet`. */
  readonly info: (text: string) => void
}

/** The request cannot be carried out as asked: exit 2, with a message and possibly a hint. */
export class UsageError extends Error {
  readonly hint: string | undefined
  constructor(message: string, hint?: string) {
    super(message)
    this.hint = hint
  }
}

/** Ctrl-C while a question is open. */
export class Interrupted extends Error {}

/** Exit codes: scripts rely on them, and the README documents them. */
export const exit = { fine: 0, findings: 1, usage: 2, failed: 3, interrupted: signalCodes.SIGINT } as const

/**
 * Reports why a run did not begin; returns the exit code. Another run or a broken lock file is a finding, a disk error a
 * failure.
 */
export function refuseRun({ reason, message, hint }: RunRefusal, besides = ''): number {
  process.stderr.write(errorText(`${message}${besides}`, hint))
  return reason === 'unwritable' ? exit.failed : exit.findings
}

/** On a terminal the lines are wrapped; elsewhere each sentence stays on its line, for programs that search it. */
export function errorText(message: string, hint: string | undefined): string {
  const { isTTY, columns } = process.stderr
  const lines = (text: string) => (isTTY ? wrap(oneLine(text), Math.max(40, (columns || 80) - 8)) : [oneLine(text)])
  const [first = '', ...rest] = lines(message)
  const below = [...rest, ...(hint === undefined ? [] : lines(hint))]
  return `troupe: ${first}\n${below.map((line) => `        ${line}\n`).join('')}`
}

/** `--json`: exactly one document. */
export function printJson(terminal: Terminal, document: object): void {
  terminal.print(`${jsonText({ schema: 1, ...document }, 2)}\n`)
}

/** On a terminal no line is wider than it, if it can be broken; elsewhere each sentence stays on its line. */
export function printLines(terminal: Terminal, lines: readonly string[]): void {
  const fitting = process.stdout.isTTY ? fitLines(lines, terminal.columns) : lines
  if (lines.length > 0) terminal.print(`${fitting.join('\n')}\n`)
}

/** Understood by every command. */
export const commonOptions: Readonly<Record<string, OptionSpec>> = {
  help: { type: 'boolean', short: 'h', about: 'show this help' },
  directory: {
    type: 'string',
    multiple: true,
    short: 'C',
    value: 'DIR',
    about: 'work in DIR instead of the current folder',
  },
  json: { type: 'boolean', about: 'print one JSON document' },
  quiet: { type: 'boolean', short: 'q', about: 'print only results' },
  yes: { type: 'boolean', short: 'y', about: 'do not ask; use the safe default' },
}

export interface ParsedArguments {
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, OptionValue>>
}

export function parseCommandLine(words: readonly string[], command: Command | null): ParsedArguments {
  const specs: Record<string, OptionSpec> = { ...commonOptions, ...command?.options }
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
    ]),
  )
  // An option without its optional value is expanded to the default.
  const args = words.map((word) => {
    const alone = word.startsWith('--') ? specs[word.slice(2)]?.alone : undefined
    return alone === undefined ? word : `${word}=${alone}`
  })
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true })
    return { positionals, options: values as ParsedArguments['options'] }
  } catch (error) {
    throw optionError(error as Error & { code?: string }, Object.keys(specs), command)
  }
}

function optionError(error: Error & { code?: string }, known: readonly string[], command: Command | null): UsageError {
  const help = `\`troupe ${command === null ? '' : `${command.name} `}--help\` lists the options.`
  const option = /'(-[^' ]*)/.exec(error.message)?.[1] ?? ''
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const close = nearestWord(option.replace(/^-+/, ''), known)
    return new UsageError(`Unknown option ${option}.`, close === null ? help : `Did you mean --${close}? ${help}`)
  }
  if (error.code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    const isMissing = /argument missing|is ambiguous/.test(error.message)
    return new UsageError(`${option} ${isMissing ? 'needs a value' : 'takes no value'}.`, help)
  }
  return new UsageError(error.message, help)
}

/** The value of `--fail-below`; null if not given. */
export function parsePercent(value: OptionValue): number | null {
  if (value === undefined) return null
  const text = String(value)
  const number = Number(text)
  if (text.trim() === '' || !(number >= 0 && number <= 100))
    throw new UsageError(`--fail-below takes a number from 0 to 100, not "${text}".`)
  return number
}

/** One line on a terminal that shows the progress of long work and disappears at its end. */
export interface ProgressLine {
  readonly show: (done: number, total: number) => void
  readonly end: () => void
}

/** Shorter work (ms) needs no line: it could not be read. */
const SHOW_AFTER = 400
const REDRAW_INTERVAL = 100

/** Whether there is a terminal on which a line can be redrawn. */
export function isTerminalWatched({ options }: CommandInput): boolean {
  return process.stderr.isTTY === true && !process.env.CI && options.quiet !== true
}

export function openProgress(input: CommandInput, verb: string): ProgressLine {
  if (!isTerminalWatched(input)) return { show: () => {}, end: () => {} }
  const { stderr } = process
  const started = Date.now()
  let last = 0
  return {
    show: (done, total) => {
      const now = Date.now()
      if (now - started < SHOW_AFTER || now - last < REDRAW_INTERVAL) return
      last = now
      stderr.write(`\r${verb} ${done.toLocaleString('en')} of ${total.toLocaleString('en')}\x1b[K`)
    },
    end: () => void (last > 0 && stderr.write('\r\x1b[K')),
  }
}

/** One line on a terminal that shows the current step and its duration, and disappears at its end. */
export interface StepLine {
  readonly show: (step: string) => void
  readonly end: () => void
}

export function openStepLine(input: CommandInput): StepLine {
  if (!isTerminalWatched(input)) return { show: () => {}, end: () => {} }
  const { stderr } = process
  const started = Date.now()
  let current = ''
  const draw = () => {
    const seconds = Math.round((Date.now() - started) / 1000)
    stderr.write(`\r${current} ... ${seconds === 0 ? '' : `${seconds} s`}\x1b[K`)
  }
  const timer = setInterval(draw, 500)
  timer.unref()
  return {
    show: (step) => {
      current = step
      draw()
    },
    end: () => {
      clearInterval(timer)
      stderr.write('\r\x1b[K')
    },
  }
}

/** `here`: what the paths are relative to. */
export function printAnnotations(terminal: Terminal, diagnostics: readonly Diagnostic[], here: string): void {
  const workspace = process.env.GITHUB_WORKSPACE
  const pathOf = (path: string) => {
    const file = resolve(here, path)
    return workspace !== undefined && isInside(workspace, file) ? relative(workspace, file) : path
  }
  printLines(terminal, githubAnnotations(diagnostics.map((one) => ({ ...one, path: pathOf(one.path) }))))
}

/** The version of the package, from its own manifest. */
export function version(): string {
  return manifest.version
}
