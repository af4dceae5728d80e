/** Agents as other harnesses would need them, in memory: what a conversion with the defaults would make of each. */
import { defaultDecision } from '../convert/gaps.ts'
import { parseSource } from '../convert/parse.ts'
import { type Converted, convertAgent } from '../convert/pipeline.ts'
import type { Target } from '../convert/read-back.ts'
import { moveAgent } from '../convert/same-dialect.ts'
import type { Registry } from '../harness/registry.ts'
import { nameIn } from './converting/roster.ts'
import { skillFinder } from './converting/skills.ts'
import type { FoundAgent } from './inventory.ts'
import { projectFolders, showPath } from './roots.ts'
import { readTroupeFile, type TroupeFile } from './troupe-file.ts'

export interface Renderer {
  readonly render: (found: FoundAgent, target: Target) => Converted
  /** What the project has settled about its targets. */
  readonly settled: TroupeFile
}

/** `agents`: all that are rendered together, because each may speak of others that get another name. */
export function createRenderer(here: string, registry: Registry, agents: readonly FoundAgent[]): Renderer {
  const project = projectFolders(here)[0] ?? here
  const { file: settled } = readTroupeFile(project)
  const show = showPath(here)
  const renamings = new Map<Target['carrier'], ReadonlyMap<string, string>>()
  const renamedFor = (target: Target) => {
    let renamed = renamings.get(target.carrier)
    if (renamed === undefined) {
      renamed = new Map(
        agents
          .map(({ agent, file }) => [agent.name, nameIn(target, file.candidate, agent.name)] as const)
          .filter(([name, now]) => name !== now),
      )
      renamings.set(target.carrier, renamed)
    }
    return renamed
  }
  const render = (found: FoundAgent, target: Target) => {
    const { candidate, source: file, read, path } = found.file
    const { harness, carrier } = candidate
    const source = parseSource({ registry, harness, carrier, path, text: file.text, document: read.document }, found)
    const options = {
      target,
      name: nameIn(target, candidate, found.agent.name),
      renamed: renamedFor(target),
      policy: defaultDecision,
      models: settled.models.get(target.harness.id) ?? {},
      keepAsking: false,
      findSkill: skillFinder(candidate, target.harness, project, show),
      kept: null,
    }
    return harness.id === target.harness.id ? moveAgent(source, options) : convertAgent(source, options)
  }
  return { render, settled }
}
