/** Drafts a new agent in the dialect of any harness. */
import type { Target } from '../convert/plan.ts'
import { yamlEntry } from '../formats/yaml/render.ts'
import { type Registry, UNIVERSAL } from '../harness/registry.ts'
import { readFileText } from './file.ts'
import type { FoundAgent } from './inventory.ts'

export interface AgentDraft {
  readonly name: string
  readonly description: string
  /** Null: not restricted. */
  readonly tools: readonly string[] | null
}

/** As if it were written in the dialect that all others can be converted from. */
export function draftAgent(registry: Registry, words: AgentDraft): FoundAgent {
  const { harness, carrier } = plainDialect(registry)
  const { name, description, tools } = words
  const keys = [
    yamlEntry('name', name),
    yamlEntry('description', description),
    ...(tools === null ? [] : [yamlEntry('tools', tools)]),
  ]
  const body = [
    `You are ${name}. ${description}`,
    '',
    '1. Describe what to do first.',
    '2. Describe when the work is done.',
    '3. Describe what to report back, and in which form.',
  ]
  const text = ['---', ...keys, '---', '', ...body, ''].join('\n')
  const path = `agents/${name}.md`
  const candidate = { harness, carrier, path, relativePath: `${name}.md`, scope: 'project' as const }
  const file = readFileText(
    registry,
    candidate,
    path,
    { text, encoding: 'utf-8', findings: [] },
    { readBeside: () => null, environment: () => undefined },
  )
  const [read] = file.read.agents
  if (read === undefined) throw new Error('a draft without an agent')
  return {
    ...read,
    file,
    name,
    path,
    scope: 'project',
    plugin: null,
    alsoReadBy: [],
    shadowedBy: null,
    builtFrom: null,
    disabled: false,
    unclear: false,
    mergedWith: [],
    twins: [],
  }
}

function plainDialect(registry: Registry): Target {
  const harness = registry.byId(UNIVERSAL)
  const carrier = harness?.carriers[0]
  if (harness === undefined || carrier === undefined) throw new Error('there is no universal dialect')
  return { harness, carrier }
}
