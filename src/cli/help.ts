/** Help texts, made from the commands themselves. */
import { wrap } from '../report/layout.ts'
import { capital } from '../report/prose.ts'
import type { Style } from '../report/style.ts'
import { commonOptions } from './arguments.ts'
import type { Command, OptionSpec } from './command.ts'
import { commands } from './commands.ts'

export function generalHelp(style: Style): string[] {
  return [
    'Troupe: write a coding agent once, run it in any harness, and prove that it is still the same agent.',
    '',
    `${style.bold('Usage:')} troupe [COMMAND] [OPTIONS]`,
    '',
    style.bold('Commands:'),
    ...commandLines(
      { '': { summary: '(without a command) what is here, what is wrong, what to do next' }, ...commands },
      style,
    ),
    '',
    style.bold('Options everywhere:'),
    ...optionLines(commonOptions),
    '',
    '`troupe COMMAND --help` shows the options and examples of a command.',
  ]
}

export function commandHelp(command: Command, style: Style, columns: number): string[] {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style.bold(title), ...lines]
  return [
    ...wrap(command.details ?? `${capital(command.summary)}.`, Math.min(columns, 100)),
    '',
    `${style.bold('Usage:')} troupe ${[command.name, command.takes, '[OPTIONS]'].filter(Boolean).join(' ')}`,
    ...section('Commands:', commandLines(command.subcommands ?? {}, style)),
    ...section('Options:', optionLines(command.options)),
    ...section('Options everywhere:', optionLines(commonOptions)),
    ...section(
      'Examples:',
      command.examples.flatMap(([example, about]) => [`  ${style.cyan(example)}`, `      ${about}`]),
    ),
  ]
}

function commandLines(all: Readonly<Record<string, { readonly summary: string }>>, style: Style): string[] {
  const width = Math.max(...Object.keys(all).map((name) => name.length))
  return Object.entries(all).map(([name, { summary }]) => `  ${style.cyan(name.padEnd(width))}  ${summary}`)
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
