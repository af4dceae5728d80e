/** One run of a harness by its recipe: files are written, arguments filled in, the stub model listens. */
import { existsSync } from 'node:fs'
import { readRegularText } from '../disk/read-file.ts'
import { type ProgramResult, runProgram } from '../disk/run-program.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Oracle, OracleRun } from '../harness/schema/oracle.ts'
import type { Json } from '../model/agent.ts'
import { type Fill, fill, fillAll, fillJson } from './extract.ts'
import { type IsolatedProject, isolatedEnvironment } from './isolate.ts'
import type { Cue } from './stub/script.ts'
import { type Stub, startStub } from './stub/server.ts'
import type { ToolCall } from './stub/wire.ts'

/** A harness that can be run: its recipe, and its program. */
export interface Runnable {
  readonly harness: Harness
  readonly oracle: Oracle
  readonly program: string
  readonly limit: number
  /** The models that agents name, where the program must know them. */
  readonly models?: readonly string[]
  /** Agents that are shown under another name than their own: name to display name. */
  readonly displayNames?: ReadonlyMap<string, string>
}

interface RecipeRun {
  readonly result: ProgramResult
  readonly stub: Stub
  readonly values: Fill
}

export async function runRecipe(
  runnable: Runnable,
  place: IsolatedProject,
  run: OracleRun,
  cues: readonly Cue[],
  more: Fill,
): Promise<RecipeRun> {
  const stub = await startStub({ cues })
  try {
    const { program, args, environment, values } = prepareRun(runnable, place, run, stub, more)
    const stdin = run.stdin === undefined ? {} : { stdin: fill(run.stdin, values) }
    const { limit } = runnable
    const result = await runProgram({ program, args, cwd: place.cwd, environment, limit, endsWithUs: true, ...stdin })
    return { result, stub, values }
  } finally {
    await stub.close()
  }
}

/** Writes the files a run needs, and fills in its arguments and its environment. */
export function prepareRun(runnable: Runnable, place: IsolatedProject, run: OracleRun, stub: Stub, more: Fill) {
  const { oracle, program, models = [] } = runnable
  const own: Fill = { home: place.home, project: place.cwd, stub: stub.url }
  const values: Fill = { ...own, providers: providersFor(oracle, models, own), ...more }
  for (const files of [oracle.files, run.files]) {
    for (const [path, content] of Object.entries(fillAll(files, values))) place.write(path, content)
  }
  for (const [from, to] of Object.entries(fillAll(run.copies, values))) {
    if (existsSync(from)) place.write(to, readRegularText(from))
  }
  const environment = {
    ...isolatedEnvironment(place),
    ...fillAll(oracle.environment, values),
    ...fillAll(run.environment, values),
  }
  const words = run.args.map((word) => fill(word, values))
  return { ...programCommand(oracle, program, words), environment, values }
}

/** Some programs are scripts for Node; the PATH can also hold a launcher for them. */
export function programCommand({ program: { node } }: Oracle, program: string, words: readonly string[]) {
  return node === true && /\.[cm]?js$/.test(program)
    ? { program: process.execPath, args: [program, ...words] }
    : { program, args: words }
}

/** A call of the recipe, with its placeholders filled in. */
export function fillCall(call: ToolCall | NonNullable<Oracle['child']>['call'], values: Fill): ToolCall {
  const { tool, namespace } = call
  const args = fillJson(call.arguments, values) as ToolCall['arguments']
  return { tool, arguments: args, ...(namespace === undefined ? {} : { namespace }) }
}

/** As JSON, for the recipe's `{providers}`. */
export function providersFor(
  { providers, wire }: Pick<Oracle, 'providers' | 'wire'>,
  models: readonly string[],
  values: Fill,
): string {
  if (providers === undefined) return '{}'
  const known = new Map<string, Record<string, Json>>()
  for (const model of [wire.model.default, ...models]) {
    const [, provider, id] = new RegExp(providers.pattern, 'u').exec(model) ?? []
    if (provider === undefined || id === undefined) continue
    known.set(provider, { ...known.get(provider), [id]: providers.model })
  }
  const all = [...known].map(([provider, own]) => [provider, { ...fillJson(providers.provider, values), models: own }])
  return JSON.stringify(Object.fromEntries(all))
}
