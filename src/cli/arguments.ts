/** From words on the command line to a command's input, with mistakes answered by suggestions. */
import { parseArgs } from 'node:util'
import { nearest } from '../text/nearest.ts'
import { type Command, type OptionSpec, type OptionValue, UsageError } from './command.ts'

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
  json: { type: 'boolean', about: 'print one JSON document and nothing else' },
  quiet: { type: 'boolean', short: 'q', about: 'say nothing but results' },
  yes: { type: 'boolean', short: 'y', about: 'take the safe answer instead of asking' },
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
  // An option whose value may be left out stands for the value it then has.
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
    const close = nearest(option.replace(/^-+/, ''), known)
    return new UsageError(`There is no option ${option}.`, close === null ? help : `Did you mean --${close}? ${help}`)
  }
  if (error.code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    return new UsageError(`The option ${option} is not used in this way: ${error.message.split('. ')[0]}.`, help)
  }
  return new UsageError(error.message, help)
}
