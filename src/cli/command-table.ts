/** The table of commands, each loaded only when called, and their help. */

import { capitalize, displayWidth, wrap } from '../report/layout.ts'
import type { Style } from '../report/print-text.ts'
import { type Command, type CommandEntry, commonOptions, type OptionSpec } from './command.ts'

export const commands: Readonly<Record<string, CommandEntry>> = {
  list: {
    summary: 'list the agents here, in every dialect',
    load: async () => (await import('./commands/list.ts')).list,
  },
  show: {
    summary: 'show one agent as Troupe understands it',
    load: async () => (await import('./commands/show.ts')).show,
  },
  check: {
    summary: 'find problems, and predict what each harness does about them',
    load: async () => (await import('./commands/check.ts')).check,
  },
  convert: {
    summary: 'convert agents to another harness, and report every loss',
    load: async () => (await import('./commands/convert.ts')).convert,
  },
  init: {
    summary: 'write a troupe.yaml for this project',
    load: async () => (await import('./commands/init.ts')).init,
  },
  new: {
    summary: 'create a new agent, in any dialect',
    load: async () => (await import('./commands/new.ts')).newAgent,
  },
  build: {
    summary: 'bring all targets up to date with one source',
    load: async () => (await import('./commands/build.ts')).build,
  },
  diff: {
    summary: 'compare prompts with another folder, line by line',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  import: {
    summary: 'import a folder of agents into one PromptScript file',
    load: async () => (await import('./commands/import.ts')).importCommand,
  },
  verify: {
    summary: "check Troupe's predictions against your own harness",
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  explain: {
    summary: 'show which rule decides whether an agent may do something',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  harnesses: {
    summary: 'show what each harness supports, and how we know',
    load: async () => (await import('./commands/harnesses.ts')).harnesses,
  },
  work: {
    summary: 'run agents as a team, with handoffs that survive crashes',
    load: async () => (await import('./work/work.ts')).work,
  },
  mcp: {
    summary: 'serve the team tools over MCP, for a harness',
    load: async () => (await import('./work/work.ts')).mcp,
  },
  completion: {
    summary: 'print shell completion for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
  hud: {
    summary: 'add status sections to the prompts of agents',
    load: async () => (await import('./commands/hud.ts')).hudCommand,
  },
  undo: {
    summary: 'undo the last run',
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
      { '': { summary: '(no command) show what is here, what is wrong, and what to do next' }, ...commands },
      style,
    ),
    '',
    style.bold('Common options:'),
    ...optionLines(commonOptions),
    '',
    '`troupe COMMAND --help` shows the options and examples of a command.',
  ]
}

export function commandHelp(command: Command, style: Style, columns: number): string[] {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', style.bold(title), ...lines.flatMap((line) => wrapRow(line, columns))]
  return [
    ...wrap(command.details ?? `${capitalize(command.summary)}.`, Math.min(columns, 100)),
    '',
    `${style.bold('Usage:')} troupe ${[command.name, command.takes, '[OPTIONS]'].filter(Boolean).join(' ')}`,
    ...section('Commands:', commandLines(command.subcommands ?? {}, style)),
    ...section('Options:', optionLines(command.options)),
    ...section('Common options:', optionLines(commonOptions)),
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

/** A long description continues below its beginning. */
function wrapRow(row: string, columns: number): string[] {
  const plain = row.replace(/\u001b\[\d+m/g, '')
  const about = /^ +\S(?:.*?\S)? {2,}(\S.*)$/.exec(plain)?.[1]
  if (about === undefined || displayWidth(plain) <= columns) return [row]
  const indent = displayWidth(plain) - displayWidth(about)
  const [first = '', ...rest] = wrap(about, Math.max(20, columns - indent))
  return [row.slice(0, row.length - about.length) + first, ...rest.map((line) => ' '.repeat(indent) + line)]
}
