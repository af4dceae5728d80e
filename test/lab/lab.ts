/** The laboratory: what Troupe predicts about a definition, beside what the real program does with it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { predictWireTools } from '../../src/harness/effective/predict-request.ts'
import { readAgents } from '../../src/harness/read/agents.ts'
import type { Carrier, Harness } from '../../src/harness/schema/harness.ts'
import { mcpName } from '../../src/harness/write/names.ts'
import { decide } from '../../src/model/access/decide.ts'
import { honouredAccess, type Role } from '../../src/model/access/rules.ts'
import type { Agent } from '../../src/model/agent.ts'
import { fillAll } from '../../src/verify/extract.ts'
import type { Runnable } from '../../src/verify/run-recipe.ts'
import type { LoadedFile } from '../../src/workbench/file.ts'
import { type LoadingPrediction, predictLoading } from '../../src/workbench/predict-loading.ts'
import { registry } from '../reading.ts'

/** Those that have experiments; `LAB=id,id` picks some. */
export function labHarnesses(): string[] {
  const all = readdirSync('test/lab')
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -5))
  const picked = process.env.LAB?.split(',') ?? all
  return all.filter((id) => picked.includes(id))
}

export interface Experiments {
  readonly shapes: readonly string[]
  /** Odd lists, as further shapes that are played as children only: a process for each main session costs a second. */
  readonly lists?: readonly string[]
  readonly traps: Readonly<Record<string, string>>
  /** Files that give every agent of the project the server `docs`; `{node}` and `{server}` are how to start it. */
  readonly servers?: Readonly<Record<string, string>>
  /** The names it has there; `docs` where nothing is said. */
  readonly named?: readonly string[]
}

export function readExperiments(id: string): Experiments {
  return parse(readFileSync(`test/lab/${id}.yaml`, 'utf8'))
}

/** Where the programs are; `LAB_PROGRAMS` names others than the pinned ones, as `npm run proof -- --latest` does. */
interface Programs {
  readonly [id: string]: { readonly folder: string; readonly version?: string }
}

let programs: Programs | undefined

function allPrograms(): Programs {
  if (process.env.LAB_PROGRAMS !== undefined) return JSON.parse(process.env.LAB_PROGRAMS)
  const words = ['scripts/ensure.mjs', '--harnesses']
  const folders: Record<string, string> = JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))
  return Object.fromEntries(Object.entries(folders).map(([id, folder]) => [id, { folder }]))
}

/** The folders of all programs, installed by now: whatever runs from there is a harness. */
export function programFolders(): string[] {
  programs ??= allPrograms()
  return Object.values(programs).map(({ folder }) => folder)
}

/** The program, installed by now. */
export function runnable(id: string): Runnable {
  programs ??= allPrograms()
  const harness = registry.byId(id)
  const folder = programs[id]?.folder
  if (harness?.oracle === undefined || folder === undefined) throw new Error(`${id} cannot be run`)
  return { harness, oracle: harness.oracle, program: join(folder, harness.oracle.program.cached), limit: 90_000 }
}

/** Where it is not the one that the harness file was checked with. */
export function wantedVersion(id: string): string | undefined {
  programs ??= allPrograms()
  return programs[id]?.version
}

export interface Subject {
  readonly name: string
  /** Where the file goes in a project. */
  readonly path: string
  readonly text: string
  readonly agent: Agent
  readonly file: LoadedFile
}

/** A definition, read by Troupe. */
export function subject(harness: Harness, name: string, text: string): Subject {
  const carrier = harness.carriers[0] as Carrier
  const place = carrier.project?.write ?? ''
  const path = place.replace('{name}', name)
  const relativePath = path.slice(place.lastIndexOf('/') + 1)
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const [first] = read.agents
  if (first === undefined) throw new Error(`nothing was read from ${name}`)
  const candidate = { path, harness, carrier, relativePath, scope: 'project' as const }
  const file = {
    candidate,
    path,
    source: { text, encoding: 'utf-8' as const, findings: [] },
    read,
    surroundings,
    diagnostics: [],
  }
  return { name, path, text, agent: first.agent, file }
}

/** What the project needs for its agents to see the server `docs`. */
export function serverFiles({ servers = {} }: Experiments): Record<string, string> {
  const values = { node: process.execPath, server: resolve('test/lab/docs-server.mjs') }
  return fillAll(servers, values)
}

/** What `troupe check` says will happen to it. */
export function predict({ file }: Subject): LoadingPrediction {
  return predictLoading(registry, file)
}

export function predictTools(
  harness: Harness,
  { agent }: Subject,
  role: Role,
  { servers, named = ['docs'] }: Pick<Experiments, 'servers' | 'named'>,
): string[] {
  const own = predictWireTools(harness, agent, role)
  if (servers === undefined) return own
  const access = honouredAccess(agent.access, role)
  const all = named.flatMap((server) => ['find', 'get'].map((tool) => ({ server, tool })))
  const usable = all.filter(({ server, tool }) => decide(access, { tool: `mcp:${server}/${tool}` }).action !== 'deny')
  const { mcpTool } = harness.oracle?.wire ?? {}
  const wireName = ({ server, tool }: { server: string; tool: string }) =>
    mcpTool?.replace('{server}', server).replace('{tool}', tool) ?? mcpName(harness, `mcp:${server}/${tool}`) ?? tool
  return [...own, ...usable.map(wireName)].sort()
}
