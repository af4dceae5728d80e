/** Checks everything in an inventory: each agent for each harness that reads it, and the project as a whole. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import { catalogue, type Diagnostic, type Finding } from '../model/diagnostics.ts'
import { locate } from '../text/locate.ts'
import { checkFile, withoutFix } from './check-file.ts'
import { repairFile } from './fix.ts'
import type { Inventory } from './inventory.ts'
import type { LoadedFile } from './load-file.ts'
import { projectFindings } from './project-findings.ts'

export interface CheckResult {
  /** All of them, by file and line. */
  readonly diagnostics: readonly Diagnostic[]
}

/** `readers`: the harnesses to speak for; none: each file's own. */
export function checkInventory(
  registry: Registry,
  inventory: Inventory,
  readers: readonly Harness[] = [],
): CheckResult {
  const across = projectFindings(registry, inventory)
  const wholes = wholeAgents(inventory)
  const own = new Map<string, ReadonlySet<string>>()
  const told = new Set<string>()
  const sourceOf = sourcesOfOutputs(inventory)
  // Sources first: what they say already is not said again of what was made of them.
  const files = [...inventory.files].sort((a, b) => Number(sourceOf.has(a)) - Number(sourceOf.has(b)))
  const diagnostics = files.flatMap((file) => {
    const all = [...checkFile(registry, file, readers, wholes.get(file.path)), ...(across.get(file) ?? [])]
    const source = sourceOf.get(file)
    if (source === undefined) own.set(file.path, new Set(all.map(({ code }) => code)))
    const found = source === undefined ? all : all.filter((one) => isNews(one, source, own.get(source), told))
    // What is called repairable must be: a fix that would widen access is not made.
    const hopeless = found.some(({ fix }) => fix !== undefined) && repairFile(registry, file) === null
    return locate(hopeless ? found.map(withoutFix) : found, file.path, file.source.text)
  })
  return { diagnostics: [...inventory.diagnostics, ...diagnostics].sort(byPlace) }
}

/** By file: what comes of definitions that several files share. */
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

/** By file: the source of what Troupe made of it. */
function sourcesOfOutputs({ outputs, agents }: Inventory): Map<LoadedFile, string> {
  const own = new Set(agents.map(({ file }) => file))
  return new Map(
    outputs.flatMap(({ file, builtFrom }) => (own.has(file) || builtFrom === null ? [] : [[file, builtFrom] as const])),
  )
}

/** What follows from the source is told there, and what is the same in every output of it once. */
function isNews(
  { code, severity = catalogue[code].severity }: Finding,
  source: string,
  said: ReadonlySet<string> | undefined,
  told: Set<string>,
): boolean {
  if (severity === 'info' || said?.has(code) === true || told.has(`${source}\n${code}`)) return false
  told.add(`${source}\n${code}`)
  return true
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || a.column - b.column
}
