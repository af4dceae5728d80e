/** The table of commands, each loaded only when called, and their help. */

import { capitalize, wrap } from '../report/layout.ts'
import type { Style } from '../report/print-text.ts'
import { type Command, type CommandEntry, commonOptions, type OptionSpec } from './command.ts'

export const commands: Readonly<Record<string, CommandEntry>> = {
  list: {
    summary: 'every agent here, in every dialect',
    load: async () => (await import('./commands/list.ts')).list,
  },
  show: {
    summary: 'one agent, as Troupe understands it',
    load: async () => (await import('./commands/show.ts')).show,
  },
  check: {
    summary: 'what is wrong, and what each harness will do about it',
    load: async () => (await import('./commands/check.ts')).check,
  },
  convert: {
    summary: 'agents of one dialect into another, with every loss accounted for',
    load: async () => (await import('./commands/convert.ts')).convert,
  },
  init: {
    summary: 'a troupe.yaml that fits this project',
    load: async () => (await import('./commands/init.ts')).init,
  },
  new: {
    summary: 'a draft of an agent, in any dialect',
    load: async () => (await import('./commands/new.ts')).newAgent,
  },
  build: {
    summary: 'all targets in step with one source',
    load: async () => (await import('./commands/build.ts')).build,
  },
  diff: {
    summary: 'how much of each prompt stands in another folder too, line by line',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  import: {
    summary: 'a folder of agents into one PromptScript file',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  verify: {
    summary: 'what your harness really does with your agents',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  explain: {
    summary: 'which rule decides whether an agent may do something',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  harnesses: {
    summary: 'what each harness can express, and how we know',
    load: async () => (await import('./commands/harnesses.ts')).harnesses,
  },
  work: {
    summary: 'agents as a team: handoffs that survive anything',
    load: async () => (await import('./work/work.ts')).work,
  },
  mcp: {
    summary: 'the team tools, as an MCP server for a harness',
    load: async () => (await import('./work/work.ts')).mcp,
  },
  completion: {
    summary: 'completion for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
  hud: {
    summary: 'status sections that agents see in their prompts',
    load: async () => (await import('./commands/hud.ts')).hudCommand,
  },
  undo: {
    summary: 'take back the last run',
    load: async () => (await import('./commands/undo.ts')).undo,
  },
}

export async function loadOverview(): Promise<Command> {
  return (await import('./commands/list.ts')).overview
}

/** Help texts, built from the commands themselves. */
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
    ...wrap(command.details ?? `${capitalize(command.summary)}.`, Math.min(columns, 100)),
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
