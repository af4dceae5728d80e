/** One agent as another harness would need it, without writing anything. */
import { defaultDecision } from '../convert/gaps.ts'
import { parseSource } from '../convert/parse.ts'
import { type Converted, convertAgent } from '../convert/pipeline.ts'
import { nested, type Target } from '../convert/read-back.ts'
import { moveAgent } from '../convert/same-dialect.ts'
import type { Registry } from '../harness/registry.ts'
import { targetName } from '../harness/write-name.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { refusalOf } from '../project/converting/refusal.ts'
import { skillFinder } from '../project/converting/skills.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { projectFolders, showPath } from '../project/roots.ts'
import { readTroupeFile } from '../project/troupe-file.ts'

export interface ConvertedOne extends Pick<Converted, 'record' | 'output'> {
  /** The file, or a document with its entry alone. */
  readonly text: string
  /** Why it would not be written, unless the project accepts that. */
  readonly refusal: Diagnostic | null
}

export function convertOne(here: string, registry: Registry, found: FoundAgent, target: Target): ConvertedOne {
  const { candidate, source: file, read, path } = found.file
  const { harness, carrier } = candidate
  const source = parseSource({ registry, harness, carrier, path, text: file.text, document: read.document }, found)
  const project = projectFolders(here)[0] ?? here
  const { file: settled } = readTroupeFile(project)
  const accept = settled.accept.get(target.harness.id) ?? new Map<string, string | null>()
  const isSame = harness.id === target.harness.id
  const name = isSame ? found.agent.name : targetName(target.carrier, found.agent.name)
  const options = {
    target,
    name,
    renamed: new Map<string, string>(name === found.agent.name ? [] : [[found.agent.name, name]]),
    policy: defaultDecision,
    models: settled.models.get(target.harness.id) ?? {},
    keepAsking: false,
    findSkill: skillFinder(candidate, target.harness, project, showPath(here)),
    kept: null,
  }
  const { output, record } = isSame ? moveAgent(source, options) : convertAgent(source, options)
  const text = output.kind === 'file' ? output.text : `${JSON.stringify(nested(output.settings), null, 2)}\n`
  const refusal = refusalOf(target.harness, record, { all: accept.has('*'), capabilities: accept })
  return { output, record, text, refusal }
}

/** The same in one sentence. */
export function refusalText({ harness }: Target, { access }: Converted['record']): string {
  const gained = [...new Set(access.widened.map(({ capability }) => capability))]
  return `\`troupe convert\` refuses it: in ${harness.title} it could do more (${gained.join(', ')}).`
}
