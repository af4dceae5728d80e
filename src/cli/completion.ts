/** `troupe completion`: the script for a shell to complete commands, options, harnesses and agent names. */
import {
  type Command,
  type CommandEntry,
  type CommandInput,
  exit,
  printJson,
  printLines,
  UsageError,
} from './command.ts'
import { bashCompletion, fishCompletion, zshCompletion } from './completion-shells.ts'
import { completionTable } from './completion-table.ts'
import { loadInventory, loadRegistry } from './load.ts'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const
const names = Object.keys(shells) as (keyof typeof shells)[]

export function completionOf(commands: Readonly<Record<string, CommandEntry>>): Command {
  return {
    name: 'completion',
    reportsHarnessProblems: false,
    takes: 'SHELL',
    words: 1,
    completes: [names],
    summary: 'completion of commands, options and names for your shell',
    details:
      'Prints a script for bash, zsh or fish. It completes commands, options, harnesses, and the names of the agents where you are. `troupe completion agents` prints those names, one a line.',
    options: {},
    examples: [
      ['source <(troupe completion bash)', 'in ~/.bashrc'],
      ['source <(troupe completion zsh)', 'in ~/.zshrc, after compinit'],
      ['troupe completion fish | source', 'in ~/.config/fish/config.fish'],
    ],
    run: async (input) => {
      const [word] = input.positionals
      if (word === 'agents') return printAgents(input)
      const shell = names.find((one) => one === word)
      if (shell === undefined)
        throw new UsageError(
          word === undefined ? 'Missing argument SHELL.' : `Unknown shell "${word}".`,
          `Shells are ${names.join(', ')}.`,
        )
      const { registry } = await loadRegistry(input)
      const script = shells[shell](
        await completionTable(
          commands,
          registry.all.map(({ id }) => id),
        ),
      )
      if (input.options.json === true) printJson(input.terminal, { shell, script })
      else input.terminal.print(script)
      return exit.fine
    },
  }
}

async function printAgents(input: CommandInput): Promise<number> {
  const { inventory } = await loadInventory(input, [])
  // A shell would interpret other characters.
  const isPlain = (name: string) => /^[\w.:-]+$/.test(name)
  const agents = [...new Set(inventory.agents.map(({ name }) => name))].filter(isPlain).sort()
  if (input.options.json === true) printJson(input.terminal, { agents })
  else printLines(input.terminal, agents)
  return exit.fine
}
