/** What no single file shows: names that collide, folders that other harnesses read, conditions for being read at all. */
import type { Registry } from '../harness/registry.ts'
import type { Finding } from '../model/diagnostics.ts'
import { declaredTwice } from './converting/refusal.ts'
import type { FoundAgent, Inventory } from './inventory.ts'
import type { LoadedFile } from './load-file.ts'
import { uncertainTwin } from './merged.ts'

export function projectFindings(registry: Registry, inventory: Inventory): Map<LoadedFile, Finding[]> {
  const findings = new Map<LoadedFile, Finding[]>()
  const add = (file: LoadedFile, finding: Finding) => {
    const known = findings.get(file)
    if (known === undefined) findings.set(file, [finding])
    else known.push(finding)
  }
  const all = [...inventory.agents, ...inventory.outputs]
  for (const { agent, finding } of collisions(inventory.agents)) add(agent.file, finding)
  for (const { agent, finding } of passedOver(inventory.agents)) add(agent.file, finding)
  for (const { agent, finding } of otherReaders(registry, all)) add(agent.file, finding)
  for (const { agent, finding } of trust(all)) add(agent.file, finding)
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
    yield* twins(found)
    if (file.candidate.harness.layers.merge === 'deep' && isMerged(found)) continue
    const key = `${agent.harness}\n${scope}\n${found.name}`
    const other = first.get(key)
    if (other === undefined) {
      first.set(key, found)
      continue
    }
    const message = `${file.candidate.harness.title} has another agent "${found.name}" in ${other.path}: only one of them is used.`
    const range = agent.nameRange ?? top
    yield { agent: found, finding: { code: 'name-collision', message, range, harness: agent.harness } }
  }
}

function* twins(found: FoundAgent): Generator<Said> {
  const { agent, file, name } = found
  for (const path of found.twins) {
    const message = uncertainTwin(file.candidate.harness, name, path)
    yield {
      agent: found,
      finding: { code: 'name-collision', message, range: agent.nameRange ?? top, harness: agent.harness },
    }
  }
}

/** Files that count for nothing, because a declaration has their name. */
function* passedOver(agents: readonly FoundAgent[]): Generator<Said> {
  const declaring = new Set(
    agents.filter(({ file }) => file.candidate.carrier.declares === true).map(({ path }) => path),
  )
  for (const found of agents) {
    const { shadowedBy: by, name, agent, path } = found
    if (by === null || by === path || !declaring.has(by)) continue
    const { code, message } = declaredTwice(path, name, by)
    yield { agent: found, finding: { code, message, range: agent.nameRange ?? top, harness: agent.harness } }
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
