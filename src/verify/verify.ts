/** Verifies a harness: loads the agents of a project, takes turns as them if wanted, and compares the result with the prediction. */
import { relative } from 'node:path'
import { projectFolders } from '../disk/roots.ts'
import { findProgram } from '../disk/run-program.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { VerifiedHarness } from '../model/verification.ts'
import type { FoundAgent } from '../workbench/inventory.ts'
import { agentCases, mergedDefinitions, withMergedLayers } from './cases.ts'
import { type CompareOptions, compareAgents, notRunAgents } from './compare.ts'
import { createIsolatedProject } from './isolate.ts'
import { readProgramVersion } from './loader.ts'
import { loadAgents, runAgents } from './run-agents.ts'
import type { Runnable } from './run-recipe.ts'
import { makeSafeCopies } from './safe-copies.ts'

export interface VerifyOptions extends CompareOptions {
  readonly registry: Registry
  readonly program: string
  /** The project's root, and the folder in it from which the harness is started. */
  readonly root: string
  readonly here: string
  /** All agents that the harness should find there. */
  readonly agents: readonly FoundAgent[]
  readonly live: boolean
  /** Milliseconds for each run of the program. */
  readonly limit: number
  readonly onStep: (step: string) => void
}

export async function verifyHarness(options: VerifyOptions): Promise<VerifiedHarness> {
  const { harness, program, root, here, limit, onStep } = options
  const { oracle } = harness
  const { version: checkedWith } = harness.checked
  const about = { id: harness.id, title: harness.title, checkedWith, installed: true }
  if (oracle === undefined) {
    const problem = `Troupe does not know how to run ${harness.title}.`
    return { ...about, version: null, problems: [problem], notes: [], agents: [] }
  }
  const copies = makeSafeCopies(harness, root, [...new Set(options.agents.map(({ file }) => file))])
  const parts = agentCases(options.registry, harness, root, options.agents, copies)
  const models = parts.flatMap(({ agent }) => agent.fields.model?.value ?? [])
  const displayNames = new Map(parts.map(({ agent }) => [agent.name, agent.fields.displayName?.value ?? agent.name]))
  const runnable: Runnable = { harness, oracle, program, limit, models, displayNames }
  const place = createIsolatedProject(copies.files, relative(root, here))
  try {
    onStep('reading its version')
    const { version, trouble } = await readProgramVersion(runnable, place)
    if (version === null) {
      const problem = `The program does not report its version${trouble === null ? '' : `: ${trouble}`}.`
      return { ...about, version, problems: [problem], notes: [], agents: [] }
    }
    const notes = versionNotes(harness, version)
    onStep('loading the agents')
    const loaded = await loadAgents(runnable, place, parts)
    const merged = mergedDefinitions(options.registry, harness, place)
    const final = merged === null ? parts : parts.map((part) => withMergedLayers(part, merged))
    const turns = options.live ? await runAgents(runnable, place, final, loaded, onStep) : []
    const agents = [
      ...compareAgents(options, final, loaded, turns, merged),
      ...notRunAgents(options.agents.filter(options.isWanted), copies),
    ]
    return { ...about, version, notes, problems: loaded.problems, agents }
  } finally {
    place.remove()
  }
}

function versionNotes({ title, checked }: Harness, version: string): string[] {
  if (checked.version === null || version === checked.version) return []
  const age = isNewerVersion(version, checked.version) ? 'newer' : 'older'
  return [
    `${title} ${version} is ${age} than ${checked.version}, the version that Troupe was checked with: differences may be new.`,
  ]
}

/** Whether the first version is newer, number by number. */
function isNewerVersion(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((one) => one.split(/\D+/).map(Number))
  for (const [index, part] of (ours ?? []).entries()) {
    const other = theirs?.[index] ?? 0
    if (part !== other) return part > other
  }
  return false
}

/** `bin`: the program, if it need not be searched for. */
export async function runHarness(
  options: Omit<VerifyOptions, 'program' | 'root'>,
  bin: string | null,
): Promise<VerifiedHarness> {
  const { harness, here, agents } = options
  const program = bin ?? findProgram(harness.oracle?.program.name ?? '')
  if (program === null) return notInstalledResult(harness, agents.length)
  return verifyHarness({ ...options, program, root: projectFolders(here)[0] ?? here })
}

function notInstalledResult({ id, title, checked, oracle }: Harness, count: number): VerifiedHarness {
  const name = oracle?.program.name
  const problem =
    name === undefined
      ? `Troupe does not know how to run ${title}.`
      : `${title} is not installed: there is no \`${name}\` on the PATH. \`--bin\` names the program.`
  const notes = count === 0 ? [] : [`${count === 1 ? 'Its agent was' : `Its ${count} agents were`} not verified.`]
  return {
    id,
    title,
    version: null,
    checkedWith: checked.version,
    installed: false,
    problems: [problem],
    notes,
    agents: [],
  }
}
