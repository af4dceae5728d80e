/** `troupe show NAME --as ID`: the file that another harness would need. */
import type { Registry } from '../harness/registry.ts'
import type { Conversion } from '../model/conversion.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { wrap } from '../report/layout.ts'
import { type CommandInput, exit, printJson } from './command.ts'
import { convertOne, refusalText } from './convert-one.ts'
import { findTarget } from './setting.ts'

export function showAs(input: CommandInput, registry: Registry, found: FoundAgent, word: string): number {
  const { terminal, here } = input
  const target = findTarget(registry, word)
  const { output, record, text, refusal } = convertOne(here, registry, found, target)
  if (input.options.json === true) {
    const status = refusal === null ? 'planned' : 'refused'
    const diagnostics = [...found.file.diagnostics, ...(refusal === null ? [] : [refusal])]
    printJson(terminal, { result: { ...record, status, diagnostics } satisfies Conversion, text })
    return exit.fine
  }
  terminal.print(text)
  const place = record.target.files.join(' and ')
  const would = output.kind === 'file' ? 'This would be' : 'This would stand in'
  terminal.tell(`\n${would} ${place}, at ${record.fidelity.score} % fidelity.\n`)
  if (refusal !== null) terminal.tell(`${wrap(refusalText(target, record, refusal), terminal.columns).join('\n')}\n`)
  return exit.fine
}
