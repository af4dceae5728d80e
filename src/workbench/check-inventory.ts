/** Checks everything in an inventory: each agent for each harness that reads it, and the project as a whole. */

import { locateFindings } from '../formats/lines.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import { catalogue, type Diagnostic, type Finding } from '../model/findings.ts'
import { checkFile, withoutFix } from './check.ts'
import type { LoadedFile } from './file.ts'
import { repairFile } from './fix.ts'
import type { FoundAgent, Inventory } from './inventory.ts'
import { twinMessage } from './merge.ts'
import { declaredTwice } from './refusal.ts'

export interface CheckResult {
  /** All of them, by file and line. */
  readonly diagnostics: readonly Diagnostic[]
}

/** `readers`: the harnesses to check for; none: each file's own. */
export function checkInventory(
  registry: Registry,
  inventory: Inventory,
  readers: readonly Harness[] = [],
): CheckResult {
  const across = projectFindings(registry, inventory)
  const wholes = wholeAgents(inventory)
  const own = new Map<string, ReadonlySet<string>>()
  const reported = new Set<string>()
  const sourceOf = sourcesOfOutputs(inventory)
  // Sources first: their findings are not repeated for their outputs.
  const files = [...inventory.files].sort((a, b) => Number(sourceOf.has(a)) - Number(sourceOf.has(b)))
  const diagnostics = files.flatMap((file) => {
    const all = [...checkFile(registry, file, readers, wholes.get(file.path)), ...(across.get(file) ?? [])]
    const source = sourceOf.get(file)
    if (source === undefined) own.set(file.path, new Set(all.map(({ code }) => code)))
    const found = source === undefined ? all : all.filter((one) => isNews(one, source, own.get(source), reported))
    // What is called repairable must be: a fix that would widen access is not made.
    const isUnfixable = found.some(({ fix }) => fix !== undefined) && repairFile(registry, file) === null
    return locateFindings(isUnfixable ? found.map(withoutFix) : found, file.path, file.source.text)
  })
  return { diagnostics: [...inventory.diagnostics, ...diagnostics].sort(byPlace) }
}

/** By file: the agents that result from definitions in several files. */
function wholeAgents({ agents }: Inventory): Map<string, Map<string, Agent | null>> {
  const wholes = new Map<string, Map<string, Agent | null>>()
  const set = (path: string, name: string, agent: Agent | null) =>
    (wholes.get(path) ?? wholes.set(path, new Map()).get(path))?.set(name, agent)
  for (const { path, agent, mergedWith, twins } of agents) {
    if (mergedWith.length + twins.length === 0) continue
    set(path, agent.name, agent)
    for (const other of mergedWith) set(other, agent.name, null)
  }
  return wholes
}

/** By output: the source that Troupe built it from. */
function sourcesOfOutputs({ outputs, agents }: Inventory): Map<LoadedFile, string> {
  const own = new Set(agents.map(({ file }) => file))
  return new Map(
    outputs.flatMap(({ file, builtFrom }) => (own.has(file) || builtFrom === null ? [] : [[file, builtFrom] as const])),
  )
}

/** Findings that follow from the source are reported there, and those common to all its outputs once. */
function isNews(
  { code, severity = catalogue[code].severity }: Finding,
  source: string,
  said: ReadonlySet<string> | undefined,
  reported: Set<string>,
): boolean {
  if (severity === 'info' || said?.has(code) === true || reported.has(`${source}\n${code}`)) return false
  reported.add(`${source}\n${code}`)
  return true
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || a.column - b.column
}

/** What no single file shows: name collisions, folders that other harnesses read, conditions for being read at all. */
function projectFindings(registry: Registry, inventory: Inventory): Map<LoadedFile, Finding[]> {
  const findings = new Map<LoadedFile, Finding[]>()
  const add = (file: LoadedFile, finding: Finding) => {
    const known = findings.get(file)
    if (known === undefined) findings.set(file, [finding])
    else known.push(finding)
  }
  const all = [...inventory.agents, ...inventory.outputs]
  for (const { agent, finding } of collisions(inventory.agents)) add(agent.file, finding)
  for (const { agent, finding } of declaredElsewhere(inventory.agents)) add(agent.file, finding)
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
    const message = `${file.candidate.harness.title} has another agent "${found.name}" in ${other.path}. Only one of them is used.`
    const range = agent.nameRange ?? top
    yield { agent: found, finding: { code: 'name-collision', message, range, harness: agent.harness } }
  }
}

function* twins(found: FoundAgent): Generator<Said> {
  const { agent, file, name } = found
  for (const path of found.twins) {
    const message = twinMessage(file.candidate.harness, name, path)
    yield {
      agent: found,
      finding: { code: 'name-collision', message, range: agent.nameRange ?? top, harness: agent.harness },
    }
  }
}

/** Files without effect, because a declaration has their name. */
function* declaredElsewhere(agents: readonly FoundAgent[]): Generator<Said> {
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

/** One note for each folder, however many others read it. */
function* otherReaders(registry: Registry, agents: readonly FoundAgent[]): Generator<Said> {
  const readers = new Map<string, { readonly first: FoundAgent; readonly ids: Set<string> }>()
  for (const agent of agents) {
    if (agent.alsoReadBy.length === 0) continue
    const folder = agent.path.slice(0, Math.max(0, agent.path.lastIndexOf('/'))) || '.'
    const known = readers.get(folder) ?? { first: agent, ids: new Set() }
    readers.set(folder, known)
    for (const id of agent.alsoReadBy) known.ids.add(id)
  }
  for (const [folder, { first, ids }] of readers) {
    const [id = '', ...more] = ids
    const titles = listOf([...ids].map((one) => registry.byId(one)?.title ?? one))
    const [load, their] = more.length === 0 ? ['loads', 'its'] : ['load', 'their']
    const message = `${titles} also ${load} the agents in ${folder}, by ${their} own rules. \`troupe check --for ${[...ids].join(',')}\` shows how.`
    const reader = more.length === 0 ? { harness: id } : {}
    yield { agent: first, finding: { code: 'read-by-others', message, range: top, ...reader } }
  }
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function* trust(agents: readonly FoundAgent[]): Generator<Said> {
  const reported = new Set<string>()
  for (const agent of agents) {
    const { harness } = agent.file.candidate
    if (harness.trust === undefined || agent.scope !== 'project' || reported.has(harness.id)) continue
    reported.add(harness.id)
    const message = `${harness.title} loads the agents of a project only when ${harness.trust.needs}.`
    const { otherwise: consequence } = harness.trust
    yield { agent, finding: { code: 'needs-trust', message, range: top, harness: harness.id, consequence } }
  }
}
