/** What no single file shows: names that collide, folders that other harnesses read, conditions for being read at all. */
import type { Registry } from '../harness/registry.ts'
import type { Finding } from '../model/diagnostics.ts'
import type { FoundAgent, Inventory, LoadedFile } from './inventory.ts'

export function projectFindings(registry: Registry, inventory: Inventory): Map<LoadedFile, Finding[]> {
  const findings = new Map<LoadedFile, Finding[]>()
  const add = (file: LoadedFile, finding: Finding) => {
    const known = findings.get(file)
    if (known === undefined) findings.set(file, [finding])
    else known.push(finding)
  }
  for (const { agent, finding } of collisions(inventory.agents)) add(agent.file, finding)
  for (const { agent, finding } of otherReaders(registry, inventory.agents)) add(agent.file, finding)
  for (const { agent, finding } of trust(inventory.agents)) add(agent.file, finding)
  return findings
}

interface Said {
  readonly agent: FoundAgent
  readonly finding: Finding
}

const top = { start: 0, end: 0 }

function* collisions(agents: readonly FoundAgent[]): Generator<Said> {
  const first = new Map<string, FoundAgent>()
  for (const found of agents) {
    const { agent, file, scope } = found
    if (file.candidate.harness.layers.merge === 'deep' && isMerged(found)) continue
    const key = `${agent.harness}\n${scope}\n${agent.name}`
    const other = first.get(key)
    if (other === undefined) {
      first.set(key, found)
      continue
    }
    const message = `${file.candidate.harness.title} has another agent "${agent.name}" in ${other.path}: only one of them is used.`
    const range = agent.nameRange ?? top
    yield { agent: found, finding: { code: 'name-collision', message, range, harness: agent.harness } }
  }
}

/** Entries of a config file are merged with files of the same name on purpose. */
function isMerged({ file }: FoundAgent): boolean {
  return file.candidate.carrier.agents !== undefined
}

function* otherReaders(registry: Registry, agents: readonly FoundAgent[]): Generator<Said> {
  const told = new Set<string>()
  for (const agent of agents) {
    for (const id of agent.alsoReadBy) {
      const folder = agent.path.slice(0, Math.max(0, agent.path.lastIndexOf('/'))) || '.'
      if (told.has(`${id}\n${folder}`)) continue
      told.add(`${id}\n${folder}`)
      const title = registry.byId(id)?.title ?? id
      const message = `${title} loads the agents in ${folder} too, by its own rules; \`troupe check --for ${id}\` shows how.`
      yield { agent, finding: { code: 'read-by-others', message, range: top, harness: id } }
    }
  }
}

function* trust(agents: readonly FoundAgent[]): Generator<Said> {
  const told = new Set<string>()
  for (const agent of agents) {
    const { harness } = agent.file.candidate
    if (harness.trust === undefined || agent.scope !== 'project' || told.has(harness.id)) continue
    told.add(harness.id)
    const message = `${harness.title} reads the agents of a project only when ${harness.trust.needs}.`
    const { otherwise: consequence } = harness.trust
    yield { agent, finding: { code: 'needs-trust', message, range: top, harness: harness.id, consequence } }
  }
}
