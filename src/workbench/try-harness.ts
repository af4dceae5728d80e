/** Tries a harness file on sample agents: each is read, written and read again, and what no sample uses is listed. */
import { createSource } from '../convert/agent/source.ts'
import { convertDefinition } from '../convert/convert.ts'
import { defaultDecision } from '../convert/gaps.ts'
import { getNode } from '../formats/data.ts'
import type { ReadAgent } from '../harness/read/agents.ts'
import { createRegistry, type Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { accessInRole, isGrantable } from '../harness/write/target-access.ts'
import { type Access, type Role, roles } from '../model/access/rules.ts'
import { generalActions } from '../model/access/summary.ts'
import type { CapabilityChange } from '../model/conversion.ts'
import type { Diagnostic } from '../model/findings.ts'
import type { LoadedFile } from './file.ts'
import { checkText, openText } from './text.ts'

export interface Sample {
  /** As it is shown to people. */
  readonly path: string
  readonly text: string
}

export interface TriedAgent {
  readonly path: string
  readonly name: string
  /** Sentences about what differs after writing and reading again. */
  readonly differences: readonly string[]
}

export interface HarnessTrial {
  readonly agents: readonly TriedAgent[]
  /** What reading the samples found. */
  readonly diagnostics: readonly Diagnostic[]
  /** By part of the file, what no sample uses. */
  readonly unused: Readonly<Record<string, readonly string[]>>
}

type OpenSample = LoadedFile & Pick<Sample, 'text'>

/** Under another id a harness is a target like any other, and nothing is copied. */
const AGAIN = 'again'

export function tryHarness(known: Registry, harness: Harness, samples: readonly Sample[]): HarnessTrial {
  const again = { ...harness, id: `${harness.id}-${AGAIN}` }
  const registry = createRegistry(
    [...known.all.filter(({ id }) => id !== harness.id), harness, again],
    known.all.map(({ id }) => id),
  )
  const files = samples.map(({ path, text }) => ({ ...openText({ registry, harness, text, path }), text }))
  return {
    agents: files.flatMap((file) => file.read.agents.map((agent) => tryAgent(registry, again, file, agent))),
    diagnostics: samples.flatMap(({ path, text }) => checkText({ registry, harness, text, path })),
    unused: unusedIn(harness, files),
  }
}

function tryAgent(registry: Registry, again: Harness, file: OpenSample, read: ReadAgent): TriedAgent {
  const { candidate, path } = file
  const { harness, carrier } = candidate
  const { agent } = read
  const source = createSource({ registry, harness, carrier, path, text: file.text, document: file.read.document }, read)
  const {
    record,
    refusal,
    agent: written,
  } = convertDefinition(source, {
    target: { harness: again, carrier },
    name: agent.name,
    renamed: new Map(),
    policy: defaultDecision,
    // Its own models are none of another harness.
    models: Object.fromEntries(modelsOf(agent).map((id) => [id, id])),
    keepAsking: false,
    findSkill: () => ({ tried: [] }),
    kept: null,
  })
  const always = new Set(harness.access.always.flatMap(({ tool }) => harness.units[tool]?.grants ?? []))
  const widened = record.access.widened.filter(({ capability }) => !always.has(capability))
  const narrowed = record.access.narrowed.filter((change) => isLost(change, harness, agent.access, written.access))
  const fields = Object.entries(agent.fields).flatMap(([concept, field]) => {
    const now = written.fields[concept as keyof typeof written.fields]
    if (field === undefined || JSON.stringify(now?.value) === JSON.stringify(field.value)) return []
    return [`${field.key ?? concept} is ${now === undefined ? 'lost' : JSON.stringify(now.value)}`]
  })
  const differences = [
    ...(refusal === null ? [] : [`it cannot be written: ${refusal.message}`]),
    ...fields,
    ...(written.prompt.text.trim() === agent.prompt.text.trim() ? [] : ['its prompt is another']),
    ...widened.map((change) => `it gains ${inWords(change)}`),
    ...narrowed.map((change) => `it loses ${inWords(change)}`),
  ]
  return { path, name: agent.name, differences }
}

/** Neither what the harness has no tool for, nor what it grants as little to the agent as it was read. */
function isLost({ capability, pattern }: CapabilityChange, harness: Harness, before: Access, after: Access): boolean {
  if (!isGrantable(harness, capability)) return false
  if (pattern !== null) return true
  const granted = (access: Access, role: Role) => generalActions(accessInRole(harness, access, role))[capability]
  return roles.some((role) => granted(before, role) !== granted(after, role))
}

function modelsOf({ fields: { model } }: ReadAgent['agent']): readonly string[] {
  return model === undefined ? [] : [model.value].flat()
}

function inWords({ capability, pattern, before, after }: CapabilityChange): string {
  return `${capability}${pattern === null ? '' : ` (${pattern})`}: ${before} became ${after}`
}

function unusedIn(harness: Harness, files: readonly LoadedFile[]): HarnessTrial['unused'] {
  const agents = files.flatMap(({ read }) => read.agents)
  const kinds = new Set(files.map(({ candidate }) => candidate.carrier.id))
  const concepts = new Set(agents.flatMap(({ agent }) => Object.keys(agent.fields)))
  const tools = new Set(
    agents.flatMap(({ agent }) => agent.access.flatMap(({ rules }) => rules.map(({ native, unit }) => unit ?? native))),
  )
  const ownFields = harness.carriers.flatMap(({ fields = {} }) => Object.entries(fields))
  const all = {
    carriers: harness.carriers.map(({ id }) => id).filter((id) => !kinds.has(id)),
    fields: [...Object.entries(harness.fields), ...ownFields]
      .filter(([concept, spec]) => spec?.key !== undefined && !concepts.has(concept))
      .map(([concept]) => concept),
    'access.layers': harness.access.layers
      .filter(({ key }) => !agents.some(({ map }) => getNode(map, key.split('.')) !== undefined))
      .map(({ key }) => key),
    tools: Object.entries(harness.units)
      .filter(([name, { alias, gone }]) => alias === undefined && gone !== true && !tools.has(name))
      .map(([name]) => name),
  }
  const some = Object.entries(all).filter(([, names]) => names.length > 0)
  return Object.fromEntries(some.map(([part, names]) => [part, [...new Set(names)]]))
}
