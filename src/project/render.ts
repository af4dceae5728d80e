/** Renders agents for other harnesses in memory, as a conversion with the defaults would. */

import { createSource } from '../convert/agent/source.ts'
import { type Converted, convertAgent } from '../convert/convert.ts'
import { policyOf } from '../convert/gaps.ts'
import type { Target } from '../convert/plan.ts'
import { projectFolders, showPath } from '../disk/roots.ts'
import type { Registry } from '../harness/registry.ts'
import type { FoundAgent } from '../workbench/inventory.ts'
import { type Naming, nameAgents } from '../workbench/naming.ts'
import { skillFinder } from './references.ts'
import { nameFormFor, readTroupeFile, type TroupeFile } from './troupe-file.ts'

export interface Renderer {
  readonly render: (found: FoundAgent, target: Target) => Converted
  readonly nameOf: (found: FoundAgent, target: Target) => string
  /** What the project has settled about its targets. */
  readonly settled: TroupeFile
}

/** `agents`: all that are rendered together, because each may speak of others that get another name. */
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
      kept: null,
    }
    return convertAgent(source, options)
  }
  return {
    render,
    settled,
    nameOf: (found, target) => namingFor(target).nameOf(found.file.candidate, found.agent.name),
  }
}
