/** The laboratory: what Troupe predicts about a definition, beside what the real program does with it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { readAgents } from '../../src/harness/read.ts'
import type { Carrier, Harness } from '../../src/harness/schema.ts'
import { predictWireTools } from '../../src/harness/wire-tools.ts'
import type { Agent } from '../../src/model/agent.ts'
import { checkFile } from '../../src/project/check.ts'
import type { LoadedFile } from '../../src/project/inventory.ts'
import type { Runnable } from '../../src/proof/recipe.ts'
import { registry } from '../reading.ts'

export interface Experiments {
  readonly shapes: readonly string[]
  readonly traps: Readonly<Record<string, string>>
}

export function readExperiments(id: string): Experiments {
  return parse(readFileSync(`test/lab/${id}.yaml`, 'utf8'))
}

let caches: Record<string, string> | undefined

/** The pinned program, installed by now. */
export function runnable(id: string): Runnable {
  caches ??= JSON.parse(
    execFileSync(process.execPath, ['scripts/ensure.mjs', '--harnesses'], { encoding: 'utf8' }),
  ) as Record<string, string>
  const harness = registry.byId(id)
  const cache = caches[id]
  if (harness?.oracle === undefined || cache === undefined) throw new Error(`${id} cannot be run`)
  return { harness, oracle: harness.oracle, program: join(cache, harness.oracle.program.cached), cache, limit: 90_000 }
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
  const path = (carrier.project?.write ?? '').replace('{name}', name)
  const relativePath = path.slice(path.lastIndexOf('/') + 1)
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const [first] = read.agents
  if (first === undefined) throw new Error(`nothing was read from ${name}`)
  const candidate = { path, harness, carrier, relativePath, scope: 'project' as const }
  const file = { candidate, path, source: { text, encoding: 'utf-8' as const, findings: [] }, read, diagnostics: [] }
  return { name, path, text, agent: first.agent, file }
}

export interface Prediction {
  readonly loaded: boolean
  readonly refused: boolean
  /** The whole file becomes the prompt. */
  readonly raw: boolean
  readonly fails: boolean
}

/** What `troupe check` says will happen, as far as loading goes. */
export function predict({ file }: Subject): Prediction {
  const said = new Set(checkFile(registry, file, []).map(({ consequence }) => consequence))
  const refused = said.has('refuses-to-start')
  return {
    loaded: !refused && !said.has('not-loaded') && !said.has('not-loaded-silently'),
    refused,
    raw: said.has('loads-raw'),
    fails: said.has('fails-when-used'),
  }
}

export function predictTools(harness: Harness, { agent }: Subject, role: 'main' | 'child'): string[] {
  return predictWireTools(harness, agent, role)
}
