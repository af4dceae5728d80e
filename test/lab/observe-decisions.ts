/** Observes how a harness that runs as a server decides tool calls: the stub model makes each call, and permission requests are answered. */
import type { Oracle } from '../../src/harness/schema/oracle.ts'
import type { Role } from '../../src/model/access/rules.ts'
import type { Json } from '../../src/model/agent.ts'
import { type Fill, fill, fillJson, valuesAt } from '../../src/verify/extract.ts'
import type { IsolatedProject } from '../../src/verify/isolate.ts'
import { fillFact } from '../../src/verify/loader.ts'
import { fillCall, type Runnable } from '../../src/verify/run-recipe.ts'
import type { Cue } from '../../src/verify/stub/script.ts'
import { type Stub, startStub } from '../../src/verify/stub/server.ts'
import type { ToolCall, WireRequest } from '../../src/verify/stub/wire.ts'
import { startWarmServer } from '../../src/verify/warm-server.ts'

export interface DecisionCase {
  /** The agent that makes the call. */
  readonly name: string
  readonly as: Role
  /** The project that the program runs in. */
  readonly folder: string
  readonly call: ToolCall
  /** The answer to every permission request; `yes` lets the call happen. */
  readonly answer: 'yes' | 'no'
}

export interface ObservedDecision {
  /** `absent`: the model has no such tool. Null where nothing is known, because of the trouble. */
  readonly action: 'allow' | 'ask' | 'deny' | 'absent' | null
  /** The permission requests, in order. */
  readonly asked: readonly string[]
  /** The result of the call that the model received; null where the turn ended before that. */
  readonly reported: string | null
  readonly trouble: string | null
}

type Recipe = NonNullable<Oracle['decisions']>

/** One server for all of them, one session for each. */
export async function observeDecisions(
  runnable: Runnable,
  place: IsolatedProject,
  trials: readonly DecisionCase[],
): Promise<ObservedDecision[]> {
  const { main, decisions: recipe } = runnable.oracle
  const none = { action: null, asked: [], reported: null, trouble: 'its decisions cannot be observed' }
  if (main?.server === undefined || recipe === undefined) return trials.map(() => none)
  const cues = trials.flatMap((trial, index) => decisionCues(runnable, trial, index))
  const stub = await startStub({ cues, mostAnswers: trials.length * 10 })
  const server = await startWarmServer(runnable, place, main, main.server, stub, '{}')
  const { questions, answer } = recipe
  let asked: string[] = []
  let current: DecisionCase | undefined
  await server.listen(questions.events, (event) => {
    if (current === undefined || !isQuestion(recipe, event)) return
    const request = String(valuesAt(event, questions.id.split('.'))[0] ?? '')
    asked.push(fillFact(questions.about, event) ?? request)
    const said = fillJson<Json>(answer.body, { answer: answer[current.answer] })
    void server.post(fill(answer.post, { folder: current.folder, request }), said)
  })
  try {
    const decisions: ObservedDecision[] = []
    for (const [index, trial] of trials.entries()) {
      asked = []
      current = trial
      const trouble = await server.turn(enter(recipe, trial, index))
      decisions.push(decisionOf(runnable, recipe, stub, index, asked, trouble))
    }
    return decisions
  } finally {
    server.close()
    await stub.close()
  }
}

/** What is sent to the program, so that the agent gets its line. */
function enter({ caller }: Recipe, { name, as, folder }: DecisionCase, index: number): Fill {
  return as === 'main' ? { folder, name, prompt: cueLine(index) } : { folder, name: caller, prompt: callerLine(index) }
}

const cueLine = (index: number) => `troupe-call <${index}>`
const callerLine = (index: number) => `troupe-caller <${index}>`

/** The agent makes the call as soon as it gets its line; a child must be called first. */
function decisionCues({ oracle: { child, wire } }: Runnable, { name, as, call }: DecisionCase, index: number): Cue[] {
  const misses = wire.incidental === undefined ? {} : { misses: wire.incidental }
  const own: Cue = { contains: cueLine(index), lacks: callerLine(index), ...misses, answer: { calls: [call] } }
  if (as === 'main' || child === null) return [own]
  const enter = fillCall(child.call, { name, display: name, prompt: cueLine(index) })
  return [own, { contains: callerLine(index), ...misses, answer: { calls: [enter] } }]
}

function decisionOf(
  runnable: Runnable,
  recipe: Recipe,
  stub: Stub,
  index: number,
  asked: readonly string[],
  trouble: string | null,
): ObservedDecision {
  const requests = stub.requests.filter((request) => isOwn(runnable, request, index))
  const reported = reportedTo(requests)
  const silent = requests.length === 0 ? 'it sent no request to the model' : null
  const action = actionOf(recipe, asked, reported)
  return {
    action,
    asked,
    reported,
    trouble: trouble ?? silent ?? (action === null ? 'the call had no result' : null),
  }
}

function isOwn({ oracle: { wire } }: Runnable, { said, system }: WireRequest, index: number): boolean {
  const { incidental } = wire
  if (incidental !== undefined && system.some((text) => text.includes(incidental))) return false
  return said.some((text) => text.includes(cueLine(index))) && !said.some((text) => text.includes(callerLine(index)))
}

/** The messages after the call that were not there before it. */
function reportedTo([before, after]: readonly WireRequest[]): string | null {
  return before === undefined || after === undefined ? null : after.said.slice(before.said.length).join('\n')
}

function actionOf(
  { denied, absent }: Recipe,
  asked: readonly string[],
  reported: string | null,
): ObservedDecision['action'] {
  // A call that is denied after its request was answered is denied.
  if (reported !== null && new RegExp(denied, 'u').test(reported)) return 'deny'
  if (reported !== null && new RegExp(absent, 'u').test(reported)) return 'absent'
  if (asked.length > 0) return 'ask'
  return reported === null ? null : 'allow'
}

function isQuestion({ questions: { where } }: Recipe, event: Json): boolean {
  return Object.entries(where).every(([path, value]) => valuesAt(event, path.split('.'))[0] === value)
}
