/** Runs a real harness as an agent, as the main session or as a child, and records what reached the model. */

import type { ProgramResult } from '../disk/run-program.ts'
import type { Oracle } from '../harness/schema/oracle.ts'
import { stripColors } from './extract.ts'
import type { IsolatedProject } from './isolate.ts'
import { fillCall, type Runnable, runRecipe } from './run-recipe.ts'
import type { Cue } from './stub/script.ts'
import { type Stub, startStub } from './stub/server.ts'
import type { WireRequest } from './stub/wire.ts'
import { startWarmServer } from './warm-server.ts'

/** What reached the model when a harness ran as an agent. */
export interface ObservedTurn {
  readonly name: string
  readonly as: 'main' | 'child'
  readonly request: WireRequest | null
  readonly trouble: string | null
}

/** Runs as each agent in the main session, one turn each. */
export async function runAsMain(
  runnable: Runnable,
  place: IsolatedProject,
  names: readonly string[],
  hashes = '{}',
): Promise<ObservedTurn[]> {
  const { main } = runnable.oracle
  const none = 'it cannot run as the main session'
  if (main === null) return names.map((name) => ({ name, as: 'main', request: null, trouble: none }))
  if (main.server !== undefined) return runOnServer(runnable, place, main, main.server, names, hashes)
  const turns: ObservedTurn[] = []
  for (const name of names) {
    const { result, stub } = await runRecipe(runnable, place, main, [], { name, prompt: probeFor(name), hashes })
    turns.push(mainTurn(runnable, name, stub, () => result.trouble ?? lastOutput(result)))
  }
  return turns
}

/** A program that keeps running is started once and takes the role of one agent after another. */
async function runOnServer(
  runnable: Runnable,
  place: IsolatedProject,
  main: NonNullable<Oracle['main']>,
  server: NonNullable<NonNullable<Oracle['main']>['server']>,
  names: readonly string[],
  hashes: string,
): Promise<ObservedTurn[]> {
  const stub = await startStub()
  const running = await startWarmServer(runnable, place, main, server, stub, hashes)
  try {
    const turns: ObservedTurn[] = []
    for (const name of names) {
      const trouble = await running.turn({ name, prompt: probeFor(name) })
      turns.push(mainTurn(runnable, name, stub, () => trouble ?? 'it sent no request to the model'))
    }
    return turns
  } finally {
    running.close()
    await stub.close()
  }
}

function mainTurn(runnable: Runnable, name: string, stub: Stub, trouble: () => string): ObservedTurn {
  const prompt = probeFor(name)
  const request =
    stub.requests.find((one) => one.said.some((text) => text.includes(prompt)) && !isIncidental(runnable, one)) ?? null
  return { name, as: 'main', request, trouble: request === null ? trouble() : null }
}

/** Makes a main session call every agent, and records what each was given. */
export async function runAsChildren(
  runnable: Runnable,
  place: IsolatedProject,
  names: readonly string[],
  hashes = '{}',
): Promise<ObservedTurn[]> {
  const { child } = runnable.oracle
  if (child === null)
    return names.map((name) => ({ name, as: 'child', request: null, trouble: 'it cannot run as a subagent' }))
  const turns: ObservedTurn[] = []
  for (let from = 0; from < names.length; from += child.atOnce) {
    turns.push(...(await callAgents(runnable, place, child, names.slice(from, from + child.atOnce), hashes)))
  }
  return turns
}

const CALL_EVERYONE = 'troupe-probe-everyone'
const PROBE = 'troupe-probe-of <'

function probeFor(name: string): string {
  return `${PROBE}${name}>`
}

async function callAgents(
  runnable: Runnable,
  place: IsolatedProject,
  child: NonNullable<Oracle['child']>,
  names: readonly string[],
  hashes: string,
): Promise<ObservedTurn[]> {
  const { displayNames } = runnable
  const calls = names.map((name) =>
    fillCall(child.call, { name, display: displayNames?.get(name) ?? name, prompt: probeFor(name) }),
  )
  const cues: Cue[] = [
    ...(child.finish === undefined
      ? []
      : [{ contains: PROBE, lacks: CALL_EVERYONE, times: 10_000, answer: { calls: [fillCall(child.finish, {})] } }]),
    ...(child.first === undefined
      ? []
      : [{ contains: CALL_EVERYONE, equipped: true, answer: { calls: [fillCall(child.first, {})] } }]),
    { contains: CALL_EVERYONE, equipped: true, answer: { calls } },
    ...(child.background ? [{ contains: CALL_EVERYONE, answer: { text: 'Done.' }, after: names.map(probeFor) }] : []),
  ]
  const { requests, trouble } = await runCaller(runnable, place, child, cues, hashes)
  return names.map((name) => {
    const request = requests.find((one) => isChild(runnable, one, probeFor(name))) ?? null
    return { name, as: 'child', request, trouble: request === null ? trouble : null }
  })
}

interface CallerRun {
  readonly requests: readonly WireRequest[]
  /** Why there may be no result. */
  readonly trouble: string
}

/** One turn of the main session, in which it calls the others; on a server where the program can run as one. */
async function runCaller(
  runnable: Runnable,
  place: IsolatedProject,
  child: NonNullable<Oracle['child']>,
  cues: readonly Cue[],
  hashes: string,
): Promise<CallerRun> {
  const { main } = runnable.oracle
  if (main?.server === undefined || child.caller === undefined) {
    const { result, stub } = await runRecipe(runnable, place, child, cues, { prompt: CALL_EVERYONE, hashes })
    return { requests: stub.requests, trouble: result.trouble ?? lastOutput(result) }
  }
  const stub = await startStub({ cues })
  const running = await startWarmServer(runnable, place, main, main.server, stub, hashes)
  try {
    const trouble = await running.turn({ name: child.caller, prompt: CALL_EVERYONE })
    return { requests: stub.requests, trouble: trouble ?? 'it sent no request to the model' }
  } finally {
    running.close()
    await stub.close()
  }
}

/** The child gets its own prompt and not the one that started the main session. */
function isChild(runnable: Runnable, request: WireRequest, prompt: string): boolean {
  const { said } = request
  return (
    !isIncidental(runnable, request) &&
    said.some((text) => text.includes(prompt)) &&
    !said.some((text) => text.includes(CALL_EVERYONE))
  )
}

/** A title for the conversation is requested with the same words as the turn itself. */
function isIncidental({ oracle: { wire } }: Runnable, { system }: WireRequest): boolean {
  const { incidental } = wire
  return incidental !== undefined && system.some((text) => text.includes(incidental))
}

/** The end of its output, when it did not do what was asked. */
function lastOutput({ stderr, stdout, exit }: ProgramResult): string {
  const text = stripColors(stderr.trim() || stdout.trim()).slice(-300)
  return `it ended with exit code ${exit} and sent no request to the model: ${text}`
}
