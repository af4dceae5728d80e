/** Converts agents in memory, as a conversion with the project's settings would, without writing anything. */

import { settingsText } from '../convert/agent/read-back.ts'
import { createSource } from '../convert/agent/source.ts'
import { type Converted, convertDefinition } from '../convert/convert.ts'
import { policyOf } from '../convert/gaps.ts'
import type { Target } from '../convert/plan.ts'
import { projectFolders, showPath } from '../disk/roots.ts'
import type { Registry } from '../harness/registry.ts'
import type { Diagnostic } from '../model/findings.ts'
import { pathFinder, skillFinder } from '../project/references.ts'
import { nameFormFor, readTroupeFile, type TroupeFile } from '../project/troupe-file.ts'
import type { FoundAgent } from '../workbench/inventory.ts'
import { type Naming, nameAgents } from '../workbench/naming.ts'
import { whyNotConvertible, wideningRefusal } from '../workbench/refusal.ts'

/** Renders agents for other harnesses in memory, as a conversion with the defaults would. */
interface Renderer {
  readonly render: (found: FoundAgent, target: Target) => Converted
  readonly nameOf: (found: FoundAgent, target: Target) => string
  /** The project's settings for its targets. */
  readonly settled: TroupeFile
}

/** `agents`: all that are rendered together, because each may mention others that are renamed. */
export function createRenderer(here: string, registry: Registry, agents: readonly FoundAgent[]): Renderer {
  const project = projectFolders(here)[0] ?? here
  const { file: settled } = readTroupeFile(project)
  const show = showPath(here)
  const namings = new Map<Target['carrier'], Naming>()
  const named = agents.map(({ agent, file }) => ({ candidate: file.candidate, names: [agent.name] }))
  const namingFor = (target: Target) => {
    const naming = namings.get(target.carrier) ?? nameAgents(target, named, nameFormFor(settled, target))
    namings.set(target.carrier, naming)
    return naming
  }
  const render = (found: FoundAgent, target: Target) => {
    const { candidate, source: file, read, path } = found.file
    const { harness, carrier } = candidate
    const source = createSource({ registry, harness, carrier, path, text: file.text, document: read.document }, found)
    const { nameOf, renamedFor } = namingFor(target)
    const options = {
      target,
      name: nameOf(candidate, found.agent.name),
      renamed: renamedFor(candidate.plugin?.name),
      policy: policyOf({ widen: [...(settled.accept.get(target.harness.id)?.keys() ?? [])] }),
      models: settled.models.get(target.harness.id) ?? {},
      keepAsking: false,
      findSkill: skillFinder(candidate, target.harness, project, show),
      isThere: pathFinder(project),
      kept: null,
    }
    return convertDefinition(source, options)
  }
  return {
    render,
    settled,
    nameOf: (found, target) => namingFor(target).nameOf(found.file.candidate, found.agent.name),
  }
}

interface ConvertedOne extends Pick<Converted, 'record' | 'output'> {
  /** The file, or a document with its entry alone. */
  readonly text: string
  /** Why it would not be written, unless the project accepts that. */
  readonly refusal: Diagnostic | null
}

export function convertOne(here: string, registry: Registry, found: FoundAgent, target: Target): ConvertedOne {
  const { render, settled } = createRenderer(here, registry, [found])
  const converted = render(found, target)
  const { output, record } = converted
  const accept = settled.accept.get(target.harness.id) ?? new Map<string, string | null>()
  const text = output.kind === 'file' ? textOfFile(output) : settingsText(target.carrier, output.settings)
  const isCopy = found.agent.harness === target.harness.id && found.agent.carrier === target.carrier.id
  const unknown = isCopy
    ? null
    : whyNotConvertible(found.path, found.name, found.agent, found.unclear, settled.ignoreKeys)
  const refusal = unknown ?? wideningRefusal(target.harness, converted, { all: accept.has('*'), capabilities: accept })
  return { output, record, text, refusal }
}

/** Followed by the prompt, where that would be a file of its own. */
function textOfFile({ text, beside }: Extract<Converted['output'], { kind: 'file' }>): string {
  return beside === undefined ? text : `${text}\n# ${beside.path}\n\n${beside.text}`
}

/** The same in one sentence. */
export function refusalText(
  { harness }: Target,
  { access }: Converted['record'],
  { code, message }: Diagnostic,
): string {
  if (code !== 'wider-access') return `\`troupe convert\` refuses it: ${message}`
  const gained = [...new Set(access.widened.map(({ capability }) => capability))]
  return `\`troupe convert\` refuses it: it could do more in ${harness.title} (${gained.join(', ')}).`
}
