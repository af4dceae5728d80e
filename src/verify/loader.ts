/** Asks a real harness for its version and the agents it loaded, with what it says about them in its own terms. */

import { type ProgramResult, runProgram } from '../disk/run-program.ts'
import { type LoaderReportSpec, type ReportedFact, reportedFacts } from '../harness/schema/oracle.ts'
import type { Json } from '../model/agent.ts'
import { extract, parseEvents, parseOutput, stripColors, valuesAt } from './extract.ts'
import { type IsolatedProject, isolatedEnvironment } from './isolate.ts'
import { fillCall, programCommand, type Runnable, runRecipe } from './run-recipe.ts'
import { startStub } from './stub/server.ts'
import type { WireRequest } from './stub/wire.ts'
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
    endsWithUs: true,
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

export type ReportedFacts = ReadonlyMap<string, Readonly<Partial<Record<ReportedFact, string>>>>

/** From its output, or from what it sent to the model. */
export function factsFromProgram(
  telling: LoaderReportSpec,
  { stdout }: ProgramResult,
  requests: readonly WireRequest[],
): ReportedFacts {
  const { from, where = {}, at } = telling
  const sources =
    from === 'requests'
      ? requests.map(({ body }) => body)
      : from === 'events'
        ? parseEvents(stdout)
        : [parseOutput(stdout)]
  const meant = sources.filter((one) =>
    Object.entries(where).every(([key, value]) => valuesAt(one, key.split('.'))[0] === value),
  )
  return factsFromValues(
    telling,
    meant.flatMap((one) => valuesAt(one, at.split('.'))),
  )
}

/** From the values at the path that the recipe names. */
export function factsFromValues({ pattern, facts }: LoaderReportSpec, values: readonly Json[]): ReportedFacts {
  const reported = new Map<string, Partial<Record<ReportedFact, string>>>()
  const found =
    pattern === undefined
      ? values.map((value) => (name: string) => fillFact(facts?.[name as ReportedFact], value))
      : values
          .flatMap((value) => (typeof value === 'string' ? [...value.matchAll(new RegExp(pattern, 'gm'))] : []))
          .map(
            ({ groups }) =>
              (name: string) =>
                groups?.[name],
          )
  for (const fact of found) {
    const name = fact('name')
    if (name === undefined || reported.has(name)) continue
    reported.set(
      name,
      Object.fromEntries(
        reportedFacts.flatMap((one) => {
          const value = fact(one)
          return value === undefined ? [] : [[one, value]]
        }),
      ),
    )
  }
  return reported
}

/** Undefined where one of its placeholders has no value. The separator between two of them belongs to the second. */
export function fillFact(template: string | undefined, value: Json): string | undefined {
  if (template === undefined) return undefined
  let isWhole = true
  const text = template.replace(/([^{}]*)\{([^}]+)\}/g, (_all, before: string, path: string) => {
    const [found] = valuesAt(value, path.split('.'))
    if (found === undefined || found === null) isWhole = false
    if (found === '') return ''
    return before + (typeof found === 'string' ? found : JSON.stringify(found ?? null))
  })
  return isWhole ? text : undefined
}
