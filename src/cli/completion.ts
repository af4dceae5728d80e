/** `troupe completion`: what a shell needs to complete commands, options, harnesses and the names of agents. */
import { powers } from '../model/tools.ts'
import { type Command, exit, UsageError } from './command.ts'
import { bashCompletion } from './completing/bash.ts'
import { fishCompletion } from './completing/fish.ts'
import { completionTable } from './completing/table.ts'
import { zshCompletion } from './completing/zsh.ts'
import { openInventory } from './setting.ts'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const

export const completion: Command = {
  name: 'completion',
  takes: 'SHELL',
  words: 1,
  completes: [Object.keys(shells)],
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
    const [shell] = input.positionals
    if (shell === 'agents') {
      const { inventory } = await openInventory(input, [])
      const names = [...new Set(inventory.agents.map(({ agent }) => agent.name))].filter((name) =>
        /^[\w.-]+$/.test(name),
      )
      for (const name of names.sort()) input.terminal.print(`${name}\n`)
      return exit.fine
    }
    const known = Object.keys(shells) as (keyof typeof shells)[]
    const wanted = known.find((one) => one === shell)
    if (wanted === undefined) throw new UsageError('For which shell?', `There are ${known.join(', ')}.`)
    const { registry } = await openInventory(input, [])
    const ids = registry.all.map(({ id }) => id)
    input.terminal.print(shells[wanted](await completionTable(ids, [...new Set(Object.values(powers).flat())])))
    return exit.fine
  },
}
