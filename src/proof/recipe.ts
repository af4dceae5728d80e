/** Runs the recipes of a harness file: ask the loader, be an agent as main session or as child. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Harness } from '../harness/schema/harness.ts'
import type { Oracle, Run } from '../harness/schema/recipe.ts'
import { extract, follow, withoutColours } from './extract.ts'
import { isolatedEnvironment, type Place } from './isolate.ts'
import { type ProgramResult, runProgram, startServerProcess } from './process.ts'
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

/** Is each agent as the main session, one turn each. */
export async function beMains(
  runnable: Runnable,
  place: Place,
  names: readonly string[],
  hashes = '{}',
): Promise<Turn[]> {
  const { main } = runnable.oracle
  const none = 'there is no way to be the main session'
  if (main === null) return names.map((name) => ({ name, as: 'main', request: null, trouble: none }))
  if (main.server !== undefined) return askServer(runnable, place, main, main.server, names, hashes)
  const turns: Turn[] = []
  for (const name of names) {
    const { result, stub } = await perform(runnable, place, main, [], { name, prompt: promptFor(name), hashes })
    turns.push(mainTurn(name, stub, () => result.trouble ?? lastWords(result)))
  }
  return turns
}

/** A program that stays is started once and asked to be one agent after the other. */
async function askServer(
  runnable: Runnable,
  place: Place,
  main: Run,
  server: NonNullable<NonNullable<Oracle['main']>['server']>,
  names: readonly string[],
  hashes: string,
): Promise<Turn[]> {
  const stub = await startStub()
  const { program, args, environment } = prepare(runnable, place, main, stub, { hashes })
  const { limit } = runnable
  const running = await startServerProcess(
    { program, args, cwd: place.project, environment, limit },
    new RegExp(server.ready),
  )
  try {
    const turns: Turn[] = []
    for (const name of names) {
      const trouble =
        running.address === null
          ? running.trouble
          : await takeSteps(running.address, server.steps, { name, prompt: promptFor(name) }, limit)
      turns.push(mainTurn(name, stub, () => trouble ?? 'it asked the model nothing'))
    }
    return turns
  } finally {
    running.close()
    await stub.close()
  }
}

/** Null when every step was answered. */
async function takeSteps(
  address: string,
  steps: NonNullable<NonNullable<Oracle['main']>['server']>['steps'],
  first: Fill,
  limit: number,
): Promise<string | null> {
  let values = first
  for (const { post, body, save } of steps) {
    try {
      const answer = await fetch(address + fill(post, values), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fillJson(body, values)),
        signal: AbortSignal.timeout(limit),
      })
      const text = await answer.text()
      if (!answer.ok) return `it answered ${answer.status} to ${post}: ${text.slice(0, 300)}`
      const data = JSON.parse(text)
      const saved = Object.entries(save).map(([name, path]) => [name, String(follow(data, path.split('.'))[0] ?? '')])
      values = { ...values, ...Object.fromEntries(saved) }
    } catch (error) {
      return `it did not answer ${post} (${(error as Error).message})`
    }
  }
  return null
}

function mainTurn(name: string, stub: Stub, trouble: () => string): Turn {
  const prompt = promptFor(name)
  const request =
    stub.requests.find((one) => one.said.some((text) => text.includes(prompt)) && !isIncidental(one)) ?? null
  return { name, as: 'main', request, trouble: request === null ? trouble() : null }
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
    ...(child.background ? [{ hears: CURTAIN, answer: { text: 'Done.' }, after: names.map(promptFor) }] : []),
  ]
  const { result, stub } = await perform(runnable, place, child, cues, { prompt: CURTAIN, hashes })
  return names.map((name) => {
    const request = stub.requests.find((one) => isChild(one, promptFor(name))) ?? null
    return { name, as: 'child', request, trouble: request === null ? (result.trouble ?? lastWords(result)) : null }
  })
}

/** The child hears its own prompt and not the one that raised the curtain. */
function isChild(request: WireRequest, prompt: string): boolean {
  const { said } = request
  return (
    !isIncidental(request) && said.some((text) => text.includes(prompt)) && !said.some((text) => text.includes(CURTAIN))
  )
}

/** A title for the conversation is asked for with the same words. */
function isIncidental({ system }: WireRequest): boolean {
  return system.some((text) => /title generator/i.test(text))
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
  const stub = await startStub({ cues })
  try {
    const { program, args, environment, values } = prepare(runnable, place, run, stub, more)
    const stdin = run.stdin === undefined ? {} : { stdin: fill(run.stdin, values) }
    const { limit } = runnable
    const result = await runProgram({ program, args, cwd: place.project, environment, limit, ...stdin })
    return { result, stub, values }
  } finally {
    await stub.close()
  }
}

/** Writes the files a run needs, and fills in its words and its environment. */
function prepare({ oracle, program, cache }: Runnable, place: Place, run: Run, stub: Stub, more: Fill) {
  const values: Fill = { home: place.home, project: place.project, stub: stub.url, cache, ...more }
  for (const files of [oracle.files, run.files]) {
    for (const [path, content] of Object.entries(fillAll(files, values))) place.write(path, content)
  }
  for (const [from, to] of Object.entries(fillAll(run.copies, values))) {
    if (existsSync(from)) place.write(to, readFileSync(from, 'utf8'))
  }
  const environment = {
    ...isolatedEnvironment(place),
    ...fillAll(oracle.environment, values),
    ...fillAll(run.environment, values),
  }
  const words = run.args.map((word) => fill(word, values))
  if (run.script === undefined) return { ...startedBy(oracle, program, words), environment, values }
  const script = join(place.home, 'recipe.mjs')
  place.write(script, fill(run.script, values))
  return { program: process.execPath, args: [script, ...words], environment, values }
}

/** Some programs are scripts for Node. */
function startedBy({ program: { node } }: Oracle, program: string, words: readonly string[]) {
  return node === true ? { program: process.execPath, args: [program, ...words] } : { program, args: words }
}

/** The end of what it said, when it did not do what was asked. */
function lastWords({ stderr, stdout, exit }: ProgramResult): string {
  const text = withoutColours(stderr.trim() || stdout.trim()).slice(-300)
  return `it ended with exit code ${exit} and asked the model nothing: ${text}`
}
