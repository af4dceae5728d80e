/** Loads all converted agents in the real harnesses, and compares the tools they offer with the prediction. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Source } from '../../src/convert/agent/source.ts'
import type { Target } from '../../src/convert/plan.ts'
import { predictWireTools } from '../../src/harness/effective/predict-request.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import { agentHashes, createIsolatedProject } from '../../src/verify/isolate.ts'
import { askLoader } from '../../src/verify/loader.ts'
import type { Runnable } from '../../src/verify/run-recipe.ts'
import { runAsChildren } from '../../src/verify/turns.ts'
import { convertTo, corpusAgents, sourceOfOutput, targetsOf } from './conversions.ts'
import { printTable } from './table.ts'

interface Output {
  readonly repository: string
  readonly source: Source
  readonly path: string
  readonly text: string
  readonly name: string
  /** What decides which tools it is offered. */
  readonly access: string
}

interface Figures {
  written: number
  loaded: number
  shapes: number
  asPredicted: number
}

const registry = createRegistry()
const complaints: string[] = []

export async function loadCorpus(folder: string, only: readonly string[], every: number): Promise<void> {
  const caches = JSON.parse(execFileSync(process.execPath, ['scripts/ensure.mjs', '--harnesses'], { encoding: 'utf8' }))
  const targets = targetsOf(registry).filter(({ harness }) => only.length === 0 || only.includes(harness.id))
  const outputs = collect(folder, targets, every)
  const figures = new Map<Target, Figures>()
  // Two programs at a time: each is busy with itself most of the time.
  const queue = [...targets]
  const work = async () => {
    for (let target = queue.shift(); target !== undefined; target = queue.shift()) {
      figures.set(target, await examine(target, runnable(target, caches), outputs.get(target) ?? []))
    }
  }
  await Promise.all([work(), work()])
  const rows = [...figures].map(([{ harness }, { written, loaded, shapes, asPredicted }]) => [
    harness.title,
    `${loaded}/${written}`,
    `${asPredicted}/${shapes}`,
  ])
  printTable(['harness', 'loaded', 'tools as predicted'], rows)
  for (const complaint of complaints.slice(0, 40)) console.log(`✗ ${complaint}`)
  const all = [...figures.values()].reduce((sum, { written, shapes }) => sum + written + shapes, 0)
  const good = [...figures.values()].reduce((sum, { loaded, asPredicted }) => sum + loaded + asPredicted, 0)
  console.log(`loading: ${good} passed, ${all - good} failed`)
  process.exitCode = good === all && all > 0 ? 0 : 1
}

function runnable({ harness }: Target, caches: Record<string, string>): Runnable {
  const { oracle } = harness
  const cache = caches[harness.id]
  if (oracle === undefined || cache === undefined) throw new Error(`${harness.id} cannot be run`)
  return { harness, oracle, program: join(cache, oracle.program.cached), limit: 120_000 }
}

function collect(folder: string, targets: readonly Target[], every: number): Map<Target, Output[]> {
  const outputs = new Map<Target, Output[]>(targets.map((target) => [target, []]))
  const repositories = new Map<string, number>()
  for (const { file, source } of corpusAgents(folder, registry)) {
    const number = repositories.get(file.repository) ?? repositories.size
    repositories.set(file.repository, number)
    if (number % every !== 0) continue
    for (const target of targets) {
      if (source.harness.id === target.harness.id) continue
      const { output, record, agent, refusal } = convertTo(source, target)
      if (output.kind !== 'file' || record.access.widened.length > 0 || refusal !== null) continue
      const rules = agent.access.map(({ origin, rules: some }) => [
        origin,
        some.map(({ native, action }) => [native, action]),
      ])
      const access = JSON.stringify([rules, agent.fields.mode?.value, agent.fields.memory?.value])
      const { path, text } = output
      outputs.get(target)?.push({ repository: file.repository, source, path, text, name: agent.name, access })
    }
  }
  return outputs
}

async function examine(target: Target, real: Runnable, outputs: readonly Output[]): Promise<Figures> {
  const { harness } = target
  const figures = { written: 0, loaded: 0, shapes: 0, asPredicted: 0 }
  for (const [repository, some] of groupBy(outputs, ({ repository: one }) => one)) {
    // Two agents with one name would share a file; `troupe convert` reports that and writes neither.
    const agents = [...groupBy(some, ({ path }) => path).values()].flatMap(([first]) =>
      first === undefined ? [] : [first],
    )
    const place = createIsolatedProject(Object.fromEntries(agents.map(({ path, text }) => [path, text])))
    const { names, problems, refused, trouble } = await askLoader(real, place, agentHashes(place.project, agents))
    place.remove()
    const { builtIn } = real.oracle.load
    const missing = agents.filter(({ name }) => !names.includes(name) && !builtIn.includes(name))
    figures.written += agents.length
    figures.loaded += agents.length - missing.length
    if (refused || trouble !== null) complaints.push(`${harness.id}, ${repository}: ${trouble ?? problems.join(' ')}`)
    else if (missing.length > 0) {
      const which = missing
        .slice(0, 5)
        .map(({ path }) => path)
        .join(', ')
      complaints.push(`${harness.id}, ${repository}: not loaded: ${which} ${problems.slice(0, 3).join(' ')}`)
    }
  }
  await compareTools(target, real, outputs, figures)
  return figures
}

/** One agent for each distinct access: the rest of the file does not change its tools. */
async function compareTools(
  target: Target,
  real: Runnable,
  outputs: readonly Output[],
  figures: Figures,
): Promise<void> {
  const { harness } = target
  const probes = [...groupBy(outputs, ({ access }) => access).values()].flatMap(([first], index) => {
    if (first === undefined) return []
    const name = `probe-${String(index).padStart(3, '0')}`
    const converted = convertTo(withoutModel(first.source), target, null, name)
    // Started by a person, never called by an agent.
    if (converted.agent.fields.mode?.value === 'primary') return []
    if (converted.output.kind !== 'file') return []
    const { path, text } = converted.output
    return [{ name, path, text, agent: sourceOfOutput(registry, target, converted).agent, from: first.source.path }]
  })
  if (real.oracle.child === null) return
  const place = createIsolatedProject(Object.fromEntries(probes.map(({ path, text }) => [path, text])))
  const names = probes.map(({ name }) => name)
  const turns = await runAsChildren(real, place, names, agentHashes(place.project, probes))
  place.remove()
  for (const [index, { request, trouble }] of turns.entries()) {
    const probe = probes[index]
    if (probe === undefined) continue
    figures.shapes++
    const tools = predictWireTools(harness, probe.agent, 'child')
    // A list with only tools of servers that are not here: some harnesses then refuse to start the agent.
    const isBare = tools.length === 0 && (probe.agent.tools?.length ?? 0) > 0
    const predicted = isBare && harness.access.noKnownTool.child === 'fails-when-used' ? null : tools
    const observed = request === null ? null : [...request.tools].sort()
    if (JSON.stringify(observed) === JSON.stringify(predicted)) figures.asPredicted++
    else
      complaints.push(
        `${harness.id}, ${probe.from}: ${observed?.join(' ') ?? trouble} instead of ${predicted?.join(' ')}`,
      )
  }
}

/** In some harnesses the names of tools depend on the model. */
function withoutModel(source: Source): Source {
  const { model: _, ...fields } = source.agent.fields
  return { ...source, agent: { ...source.agent, fields } }
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}
