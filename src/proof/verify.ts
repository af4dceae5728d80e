/** Lets a real harness load the agents of a project, be them if wanted, and compares what it did with the prediction. */
import { relative } from 'node:path'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Role } from '../model/access.ts'
import type { Agent } from '../model/agent.ts'
import type { VerifiedAgent, VerifiedHarness, VerifiedThing } from '../model/verification.ts'
import { type FoundAgent, fileOf, type LoadedFile } from '../project/inventory.ts'
import { type LoadingPrediction, predictLoading } from '../project/predict-loading.ts'
import { type Merged, mergedIn } from './as-merged.ts'
import { compareLoaded } from './compare-loaded.ts'
import { compareTurn } from './compare-turn.ts'
import { hashesOf, openPlace, type Place } from './isolate.ts'
import { askEverything, type Loaded, readVersion } from './loader.ts'
import type { Runnable } from './perform.ts'
import { type Rehearsal, rehearse } from './rehearsal.ts'
import { roleOf } from './roles.ts'
import { beChildren, beMains, type Turn } from './turns.ts'
import { isNewer } from './version.ts'

export interface VerifyOptions {
  readonly registry: Registry
  readonly harness: Harness
  readonly program: string
  /** The project's root, and the folder in it from which the harness is started. */
  readonly root: string
  readonly here: string
  /** All agents that the harness should find there. */
  readonly agents: readonly FoundAgent[]
  /** Those that the answer is about. */
  readonly isWanted: (agent: FoundAgent) => boolean
  readonly live: boolean
  readonly includePrompts: boolean
  /** Milliseconds for each run of the program. */
  readonly limit: number
  readonly tell: (step: string) => void
}

/** An agent as it goes on the stage. */
interface Part {
  readonly found: FoundAgent
  /** As the copy defines it. */
  readonly agent: Agent
  readonly predicted: LoadingPrediction
  readonly takenOut: readonly string[]
  /** The harness calls an agent of its own by that name. */
  readonly isTaken: boolean
}

export async function verifyHarness(options: VerifyOptions): Promise<VerifiedHarness> {
  const { harness, program, root, here, limit, tell } = options
  const { oracle } = harness
  const { version: checkedWith } = harness.checked
  const about = { id: harness.id, title: harness.title, checkedWith, installed: true }
  if (oracle === undefined) {
    const problem = `Troupe does not know how to run ${harness.title}.`
    return { ...about, version: null, problems: [problem], notes: [], agents: [] }
  }
  const rehearsal = rehearse(harness, root, distinctFiles(options.agents))
  const parts = partsOf(options, rehearsal)
  const models = parts.flatMap(({ agent }) => agent.fields.model?.value ?? [])
  const displayNames = new Map(parts.map(({ agent }) => [agent.name, agent.fields.displayName?.value ?? agent.name]))
  const runnable: Runnable = { harness, oracle, program, limit, models, displayNames }
  const place = openPlace(rehearsal.files, relative(root, here))
  try {
    tell('reading its version')
    const { version, trouble } = await readVersion(runnable, place)
    if (version === null) {
      const problem = `The program does not say which version it is${trouble === null ? '' : `: ${trouble}`}.`
      return { ...about, version, problems: [problem], notes: [], agents: [] }
    }
    const notes = versionNotes(harness, version)
    tell('loading the agents')
    const stage = await raise(runnable, place, parts, rehearsal)
    const merged = mergedIn(options.registry, harness, place)
    const final = merged === null ? parts : parts.map((part) => asMerged(part, merged))
    const turns = options.live ? await play(runnable, place, final, stage, tell) : []
    const agents = [...judge(options, final, stage, turns, merged), ...unplayed(options, rehearsal)]
    return { ...about, version, notes, problems: stage.problems, agents }
  } finally {
    place.remove()
  }
}

/** What other layers make of it counts, up to whether it is there at all. */
function asMerged(part: Part, { agent }: Merged): Part {
  const { predicted } = part
  const final = agent(part.agent)
  return final === null ? { ...part, predicted: { ...predicted, loaded: false } } : { ...part, agent: final }
}

function distinctFiles(agents: readonly FoundAgent[]): LoadedFile[] {
  return [...new Set(agents.map(({ file }) => file))]
}

function partsOf({ registry, agents, harness }: VerifyOptions, { takenOut, leftOut }: Rehearsal): Part[] {
  return agents.flatMap((found) => {
    if (leftOut.includes(found.file)) return []
    const changed = takenOut.find(({ file }) => file === found.file)
    // The prediction must be about the file that the harness is given.
    const file = changed === undefined ? found.file : withText(registry, found.file, changed.text)
    const { carrier } = file.candidate
    const agent = file.read.agents.find((one) => one.agent.name === found.agent.name)?.agent
    if (agent === undefined) return []
    return [
      {
        found,
        agent,
        predicted: predictLoading(registry, file, { models: !canBeAnyModel(agent, harness) }),
        takenOut: changed?.keys ?? [],
        isTaken: carrier.name.taken.includes(agent.fields.displayName?.value ?? agent.name),
      },
    ]
  })
}

/** The stub is whatever model it is called, unless the harness looks at the name before it asks. */
function canBeAnyModel({ fields }: Agent, { oracle }: Harness): boolean {
  const pattern = oracle?.providers?.pattern
  const value = fields.model?.value
  return pattern === undefined || typeof value !== 'string' || new RegExp(pattern, 'u').test(value)
}

function withText(registry: Registry, { candidate, path, source }: LoadedFile, text: string): LoadedFile {
  return fileOf(registry, candidate, path, { ...source, text })
}

function versionNotes({ title, checked }: Harness, version: string): string[] {
  if (checked.version === null || version === checked.version) return []
  const age = isNewer(version, checked.version) ? 'newer' : 'older'
  return [
    `${title} ${version} is ${age} than ${checked.version}, which Troupe was checked with: what differs may be new.`,
  ]
}

interface Stage {
  readonly loaded: Loaded
  readonly hashes: string
  readonly problems: readonly string[]
  /** Observed at first, with everything there: it does not start. */
  readonly refused: boolean
}

/** One definition can keep a harness from starting at all; then the others are looked at without it. */
async function raise(runnable: Runnable, place: Place, parts: readonly Part[], all: Rehearsal): Promise<Stage> {
  const { title } = runnable.harness
  const hashes = hashesOf(
    place.project,
    parts
      .filter(({ predicted }) => predicted.loaded)
      .map(({ agent, found }) => ({ name: agent.name, path: pathIn(all, found) })),
  )
  const ask = async () => withPlainPaths(await askEverything(runnable, place, hashes), place)
  const first = await ask()
  const culprits = parts.filter(({ predicted }) => predicted.refused)
  const problems: string[] = []
  if (first.trouble !== null) problems.push(`${title}: ${first.trouble}.`)
  if (first.refused && culprits.length === 0) {
    problems.push(
      `${title} does not start with these agents, which Troupe did not foresee: ${first.problems.join(' ')}`,
    )
  }
  if (!first.refused || culprits.length === 0) return { loaded: first, hashes, problems, refused: first.refused }
  for (const { found } of culprits) place.discard(pathIn(all, found))
  const loaded = await ask()
  return { loaded: { ...loaded, problems: first.problems }, hashes, problems, refused: true }
}

/** Paths as in the project, and not as in its copy. */
function withPlainPaths(loaded: Loaded, { cwd, project }: Place): Loaded {
  const plain = (text: string) => text.replaceAll(`${cwd}/`, '').replaceAll(`${project}/`, '')
  return { ...loaded, problems: loaded.problems.map(plain) }
}

function pathIn({ files }: Rehearsal, { file }: FoundAgent): string {
  return Object.keys(files).find((path) => file.candidate.path.endsWith(`/${path}`)) ?? file.path
}

/** Every agent in the part that it is made for. */
async function play(
  runnable: Runnable,
  place: Place,
  parts: readonly Part[],
  { loaded, hashes }: Stage,
  tell: (step: string) => void,
): Promise<Turn[]> {
  const ready = parts.filter(({ agent, predicted }) => !predicted.refused && loaded.names.includes(agent.name))
  const cast: Record<Role, string[]> = { main: [], child: [] }
  for (const { agent, isTaken } of ready) if (!isTaken) cast[roleOf(runnable.harness, agent)].push(agent.name)
  const turns: Turn[] = []
  if (cast.child.length > 0) {
    tell(`being ${cast.child.length} of them, called by another agent`)
    turns.push(...(await beChildren(runnable, place, [...new Set(cast.child)], hashes)))
  }
  if (cast.main.length > 0) {
    tell(`being ${cast.main.length} of them as the main session`)
    turns.push(...(await beMains(runnable, place, [...new Set(cast.main)], hashes)))
  }
  return turns
}

function judge(
  { harness, includePrompts, isWanted }: VerifyOptions,
  parts: readonly Part[],
  { loaded, refused }: Stage,
  turns: readonly Turn[],
  merged: Merged | null,
): VerifiedAgent[] {
  const builtIn = harness.oracle?.load.builtIn ?? []
  const calling = harness.oracle?.child?.caller
  const known = parts
    .filter(({ found }) => isWanted(found))
    .map((part): VerifiedAgent => {
      const { agent, predicted, found, takenOut } = part
      const isThere = !predicted.refused && (loaded.names.includes(agent.name) || builtIn.includes(agent.name))
      const checks: VerifiedThing[] = [loading(part, isThere, refused)]
      const told = loaded.told.get(agent.name)
      if (isThere && told !== undefined && !predicted.raw)
        checks.push(...compareLoaded(harness, agent, told, merged?.rules(agent.name) ?? null))
      for (const turn of turns.filter(({ name }) => name === agent.name)) {
        const caller = turn.as === 'main' ? undefined : parts.find((one) => one.agent.name === calling)?.agent
        checks.push(...compareTurn(harness, agent, turn, { includePrompts, fails: predicted.fails[turn.as], caller }))
      }
      const problems = isThere ? [] : saidOf(loaded.problems, found)
      const without = takenOut.length === 0 ? [] : [`run without ${takenOut.join(', ')}, which would start programs`]
      if (part.isTaken) without.push(`${harness.title} calls an agent of its own by that name`)
      return {
        name: agent.name,
        path: found.path,
        loaded: isThere,
        unexpected: false,
        problems,
        notes: without,
        checks,
      }
    })
  const names = new Set(parts.map(({ agent }) => agent.name))
  const strangers = loaded.names
    .filter((name) => !names.has(name) && !builtIn.includes(name))
    .map((name): VerifiedAgent => {
      const problems = ['The harness loaded it, and Troupe knows of no such agent.']
      return { name, path: null, loaded: true, unexpected: true, problems, notes: [], checks: [] }
    })
  return [...known, ...strangers]
}

/** Those that were kept from the harness. */
function unplayed({ agents, isWanted }: VerifyOptions, { leftOut }: Rehearsal): VerifiedAgent[] {
  const problems = ['Not run: it could start programs, and its file is too broken to take that out.']
  return agents
    .filter((found) => leftOut.includes(found.file) && isWanted(found))
    .map(({ agent: { name }, path }) => ({
      name,
      path,
      loaded: false,
      unexpected: false,
      problems,
      notes: [],
      checks: [],
    }))
}

function loading({ predicted }: Part, isThere: boolean, refused: boolean): VerifiedThing {
  const words = (there: boolean, no: boolean) => (there ? 'loaded' : no ? 'the harness does not start' : 'not loaded')
  const expected = words(predicted.loaded, predicted.refused)
  const observed = words(isThere, refused && predicted.refused)
  return { what: 'loaded', as: null, predicted: expected, observed, ok: expected === observed }
}

/** What the harness said about this very file. */
function saidOf(problems: readonly string[], { path, agent }: FoundAgent): string[] {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return problems.filter(
    (one) => one.includes(file) || one.includes(`'${agent.name}'`) || one.includes(`"${agent.name}"`),
  )
}
