/** The program: finds the command, runs it, and turns whatever happens into a sentence and an exit code. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { createStyle } from '../report/style.ts'
import { nearest } from '../text/nearest.ts'
import { parseCommandLine } from './arguments.ts'
import { type Command, exit, type Terminal, UsageError } from './command.ts'
import { commands, overview } from './commands.ts'
import { commandHelp, generalHelp } from './help.ts'

export async function main(words: readonly string[]): Promise<number> {
  endQuietlyOnClosedPipe()
  const plain = createTerminal(false)
  try {
    return await dispatch(words)
  } catch (error) {
    if (error instanceof UsageError) {
      plain.tell(`troupe: ${error.message}\n`)
      if (error.hint !== undefined) plain.tell(`        ${error.hint}\n`)
      return exit.usage
    }
    plain.tell(`troupe: this should not have happened: ${(error as Error).stack ?? String(error)}\n`)
    plain.tell('        It is a defect of Troupe, not of your files. Nothing was left half done.\n')
    return exit.failed
  }
}

async function dispatch(words: readonly string[]): Promise<number> {
  const { name, rest } = splitCommand(words)
  if (name === 'help') return help(rest)
  const entry = name === null ? null : commands[name]
  if (entry === undefined) throw unknownCommand(name ?? '')
  if (entry === null && rest.some((word) => word === '--help' || word === '-h')) return help([])
  if (entry === null && rest.includes('--version')) return printVersion()
  const command = entry === null ? await overview() : await entry.load()
  const { positionals, options } = parseCommandLine(rest, command)
  const terminal = createTerminal(options.quiet === true)
  if (options.help === true) return printHelp(terminal, command)
  return command.run({ positionals, options, terminal, here: workingFolder(options.directory) })
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
  const [name] = rest
  if (name === undefined) return printHelp(terminal, null)
  const entry = commands[name]
  if (entry === undefined) throw unknownCommand(name)
  return printHelp(terminal, await entry.load())
}

function printHelp(terminal: Terminal, command: Command | null): number {
  const lines = command === null ? generalHelp(terminal.style) : commandHelp(command, terminal.style, terminal.columns)
  terminal.print(`${lines.join('\n')}\n`)
  return exit.fine
}

/** `troupe --version` alone is answered by the bin; with other options it comes here. */
async function printVersion(): Promise<number> {
  createTerminal(false).print(`${(await import('./version.ts')).version()}\n`)
  return exit.fine
}

function unknownCommand(name: string): UsageError {
  const close = nearest(name, Object.keys(commands))
  const hint = close === null ? '`troupe --help` lists the commands.' : `Did you mean \`troupe ${close}\`?`
  return new UsageError(`There is no command "${name}".`, hint)
}

function workingFolder(directory: string | boolean | undefined): string {
  const here = resolve(typeof directory === 'string' ? directory : '.')
  if (!statSync(here, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`There is no folder ${String(directory)}.`)
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
    print: (text) => void stdout.write(text),
    tell: (text) => void (quiet || stderr.write(text)),
  }
}

/** `troupe list | head` is not an error. */
function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exit.fine)
    throw error
  })
}
