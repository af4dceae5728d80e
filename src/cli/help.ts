/** Help texts, made from the commands themselves. */
import { wrap } from '../report/layout.ts'
import type { Style } from '../report/style.ts'
import { commonOptions } from './arguments.ts'
import type { Command, OptionSpec } from './command.ts'
import { commands } from './commands.ts'

export function generalHelp(style: Style): string[] {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  return [
    'Troupe: write a coding agent once, run it in any harness, and prove that it is still the same agent.',
    '',
    `${style.bold('Usage:')} troupe [COMMAND] [OPTIONS]`,
    '',
    style.bold('Commands:'),
    `  ${''.padEnd(width)}  (without a command) what is here, what is wrong, what to do next`,
    ...Object.entries(commands).map(([name, { summary }]) => `  ${style.cyan(name.padEnd(width))}  ${summary}`),
    '',
    style.bold('Options everywhere:'),
    ...optionLines(commonOptions),
    '',
    '`troupe COMMAND --help` shows the options and examples of a command.',
  ]
}

export function commandHelp(command: Command, style: Style, columns: number): string[] {
  return [
    ...wrap(
      command.details ?? `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
      Math.min(columns, 100),
    ),
    '',
    `${style.bold('Usage:')} troupe ${[command.name, command.takes, '[OPTIONS]'].filter(Boolean).join(' ')}`,
    ...subcommandLines(command, style),
    ...(Object.keys(command.options).length > 0 ? ['', style.bold('Options:'), ...optionLines(command.options)] : []),
    '',
    style.bold('Options everywhere:'),
    ...optionLines(commonOptions),
    '',
    style.bold('Examples:'),
    ...command.examples.flatMap(([example, about]) => [`  ${style.cyan(example)}`, `      ${about}`]),
  ]
}

function subcommandLines({ subcommands }: Command, style: Style): string[] {
  if (subcommands === undefined) return []
  const width = Math.max(...Object.keys(subcommands).map((name) => name.length))
  const lines = Object.entries(subcommands).map(
    ([name, { summary }]) => `  ${style.cyan(name.padEnd(width))}  ${summary}`,
  )
  return ['', style.bold('Commands:'), ...lines]
}

function optionLines(options: Readonly<Record<string, OptionSpec>>): string[] {
  const rows = Object.entries(options).map(([name, { short, value, about, alone }]) => {
    const given = alone === undefined ? ` ${value}` : `[=${value}]`
    const long = value === undefined ? `--${name}` : `--${name}${given}`
    return { flag: short === undefined ? `    ${long}` : `-${short}, ${long}`, about }
  })
  const width = Math.max(...rows.map(({ flag }) => flag.length))
  return rows.map(({ flag, about }) => `  ${flag.padEnd(width)}  ${about}`)
}
