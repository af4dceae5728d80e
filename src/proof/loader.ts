/** Asks a real harness which version it is and which agents it loaded. */
import { extract, withoutColours } from './extract.ts'
import { isolatedEnvironment, type Place } from './isolate.ts'
import { fillCall, perform, type Runnable, startedBy } from './perform.ts'
import { runProgram } from './process.ts'

export interface Loaded {
  readonly names: readonly string[]
  readonly problems: readonly string[]
  readonly refused: boolean
  readonly trouble: string | null
}

export async function readVersion({ oracle, program, limit }: Runnable, place: Place): Promise<string | null> {
  const environment = isolatedEnvironment(place)
  const result = await runProgram({
    ...startedBy(oracle, program, oracle.version.args),
    cwd: place.project,
    environment,
    limit,
  })
  return new RegExp(oracle.version.pattern).exec(result.stdout + result.stderr)?.[1] ?? null
}

/** Lets the real loader load the project's agents. */
export async function askLoader(runnable: Runnable, place: Place, hashes = '{}'): Promise<Loaded> {
  const { oracle } = runnable
  const { load } = oracle
  const cues = load.first === undefined ? [] : [{ equipped: true, answer: { calls: [fillCall(load.first, {})] } }]
  const { result, stub, values } = await perform(runnable, place, load, cues, { prompt: 'Say hello.', hashes })
  const said = withoutColours(result.stderr + result.stdout)
  const refused = load.refused !== undefined && new RegExp(load.refused).test(said)
  const names = extract(load.loaded, result, stub.requests, values).filter((name) => !load.builtIn.includes(name))
  const problems = load.problems === undefined ? [] : extract(load.problems, result, stub.requests, values)
  return { names: [...new Set(names)].sort(), problems: [...new Set(problems)], refused, trouble: result.trouble }
}
