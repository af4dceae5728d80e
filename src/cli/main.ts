/** The program: finds the command, runs it, and turns the result or the error into a sentence and an exit code. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { nearestWord } from '../formats/text.ts'
import { createStyle } from '../report/print-text.ts'
import {
  type Command,
  type CommandInput,
  errorText,
  exit,
  Interrupted,
  type OptionValue,
  parseCommandLine,
  printJson,
  type Terminal,
  UsageError,
} from './command.ts'
import { commandHelp, commands, generalHelp, loadOverview } from './command-table.ts'

export async function main(words: readonly string[]): Promise<number> {
  endQuietlyOnClosedPipe()
  const plain = createTerminal(false)
  try {
    return await dispatch(words)
  } catch (error) {
    if (error instanceof UsageError) {
      plain.info(errorText(error.message, error.hint))
      // Programs that expect a document get one, even for a usage error.
      if (words.includes('--json')) printJson(plain, { error: { message: error.message, ...hintOf(error) } })
      return exit.usage
    }
    if (error instanceof Interrupted) return exit.interrupted
    plain.info(`troupe: internal error: ${(error as Error).stack ?? String(error)}\n`)
    plain.info(
      '        This is a bug in Troupe. Your files are safe: each is either unchanged or completely written.\n',
    )
    return exit.failed
  }
}

function hintOf({ hint }: UsageError): { readonly hint?: string } {
  return hint === undefined ? {} : { hint }
}

async function dispatch(words: readonly string[]): Promise<number> {
  const { name, rest } = splitCommand(words)
  if (name === 'help') return help(rest)
  const entry = name === null ? null : commandNamed(name)
  if (entry === undefined) throw unknownCommand(name ?? '')
  if (entry === null && rest.some((word) => word === '--help' || word === '-h')) return help([])
  if (entry === null && rest.includes('--version')) return printVersion()
  const { command, words: own } = await chosenCommand(entry === null ? await loadOverview() : await entry.load(), rest)
  const { positionals, options } = parseCommandLine(own, command)
  const terminal = createTerminal(options.quiet === true)
  if (options.help === true) return printHelp(terminal, command)
  const surplus = positionals[command.words]
  if (surplus !== undefined) {
    throw new UsageError(`Unexpected argument "${surplus}".`, 'Put quotes around an argument with spaces.')
  }
  const input = { positionals, options, terminal, here: workingFolder(options.directory) }
  const isInResult = command.reportsHarnessProblems === false
  if (!isInResult) await reportHarnessProblems(input)
  try {
    return await command.run(input)
  } catch (error) {
    // Then there is no result.
    if (isInResult && error instanceof UsageError) await reportHarnessProblems(input)
    throw error
  }
}

/** A broken harness file of the user is no reason to stop, and never silent: what uses it would only seem to be missing. */
async function reportHarnessProblems({ here, terminal }: CommandInput): Promise<void> {
  const { loadUserHarnesses } = await import('../project/user-harnesses.ts')
  const { diagnostics } = await loadUserHarnesses(here)
  if (diagnostics.length === 0) return
  const { diagnosticsText } = await import('../report/findings.ts')
  terminal.info(`${diagnosticsText(diagnostics, terminal.style, terminal.columns).join('\n')}\n\n`)
}

/** Resolves subcommands. */
async function chosenCommand(
  command: Command,
  rest: readonly string[],
): Promise<{ command: Command; words: string[] }> {
  const { subcommands } = command
  const { name, rest: words } = splitCommand(rest)
  if (subcommands === undefined || name === null) return { command, words: [...rest] }
  const entry = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (entry !== undefined) return { command: await entry.load(), words }
  const close = nearestWord(name, Object.keys(subcommands))
  const known = `Commands are ${Object.keys(subcommands).join(', ')}.`
  const hint = close === null ? known : `Did you mean \`troupe ${command.name} ${close}\`?`
  throw new UsageError(`Unknown command "${command.name} ${name}".`, hint)
}

/** The first word that is neither an option nor an option's value is the command. */
function splitCommand(words: readonly string[]): { name: string | null; rest: string[] } {
  let index = 0
  while (index < words.length && words[index]?.startsWith('-')) {
    index += words[index] === '-C' || words[index] === '--directory' ? 2 : 1
  }
  const name = words[index]
  if (name === undefined) return { name: null, rest: [...words] }
  return { name, rest: [...words.slice(0, index), ...words.slice(index + 1)] }
}

async function help(rest: readonly string[]): Promise<number> {
  const terminal = createTerminal(false)
  const [name, ...further] = rest
  if (name === undefined) return printHelp(terminal, null)
  const entry = commandNamed(name)
  if (entry === undefined) throw unknownCommand(name)
  return printHelp(terminal, (await chosenCommand(await entry.load(), further)).command)
}

function printHelp(terminal: Terminal, command: Command | null): number {
  const lines = command === null ? generalHelp(terminal.style) : commandHelp(command, terminal.style, terminal.columns)
  terminal.print(`${lines.join('\n')}\n`)
  return exit.fine
}

/** `troupe --version` alone is handled by the bin; with other options it comes here. */
async function printVersion(): Promise<number> {
  createTerminal(false).print(`${(await import('./command.ts')).version()}\n`)
  return exit.fine
}

function commandNamed(name: string) {
  return Object.hasOwn(commands, name) ? commands[name] : undefined
}

function unknownCommand(name: string): UsageError {
  const close = nearestWord(name, Object.keys(commands))
  const hint = close === null ? '`troupe --help` lists the commands.' : `Did you mean \`troupe ${close}\`?`
  return new UsageError(`Unknown command "${name}".`, hint)
}

/** Each `-C` is relative to the one before, as in git. */
function workingFolder(directories: OptionValue): string {
  let here: string
  try {
    here = resolve(...(Array.isArray(directories) ? directories : []))
  } catch {
    throw new UsageError('The current folder no longer exists.')
  }
  if (!existsSync(here) || !statSync(here).isDirectory()) {
    throw new UsageError(`No such folder: ${Array.isArray(directories) ? directories.join('/') : here}.`)
  }
  return here
}

function createTerminal(quiet: boolean): Terminal {
  const { stdout, stderr, env } = process
  const wanted = stdout.isTTY === true && !env.CI && env.TERM !== 'dumb'
  const colored = !env.NO_COLOR && (wanted || Boolean(env.FORCE_COLOR))
  return {
    style: createStyle(colored),
    columns: Math.min(stdout.isTTY ? stdout.columns || 80 : 100, 120),
    isScreen: stdout.isTTY === true,
    print: (text) => void stdout.write(text),
    info: (text) => void (quiet || stderr.write(text)),
  }
}

/** `troupe list | head` is not an error; a full disk behind stdout is one. */
function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exit.fine)
    process.stderr.write(`troupe: Cannot write the output (${error.code ?? error.message}).\n`)
    process.exit(exit.failed)
  })
  process.stderr.on('error', () => {})
}
