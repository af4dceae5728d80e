/** Asks a real harness for its version and the agents it loaded. */

import { runProgram } from '../disk/run-program.ts'
import { extract, stripColors, valuesAt } from './extract.ts'
import { type IsolatedProject, isolatedEnvironment } from './isolate.ts'
import { factsFromProgram, factsFromValues, type ReportedFacts } from './loader-report.ts'
import { fillCall, programCommand, type Runnable, runRecipe } from './run-recipe.ts'
import { startStub } from './stub/server.ts'
import { startWarmServer } from './warm-server.ts'

export interface LoaderReport {
  readonly names: readonly string[]
  readonly problems: readonly string[]
  readonly refused: boolean
  readonly trouble: string | null
  readonly reported: ReportedFacts
}

export async function readProgramVersion(
  { oracle, program, limit }: Runnable,
  place: IsolatedProject,
): Promise<{ readonly version: string | null; readonly trouble: string | null }> {
  const environment = isolatedEnvironment(place)
  const result = await runProgram({
    ...programCommand(oracle, program, oracle.version.args),
    cwd: place.cwd,
    environment,
    limit,
    tidy: true,
  })
  const version = new RegExp(oracle.version.pattern).exec(result.stdout + result.stderr)?.[1] ?? null
  return { version, trouble: result.trouble }
}

/** Lets the real loader load the project's agents. */
export async function askLoader(runnable: Runnable, place: IsolatedProject, hashes = '{}'): Promise<LoaderReport> {
  const { oracle } = runnable
  const { load } = oracle
  const cues = load.first === undefined ? [] : [{ equipped: true, answer: { calls: [fillCall(load.first, {})] } }]
  const { result, stub, values } = await runRecipe(runnable, place, load, cues, { prompt: 'Say hello.', hashes })
  const said = stripColors(result.stderr + result.stdout)
  const refused = load.refused !== undefined && new RegExp(load.refused).test(said)
  const names = extract(load.loaded, result, stub.requests, values).filter((name) => !load.builtIn.includes(name))
  const problems = load.problems === undefined ? [] : extract(load.problems, result, stub.requests, values)
  const reported =
    load.reported === undefined || load.reported.from === 'server'
      ? new Map()
      : factsFromProgram(load.reported, result, stub.requests)
  return {
    names: [...new Set(names)].sort(),
    problems: [...new Set(problems)],
    refused,
    trouble: result.trouble,
    reported,
  }
}

/** As `askLoader`, and also starts a program as a server where that reports more. */
export async function askLoaderAndServer(
  runnable: Runnable,
  place: IsolatedProject,
  hashes: string,
): Promise<LoaderReport> {
  const loaded = await askLoader(runnable, place, hashes)
  const { load, main } = runnable.oracle
  if (load.reported?.get === undefined || main?.server === undefined || loaded.refused) return loaded
  const stub = await startStub()
  const server = await startWarmServer(runnable, place, main, main.server, stub, hashes)
  try {
    const answer = await server.get(load.reported.get)
    if ('trouble' in answer) return { ...loaded, trouble: loaded.trouble ?? answer.trouble }
    const reported = factsFromValues(load.reported, valuesAt(answer.data, load.reported.at.split('.')))
    // What it reports while running counts: an agent can be configured and switched off.
    const names = [...reported.keys()].filter((name) => !load.builtIn.includes(name)).sort()
    return { ...loaded, names, reported }
  } finally {
    server.close()
    await stub.close()
  }
}
