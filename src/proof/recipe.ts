/** Runs the recipes of a harness file: ask the loader, be an agent as main session or as child. */
import { join } from 'node:path'
import type { Oracle, Run } from '../harness/recipe-schema.ts'
import type { Harness } from '../harness/schema.ts'
import { extract, withoutColours } from './extract.ts'
import { isolatedEnvironment, type Place } from './isolate.ts'
import { type ProgramResult, runProgram } from './process.ts'
import type { Cue } from './stub/play.ts'
import { type Stub, startStub } from './stub/server.ts'
import type { ToolCall, WireRequest } from './stub/wire.ts'
import { type Fill, fill, fillAll, fillJson } from './template.ts'

/** A harness that can be run: its recipe, and where its program is. */
export interface Runnable {
  readonly harness: Harness
  readonly oracle: Oracle
  readonly program: string
  /** The folder of the installed package, for recipes that need its modules. */
  readonly cache: string
  readonly limit: number
}

export interface Loaded {
  readonly names: readonly string[]
  readonly problems: readonly string[]
  readonly refused: boolean
  readonly trouble: string | null
}

/** What reached the model when a harness was an agent. */
export interface Turn {
  readonly name: string
  readonly as: 'main' | 'child'
  readonly request: WireRequest | null
  readonly trouble: string | null
}

export async function readVersion({ oracle, program, limit }: Runnable, place: Place): Promise<string | null> {
  const result = await start(oracle, program, oracle.version.args, place, isolatedEnvironment(place), undefined, limit)
  return new RegExp(oracle.version.pattern).exec(result.stdout + result.stderr)?.[1] ?? null
}

/** Lets the real loader load the project's agents. */
export async function askLoader(runnable: Runnable, place: Place, hashes = '{}'): Promise<Loaded> {
  const { oracle } = runnable
  const { load } = oracle
  const { result, values } = await perform(runnable, place, load, [], { prompt: 'Say hello.', hashes })
  const said = withoutColours(result.stderr + result.stdout)
  const refused = load.refused !== undefined && new RegExp(load.refused).test(said)
  const names = extract(load.loaded, result, values).filter((name) => !load.builtIn.includes(name))
  const problems = load.problems === undefined ? [] : extract(load.problems, result, values)
  return { names: [...new Set(names)].sort(), problems: [...new Set(problems)], refused, trouble: result.trouble }
}

/** Runs the agent as the main session, one turn. */
export async function beMain(runnable: Runnable, place: Place, name: string, hashes = '{}'): Promise<Turn> {
  const { main } = runnable.oracle
  if (main === null) return { name, as: 'main', request: null, trouble: 'there is no way to be the main session' }
  const prompt = promptFor(name)
  const { result, stub } = await perform(runnable, place, main, [], { name, prompt, hashes })
  const request = stub.requests.find((one) => one.said.some((text) => text.includes(prompt))) ?? null
  return { name, as: 'main', request, trouble: request === null ? (result.trouble ?? lastWords(result)) : null }
}

/** Makes a main session call every agent, and looks at what each was given. */
export async function beChildren(
  runnable: Runnable,
  place: Place,
  names: readonly string[],
  hashes = '{}',
): Promise<Turn[]> {
  const { child } = runnable.oracle
  if (child === null)
    return names.map((name) => ({ name, as: 'child', request: null, trouble: 'there is no way to be a child' }))
  const turns: Turn[] = []
  for (let from = 0; from < names.length; from += child.atOnce) {
    turns.push(...(await callThese(runnable, place, child, names.slice(from, from + child.atOnce), hashes)))
  }
  return turns
}

const CURTAIN = 'troupe-probe-everyone'
const PROBE = 'troupe-probe-of <'

function promptFor(name: string): string {
  return `${PROBE}${name}>`
}

async function callThese(
  runnable: Runnable,
  place: Place,
  child: NonNullable<Oracle['child']>,
  names: readonly string[],
  hashes: string,
): Promise<Turn[]> {
  const calls = names.map((name) => fillCall(child.call, { name, prompt: promptFor(name) }))
  const cues: Cue[] = [
    ...(child.finish === undefined
      ? []
      : [{ hears: PROBE, lacks: CURTAIN, times: 10_000, answer: { calls: [fillCall(child.finish, {})] } }]),
    ...(child.first === undefined
      ? []
      : [{ hears: CURTAIN, equipped: true, answer: { calls: [fillCall(child.first, {})] } }]),
    { hears: CURTAIN, equipped: true, answer: { calls } },
  ]
  const { result, stub } = await perform(runnable, place, child, cues, { prompt: CURTAIN, hashes })
  return names.map((name) => {
    const request = stub.requests.find((one) => isChild(one, promptFor(name))) ?? null
    return { name, as: 'child', request, trouble: request === null ? (result.trouble ?? lastWords(result)) : null }
  })
}

/** The child hears its own prompt and not the one that raised the curtain. */
function isChild({ said, system }: WireRequest, prompt: string): boolean {
  // A title for the conversation is asked for with the same words.
  if (system.some((text) => /title generator/i.test(text))) return false
  return said.some((text) => text.includes(prompt)) && !said.some((text) => text.includes(CURTAIN))
}

function fillCall(call: ToolCall | NonNullable<Oracle['child']>['call'], values: Fill): ToolCall {
  const { tool, namespace } = call
  const args = fillJson(call.arguments, values) as ToolCall['arguments']
  return { tool, arguments: args, ...(namespace === undefined ? {} : { namespace }) }
}

interface Performance {
  readonly result: ProgramResult
  readonly stub: Stub
  readonly values: Fill
}

async function perform(
  runnable: Runnable,
  place: Place,
  run: Run,
  cues: readonly Cue[],
  more: Fill,
): Promise<Performance> {
  const { oracle, program, cache, limit } = runnable
  const stub = await startStub({ cues })
  try {
    const values = { home: place.home, project: place.project, stub: stub.url, cache, ...more }
    for (const files of [oracle.files, run.files]) {
      for (const [path, content] of Object.entries(fillAll(files, values))) place.write(path, content)
    }
    const environment = {
      ...isolatedEnvironment(place),
      ...fillAll(oracle.environment, values),
      ...fillAll(run.environment, values),
    }
    const args = run.args.map((word) => fill(word, values))
    const stdin = run.stdin === undefined ? undefined : fill(run.stdin, values)
    if (run.script !== undefined) {
      const script = join(place.home, 'recipe.mjs')
      place.write(script, fill(run.script, values))
      const result = await runProgram({
        program: process.execPath,
        args: [script, ...args],
        cwd: place.project,
        environment,
        limit,
      })
      return { result, stub, values }
    }
    return { result: await start(oracle, program, args, place, environment, stdin, limit), stub, values }
  } finally {
    await stub.close()
  }
}

function start(
  oracle: Oracle,
  program: string,
  args: readonly string[],
  place: Place,
  environment: Readonly<Record<string, string>>,
  stdin: string | undefined,
  limit: number,
): Promise<ProgramResult> {
  const script = oracle.program.node === true
  return runProgram({
    program: script ? process.execPath : program,
    args: script ? [program, ...args] : args,
    cwd: place.project,
    environment,
    limit,
    ...(stdin === undefined ? {} : { stdin }),
  })
}

/** The end of what it said, when it did not do what was asked. */
function lastWords({ stderr, stdout, exit }: ProgramResult): string {
  const text = withoutColours(stderr.trim() || stdout.trim()).slice(-300)
  return `it ended with exit code ${exit} and asked the model nothing: ${text}`
}
