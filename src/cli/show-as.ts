/** `troupe show NAME --as ID`: the file that another harness would need. */
import type { Registry } from '../harness/registry.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { type CommandInput, exit, printJson } from './command.ts'
import { convertOne, refusalOf } from './convert-one.ts'
import { findTarget } from './setting.ts'

export function showAs(input: CommandInput, registry: Registry, found: FoundAgent, word: string): number {
  const { terminal, here } = input
  const target = findTarget(registry, word)
  const { record, text } = convertOne(here, registry, found, target)
  const [place = ''] = record.target.files
  if (input.options.json === true) printJson(terminal, { result: record, text })
  else {
    terminal.print(text)
    terminal.tell(`\nThis would be ${place}, at ${record.fidelity.score} % fidelity.\n`)
    if (record.access.widened.length > 0) terminal.tell(`${refusalOf(target, record)}\n`)
  }
  return exit.fine
}
