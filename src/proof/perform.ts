/** One run of a harness by its recipe: files written, words filled in, the stub model listening. */
import { existsSync } from 'node:fs'
import type { Harness } from '../harness/schema/harness.ts'
import type { Oracle, Run } from '../harness/schema/recipe.ts'
import { readRegularText } from '../project/regular-file.ts'
import { isolatedEnvironment, type Place } from './isolate.ts'
import { type ProgramResult, runProgram } from './process.ts'
import { providersFor } from './providers.ts'
import type { Cue } from './stub/play.ts'
import { type Stub, startStub } from './stub/server.ts'
import type { ToolCall } from './stub/wire.ts'
import { type Fill, fill, fillAll, fillJson } from './template.ts'

/** A harness that can be run: its recipe, and where its program is. */
export interface Runnable {
  readonly harness: Harness
  readonly oracle: Oracle
  readonly program: string
  readonly limit: number
  /** The models that agents name, where the program must know them. */
  readonly models?: readonly string[]
  /** Agents that people see under another name than their own: name to display name. */
  readonly displayNames?: ReadonlyMap<string, string>
}

export interface Performance {
  readonly result: ProgramResult
  readonly stub: Stub
  readonly values: Fill
}

export async function perform(
  runnable: Runnable,
  place: Place,
  run: Run,
  cues: readonly Cue[],
  more: Fill,
): Promise<Performance> {
  const stub = await startStub({ cues })
  try {
    const { program, args, environment, values } = prepare(runnable, place, run, stub, more)
    const stdin = run.stdin === undefined ? {} : { stdin: fill(run.stdin, values) }
    const { limit } = runnable
    const result = await runProgram({ program, args, cwd: place.cwd, environment, limit, ...stdin })
    return { result, stub, values }
  } finally {
    await stub.close()
  }
}

/** Writes the files a run needs, and fills in its words and its environment. */
export function prepare(runnable: Runnable, place: Place, run: Run, stub: Stub, more: Fill) {
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
  return { ...startedBy(oracle, program, words), environment, values }
}

/** Some programs are scripts for Node; on a PATH there can also be something that starts them. */
export function startedBy({ program: { node } }: Oracle, program: string, words: readonly string[]) {
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
