/**
 * One run of a member in a harness, as a program like any other: the work comes on its input, what happens is printed as
 * events. It makes sure that the harness is that agent before it lets it begin.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { loginHint } from '../harness/login-words.ts'
import type { Places } from '../runtime/places.ts'
import { issueToken, TOKEN } from '../runtime/token.ts'
import { driveAcp } from './acp-driver.ts'
import { askPerson } from './ask-person.ts'
import type { Driver, Ended, Listener, PermissionRequest } from './driver.ts'
import { type House, prepareLaunch, privateFolder, type Role } from './launch.ts'
import { driveLines } from './lines-driver.ts'
import { type Cast, castMember } from './member.ts'
import { ruleFor } from './permission.ts'
import { driveServer } from './server-driver.ts'
import { keepSession, sessionOf } from './sessions.ts'
import { checkOnWire } from './wire-check.ts'

const drivers: Readonly<Record<Cast['stage']['embody']['driver'], Driver>> = {
  lines: driveLines,
  server: driveServer,
  acp: driveAcp,
}

export interface Acting {
  readonly places: Places
  readonly agent: string
  readonly run: string
  readonly handoff: string
  readonly cwd: string
  readonly prompt: string
  readonly environment: Readonly<Record<string, string>>
  /** Troupe itself: the program and its first words. */
  readonly troupe: readonly [string, ...string[]]
  /** A model for everybody, in place of those of the user; null: each harness as the user has set it up. */
  readonly model: string | null
  readonly tell: (event: object) => void
}

/** How it ended: done, no use in trying again, or worth another attempt. */
export type Outcome = 'done' | 'hopeless' | { readonly trouble: string }

export async function act(acting: Acting): Promise<Outcome> {
  const { places, agent, run, cwd, tell } = acting
  const cast = await castMember(places, agent, cwd)
  if ('problem' in cast) {
    tell({ type: 'error', text: `it cannot be played: ${cast.problem.replace(/\.$/, '')}` })
    return 'hopeless'
  }
  mkdirSync(join(places.runs, run), { recursive: true })
  const { harness } = cast.stage
  const difference = await rehearse(acting, cast)
  if (difference !== null) {
    const text = `it was not started: in ${harness.title} it would not be the agent of its definition (${difference})`
    tell({ type: 'error', text })
    return 'hopeless'
  }
  return play(acting, cast)
}

/** The wire check, with a token that does nothing. */
function rehearse(acting: Acting, cast: Cast): Promise<string | null> {
  const role = roleFor(acting, cast, true)
  return checkOnWire({
    role,
    checks: acting.places.checks,
    play: (isolated, prompt) => {
      const silent: Listener = { session() {}, step() {}, spent() {}, mayI: async () => false }
      return turn(isolated, prompt, null, silent, AbortSignal.timeout(90_000))
    },
  })
}

async function play(acting: Acting, cast: Cast): Promise<Outcome> {
  const { places, handoff, prompt, tell } = acting
  const { harness, embody } = cast.stage
  const role = roleFor(acting, cast, false)
  const canResume = embody.driver !== 'lines' || embody.resume !== undefined
  const before = canResume ? sessionOf(places, handoff, harness.id) : null
  const stop = new AbortController()
  const usage = { turns: 0, cost: 0 }
  const limits = limitsOf(cast)
  let limit: string | null = null
  const exceed = (why: string) => {
    limit ??= why
    stop.abort()
  }
  const listener: Listener = {
    session: (id) => keepSession(places, handoff, harness.id, id),
    step: () => {
      usage.turns++
      if (usage.turns > limits.turns) exceed(`it took more than ${limits.turns} turns`)
    },
    spent: (cost) => {
      usage.cost = Math.max(usage.cost, cost)
      if (usage.cost > limits.cost) exceed(`it cost more than ${limits.cost}`)
    },
    mayI: (request) => mayI(acting, cast, request),
  }
  let ended = await turn(role, prompt, before, listener, stop.signal)
  // A session that is gone is begun anew; the prompt says what an earlier attempt may have done.
  if (before !== null && 'trouble' in ended && ended.untouched && limit === null)
    ended = await turn(role, prompt, null, listener, stop.signal)
  tell({ type: 'usage', ...usage })
  if (limit !== null) {
    tell({ type: 'error', text: limit })
    return 'hopeless'
  }
  if ('trouble' in ended) {
    const remedy = loggedOut(cast, ended.trouble)
    if (remedy === null) return { trouble: ended.trouble }
    tell({ type: 'error', text: remedy })
    return 'hopeless'
  }
  tell({ type: 'text', text: ended.answer })
  return 'done'
}

/** Without a login or a key every attempt ends in the same way: what to do about it, or null. */
function loggedOut({ stage: { harness, embody } }: Cast, trouble: string): string | null {
  const { says = [] } = embody.loggedOut ?? {}
  if (!says.some((one) => new RegExp(one, 'i').test(trouble))) return null
  const hint = harness.login === undefined ? '' : ` ${loginHint(harness.login)}`
  return `${harness.title} has no login and no key.${hint} It said: ${trouble}`
}

function turn(
  role: Role,
  prompt: string,
  resume: string | null,
  listener: Listener,
  signal: AbortSignal,
): Promise<Ended> {
  const { embody } = role.stage
  const wish = { id: resume ?? randomUUID(), goesOn: resume !== null }
  const launch = prepareLaunch(role, prompt, wish, randomBytes(16).toString('hex'))
  if (resume === null && embody.fresh.length > 0) listener.session(wish.id)
  const { command, args, workplace, token } = role.team
  const env = { TROUPE_WORKPLACE: workplace, [TOKEN]: token }
  return drivers[embody.driver]({ embody, launch, prompt, resume, server: { command, args, env }, listener, signal })
}

function roleFor(
  { places, agent, run, cwd, environment, troupe, model }: Acting,
  cast: Cast,
  rehearsal: boolean,
): Role {
  const token = issueToken(places, { agent, run, tools: cast.tools, rehearsal })
  const [command, ...words] = troupe
  return {
    stage: cast.stage,
    house: houseFor(places, cast, model),
    member: cast.rendered,
    folder: privateFolder(places.runs, run),
    cwd,
    team: { command, args: [...words, 'mcp'], workplace: places.root, token, tools: cast.tools },
    environment,
  }
}

/** With a model of ours, nothing of the user's home is seen or touched; it stays for the next attempt. */
function houseFor({ run }: Places, { stage }: Cast, model: string | null): House {
  if (model === null) return { model }
  const root = join(run, 'homes', stage.harness.id)
  for (const folder of ['home', 'tmp']) mkdirSync(join(root, folder), { recursive: true })
  return { model, home: join(root, 'home') }
}

function limitsOf({ rendered, member }: Cast): { readonly turns: number; readonly cost: number } {
  const { maxTurns } = rendered.agent.fields
  return { turns: maxTurns?.value ?? Number.POSITIVE_INFINITY, cost: member.cost ?? Number.POSITIVE_INFINITY }
}

async function mayI({ places, agent, run }: Acting, cast: Cast, request: PermissionRequest): Promise<boolean> {
  const rule = ruleFor(cast.registry, cast.stage.harness, cast.rendered.agent, request)
  if (rule !== 'ask') return rule !== 'deny'
  const patience = cast.member.patience * 60_000
  return askPerson(places, { agent, run, text: `may I? ${request.about}`, patience })
}
