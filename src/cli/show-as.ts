/** `troupe show NAME --as ID`: the file that another harness would need, without writing anything. */
import { defaultDecision } from '../convert/gaps.ts'
import { parseSource } from '../convert/parse.ts'
import { convertAgent } from '../convert/pipeline.ts'
import { moveAgent } from '../convert/same-dialect.ts'
import type { Registry } from '../harness/registry.ts'
import { targetName } from '../harness/write-name.ts'
import { skillFinder } from '../project/converting/skills.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { projectFolders, showPath } from '../project/roots.ts'
import { readTroupeFile } from '../project/troupe-file.ts'
import { type CommandInput, exit, printJson } from './command.ts'
import { findTarget } from './setting.ts'

export function showAs(input: CommandInput, registry: Registry, found: FoundAgent, word: string): number {
  const { terminal, here } = input
  const target = findTarget(registry, word)
  const { candidate, source: file, read, path } = found.file
  const { harness, carrier } = candidate
  const source = parseSource({ registry, harness, carrier, path, text: file.text, document: read.document }, found)
  const project = projectFolders(here)[0] ?? here
  const isSame = harness.id === target.harness.id
  const name = isSame ? found.agent.name : targetName(target.carrier, found.agent.name)
  const options = {
    target,
    name,
    renamed: new Map<string, string>(name === found.agent.name ? [] : [[found.agent.name, name]]),
    policy: defaultDecision,
    models: readTroupeFile(project).file.models.get(target.harness.id) ?? {},
    keepAsking: false,
    findSkill: skillFinder(candidate, target.harness, project, showPath(here)),
    kept: null,
  }
  const { output, record } = isSame ? moveAgent(source, options) : convertAgent(source, options)
  const text = output.kind === 'file' ? output.text : `${JSON.stringify(output.settings[0]?.value, null, 2)}\n`
  const [place = ''] = record.target.files
  const gained = [...new Set(record.access.widened.map(({ capability }) => capability))]
  if (input.options.json === true) printJson(terminal, { result: record, text })
  else {
    terminal.print(text)
    terminal.tell(`\nThis would be ${place}, at ${record.fidelity.score} % fidelity.\n`)
    if (gained.length > 0) {
      terminal.tell(
        `\`troupe convert\` refuses it: in ${target.harness.title} it could do more (${gained.join(', ')}).\n`,
      )
    }
  }
  return exit.fine
}
