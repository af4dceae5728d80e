/** Renders an agent as its harness must see it when it is a member of a team: the main session, with the team tools. */
import { type AgentOutput, assemble } from '../../convert/agent/output.ts'
import { moveKeys } from '../../convert/agent/same-dialect.ts'
import { createSource, type Source } from '../../convert/agent/source.ts'
import { withTeamAccess, withTeamKeys } from '../../convert/agent/team-server.ts'
import { convertDefinition } from '../../convert/convert.ts'
import { defaultDecision } from '../../convert/gaps.ts'
import type { Target } from '../../convert/plan.ts'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { toData } from '../../formats/data.ts'
import { readAgents } from '../../harness/read/agents.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Agent, Json } from '../../model/agent.ts'
import type { TeamTool } from '../../model/tools.ts'
import { pathFinder, skillFinder } from '../../project/references.ts'
import { readTroupeFile } from '../../project/troupe-file.ts'
import type { FoundAgent } from '../../workbench/inventory.ts'
import { nameIn } from '../../workbench/naming.ts'
import { whyNotConvertible, wideningRefusal } from '../../workbench/refusal.ts'

export interface RenderedMember {
  /** The agent as the harness reads it. */
  readonly agent: Agent
  /** The file, if the harness requires one, and its path in a project. */
  readonly path: string
  readonly text: string
  /** The keys of the definition. */
  readonly keys: Readonly<Record<string, Json>>
}

/** `problem`: it would have more access there than its definition grants, and that was not accepted. */
export function renderMember(
  here: string,
  registry: Registry,
  found: FoundAgent,
  harness: Harness,
  { tools, fill }: { readonly tools: readonly TeamTool[]; readonly fill: (prompt: string) => string },
): RenderedMember | { readonly problem: string } {
  const carrier = harness.carriers.find(({ project, agents }) => project?.write !== undefined && agents === undefined)
  if (carrier === undefined) return { problem: `${harness.title} has no file format for a single agent` }
  const target: Target = { harness, carrier }
  const { candidate, source: file, read, path } = found.file
  const project = projectFolders(here)[0] ?? here
  const { file: settled } = readTroupeFile(project)
  const unknown = whyNotConvertible(path, found.name, found.agent, found.unclear, settled.ignoreKeys)
  if (unknown !== null && candidate.harness.id !== harness.id) return { problem: unknown.message }
  const given = { ...found, agent: asMember(found.agent, tools, fill) }
  const source = createSource(
    {
      registry,
      harness: candidate.harness,
      carrier: candidate.carrier,
      path,
      text: file.text,
      document: read.document,
    },
    given,
  )
  const name = nameIn(target, candidate, found.agent.name)
  const convertedFrom = (from: Source): Written | string => {
    const converted = convertDefinition(from, {
      target,
      name,
      renamed: new Map(),
      policy: defaultDecision,
      models: settled.models.get(harness.id) ?? {},
      keepAsking: false,
      role: harness.embody?.role ?? 'main',
      findSkill: skillFinder(candidate, harness, project, showPath(here)),
      isThere: pathFinder(project),
      kept: null,
    })
    const accept = settled.accept.get(harness.id) ?? new Map<string, string | null>()
    const { output } = converted
    const refusal = wideningRefusal(harness, converted, { all: accept.has('*'), capabilities: accept })
    return (
      refusal?.message ?? (output.kind === 'file' ? output : `${harness.title} has no file format for a single agent`)
    )
  }
  const output = candidate.harness.id === harness.id ? asItIs(source, target, name, tools) : convertedFrom(source)
  if (typeof output === 'string') return { problem: output }
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const relativePath = output.path.slice((carrier.project?.write ?? '').split('{name}')[0]?.length ?? 0)
  const [again] = readAgents({ registry, harness, carrier, text: output.text, relativePath, surroundings }).agents
  if (again === undefined) return { problem: `the file written for ${harness.title} contains no agent` }
  const keys = again.map === null ? {} : (toData(again.map) as Record<string, Json>)
  return { agent: again.agent, path: output.path, text: output.text, keys }
}

type Written = Extract<AgentOutput, { kind: 'file' }>

/** In its own harness a definition keeps all of its keys: what it leaves open is up to the user's settings. */
function asItIs(source: Source, target: Target, name: string, tools: readonly TeamTool[]): Written | string {
  const { harness, carrier } = target
  const keys = withTeamKeys(harness, moveKeys(source, { target, name }), tools)
  const { lineEnd, agent } = source
  const output = assemble({ target: harness, carrier, name, keys, prompt: agent.prompt.text, lineEnd })
  return output.kind === 'file' ? output : `${harness.title} has no file format for a single agent`
}

/** A member is always the main session; the team tools are added to its access. */
function asMember(agent: Agent, tools: readonly TeamTool[], fill: (prompt: string) => string): Agent {
  const { mode: _mode, ...fields } = agent.fields
  const prompt = { ...agent.prompt, text: fill(agent.prompt.text) }
  return { ...agent, fields, prompt, access: withTeamAccess(agent.access, tools) }
}
