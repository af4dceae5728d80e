/**
 * One run of a member in a harness, as an ordinary program: the task arrives on its input, events are printed. It verifies
 * that the harness runs that agent before the work begins.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { readRegularText } from '../../disk/read-file.ts'
import { loginHint } from '../../harness/facts.ts'
import { issueToken, TOKEN_VARIABLE } from '../engine/inbox.ts'
import type { WorkplacePaths } from '../engine/paths.ts'
import { driveAcp } from './acp-driver.ts'
import { checkRequest } from './check-request.ts'
import type { PermissionRequest, TurnDriver, TurnEnd, TurnListener } from './driver.ts'
import { type LaunchSetup, type ModelSource, prepareLaunch, privateFolder } from './launch.ts'
import { askPerson, decidePermission } from './permission.ts'
import { type PreparedMember, prepareMember } from './prepare-member.ts'
import { driveLines, driveServer } from './server-driver.ts'

const drivers: Readonly<Record<PreparedMember['host']['embody']['driver'], TurnDriver>> = {
  lines: driveLines,
  server: driveServer,
  acp: driveAcp,
}

interface MemberRun {
  readonly places: WorkplacePaths
  readonly agent: string
  readonly run: string
  readonly handoff: string
  readonly cwd: string
  readonly prompt: string
  readonly environment: Readonly<Record<string, string>>
  /** Troupe itself: the program and its first arguments. */
  readonly troupe: readonly [string, ...string[]]
  /** One model for all members, instead of the user's; null: each harness as configured by the user. */
  readonly model: string | null
  readonly emit: (event: object) => void
}

/** How it ended: done, not worth retrying, or worth another attempt. */
type MemberRunOutcome = 'done' | 'permanent' | { readonly trouble: string }

export async function runMember(acting: MemberRun): Promise<MemberRunOutcome> {
  const { places, agent, run, cwd, emit } = acting
  const prepared = await prepareMember(places, agent, cwd)
  if ('problem' in prepared) {
    emit({ type: 'error', text: `it cannot run: ${prepared.problem.replace(/\.$/, '')}` })
    return 'permanent'
  }
  mkdirSync(join(places.runs, run), { recursive: true })
  const { harness } = prepared.host
  const difference = await checkBeforeRun(acting, prepared)
  if (difference !== null) {
    const text = `it was not started: in ${harness.title} it would differ from its definition (${difference})`
    emit({ type: 'error', text })
    return 'permanent'
  }
  return runTurns(acting, prepared)
}

/** The wire check, with a token that has no effect. */
function checkBeforeRun(acting: MemberRun, prepared: PreparedMember): Promise<string | null> {
  const role = launchSetupFor(acting, prepared, true)
  return checkRequest({
    role,
    checks: acting.places.checks,
    takeTurn: (isolated, prompt) => {
      const silent: TurnListener = { session() {}, step() {}, spent() {}, requestPermission: async () => false }
      return runTurn(isolated, prompt, null, silent, AbortSignal.timeout(90_000))
    },
  })
}

async function runTurns(acting: MemberRun, prepared: PreparedMember): Promise<MemberRunOutcome> {
  const { places, handoff, prompt, emit } = acting
  const { harness, embody } = prepared.host
  const role = launchSetupFor(acting, prepared, false)
  const canResume = embody.driver !== 'lines' || embody.resume !== undefined
  const before = canResume ? readSession(places, handoff, harness.id) : null
  const stop = new AbortController()
  const usage = { turns: 0, cost: 0 }
  const limits = limitsOf(prepared)
  let limit: string | null = null
  const exceed = (why: string) => {
    limit ??= why
    stop.abort()
  }
  const listener: TurnListener = {
    session: (id) => saveSession(places, handoff, harness.id, id),
    step: () => {
      usage.turns++
      if (usage.turns > limits.turns) exceed(`it took more than ${limits.turns} turns`)
    },
    spent: (cost) => {
      usage.cost = Math.max(usage.cost, cost)
      if (usage.cost > limits.cost) exceed(`it cost more than ${limits.cost}`)
    },
    requestPermission: (request) => decideRequest(acting, prepared, request),
  }
  let ended = await runTurn(role, prompt, before, listener, stop.signal)
  // A lost session begins again; the prompt lists what an earlier attempt may have done.
  if (before !== null && 'trouble' in ended && ended.untouched && limit === null)
    ended = await runTurn(role, prompt, null, listener, stop.signal)
  emit({ type: 'usage', ...usage })
  if (limit !== null) {
    emit({ type: 'error', text: limit })
    return 'permanent'
  }
  if ('trouble' in ended) {
    const remedy = loginRemedy(prepared, ended.trouble)
    if (remedy === null) return { trouble: ended.trouble }
    emit({ type: 'error', text: remedy })
    return 'permanent'
  }
  emit({ type: 'text', text: ended.answer })
  return 'done'
}

/** Without a login or a key every attempt fails the same way: the remedy, or null. */
function loginRemedy({ host: { harness, embody } }: PreparedMember, trouble: string): string | null {
  const { says = [] } = embody.loggedOut ?? {}
  if (!says.some((one) => new RegExp(one, 'i').test(trouble))) return null
  const hint = harness.login === undefined ? '' : ` ${loginHint(harness.login)}`
  return `${harness.title} has no login and no key.${hint} It said: ${trouble}`
}

function runTurn(
  role: LaunchSetup,
  prompt: string,
  resume: string | null,
  listener: TurnListener,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { embody } = role.host
  const wish = { id: resume ?? randomUUID(), isResumed: resume !== null }
  const launch = prepareLaunch(role, prompt, wish, randomBytes(16).toString('hex'))
  if (resume === null && embody.fresh.length > 0) listener.session(wish.id)
  const { command, args, workplace, token } = role.team
  const env = { TROUPE_WORKPLACE: workplace, [TOKEN_VARIABLE]: token }
  return drivers[embody.driver]({ embody, launch, prompt, resume, server: { command, args, env }, listener, signal })
}

function launchSetupFor(
  { places, agent, run, cwd, environment, troupe, model }: MemberRun,
  prepared: PreparedMember,
  isTrial: boolean,
): LaunchSetup {
  const token = issueToken(places, { agent, run, tools: prepared.tools, isTrial })
  const [command, ...words] = troupe
  return {
    host: prepared.host,
    modelSource: modelSourceFor(places, prepared, model),
    member: prepared.rendered,
    folder: privateFolder(places.runs, run),
    cwd,
    team: { command, args: [...words, 'mcp'], workplace: places.root, token, tools: prepared.tools },
    environment,
  }
}

/** With our model, the user's home is neither read nor changed; the separate home is kept for the next attempt. */
function modelSourceFor({ run }: WorkplacePaths, { host }: PreparedMember, model: string | null): ModelSource {
  if (model === null) return { model }
  const root = join(run, 'homes', host.harness.id)
  for (const folder of ['home', 'tmp']) mkdirSync(join(root, folder), { recursive: true })
  return { model, home: join(root, 'home') }
}

function limitsOf({ rendered, member }: PreparedMember): { readonly turns: number; readonly cost: number } {
  const { maxTurns } = rendered.agent.fields
  return { turns: maxTurns?.value ?? Number.POSITIVE_INFINITY, cost: member.cost ?? Number.POSITIVE_INFINITY }
}

async function decideRequest(
  { places, agent, run }: MemberRun,
  prepared: PreparedMember,
  request: PermissionRequest,
): Promise<boolean> {
  const rule = decidePermission(prepared.registry, prepared.host.harness, prepared.rendered.agent, request)
  if (rule !== 'ask') return rule !== 'deny'
  const patience = prepared.member.patience * 60_000
  return askPerson(places, { agent, run, text: `to use ${request.about}`, patience })
}

/** Which session of which harness works on a handoff: recorded before its first prompt, for the next attempt. */
function readSession({ sessions }: WorkplacePaths, handoff: string, harness: string): string | null {
  try {
    const data = JSON.parse(readRegularText(join(sessions, `${handoff}.json`)))
    return data.harness === harness && typeof data.session === 'string' ? data.session : null
  } catch {
    return null
  }
}

function saveSession({ sessions }: WorkplacePaths, handoff: string, harness: string, session: string): void {
  mkdirSync(sessions, { recursive: true })
  writeAtomically(join(sessions, `${handoff}.json`), JSON.stringify({ harness, session }))
}
