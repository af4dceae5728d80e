/**
 * Runs the team once, offline: the real workplace, the real harnesses where installed, in a copy of the project and with
 * separate homes; only the model is simulated by Troupe. Nothing of it is left.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killProcesses } from '../../disk/processes.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Cue } from '../../verify/stub/script.ts'
import { type Stub, startStub } from '../../verify/stub/server.ts'
import type { SessionDriver, Workplace } from '../engine/engine.ts'
import { putInInbox } from '../engine/inbox.ts'
import { workplacePaths } from '../engine/paths.ts'
import { processesOfRuns } from '../engine/run-processes.ts'
import { initWorkplace } from '../runtime/init.ts'
import { openWorkplace } from '../runtime/open.ts'
import { superviseWorkplace } from '../runtime/supervise.ts'
import { planTrial, type TrialPlan, type TrialRow } from '../state/graph.ts'
import type { Handoff } from '../state/handoff.ts'
import { KERNEL } from '../state/message.ts'
import type { JournalRecord } from '../state/records.ts'
import type { Member, Player, Roster } from '../state/roster.ts'
import type { State } from '../state/state.ts'
import {
  copyProject,
  type RemovedStarters,
  removeStarters,
  standInProgram,
  trialCues,
  trialMark,
  trialTask,
} from './trial-setup.ts'

interface TrialOrder {
  readonly root: string
  readonly ignore: readonly string[]
  readonly registry: Registry
  readonly players: readonly Player[]
  /** Whether ordinary programs may be started. */
  readonly programs: boolean
  readonly onRecords: (records: readonly JournalRecord[], state: State) => void
  readonly interrupted: Promise<void>
}

interface Trial {
  readonly state: State
  readonly plan: TrialPlan
  /** Files of the project that were not copied: too large, or too many. */
  readonly left: number
  readonly removed: RemovedStarters
  readonly isInterrupted: boolean
  /** Members that called the model. */
  readonly heard: ReadonlySet<string>
}

/** The time limit of one member (minutes). */
const TRIAL_MINUTES = 5

export async function tryTeam(order: TrialOrder): Promise<Trial> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-try-')))
  const runs = new Set<string>()
  try {
    return await runTrial(join(folder, 'project'), order, runs)
  } finally {
    // Processes outside their group still carry their run.
    killProcesses(processesOfRuns(runs, join(folder, 'project')))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function runTrial(root: string, order: TrialOrder, runs: Set<string>): Promise<Trial> {
  const left = await copyProject(order.root, root, order.ignore)
  const removed = removeStarters(root, order.registry)
  // If there are agents, none are suggested.
  initWorkplace(root, { name: null, description: null, others: order.players.map(({ member }) => member) })
  const opened = await openWorkplace(workplacePaths(root))
  const plan = planTrial(opened.roster)
  const cues = [...plan.hands].flatMap(([name, hands]) => memberCues(name, hands, opened.roster, order.registry))
  const stub = await startStub({ cues, mostAnswers: 40 * (plan.hands.size + 1), idle: 3_600_000 })
  const workplace: Workplace = {
    ...opened,
    roster: trialRoster(opened.roster, plan, order),
    rules: { ...opened.rules, attempts: 1 },
    driver: withTrialMarks(opened.driver, stub, runs),
  }
  try {
    const { state, isInterrupted } = await runAllMembers(workplace, plan, order)
    return { state, plan, left, removed, isInterrupted, heard: membersHeard(stub, plan) }
  } finally {
    await stub.close()
  }
}

function memberCues(name: string, hands: readonly string[], roster: Roster, registry: Registry): Cue[] {
  const playedIn = roster.get(name)?.playedIn
  const harness = playedIn == null ? undefined : registry.byId(playedIn)
  const { oracle, embody } = harness ?? {}
  if (harness === undefined || oracle === undefined || embody === undefined) return []
  return trialCues(name, hands, { harness, oracle, embody })
}

/** Members whose harness or program is missing, or may not be started, are replaced by stand-ins; none is persistent. */
function trialRoster(roster: Roster, { hands }: TrialPlan, { players, programs }: TrialOrder): Roster {
  return new Map(
    [...roster].flatMap(([name, member]) => {
      const mine = hands.get(name)
      if (mine === undefined) return member.command === null ? [[name, member] as const] : []
      const player = players.find((one) => one.member === name)
      const tried = { ...member, minutes: TRIAL_MINUTES }
      return [[name, isPlayedItself(player, programs) ? tried : asStandIn(tried, mine)] as const]
    }),
  )
}

/** By its own harness or program, not by a stand-in. */
function isPlayedItself(player: Player | undefined, programs: boolean): boolean {
  if (player === undefined || player.problem?.code === 'no-program') return false
  return player.harness !== null || (player.command !== null && programs)
}

function asStandIn(member: Member, hands: readonly string[]): Member {
  return { ...member, playedIn: null, command: standInProgram(member.name, hands) }
}

/** Every run is given its member's mark and the model to call. */
function withTrialMarks(driver: SessionDriver, { url }: Stub, runs: Set<string>): SessionDriver {
  const marked =
    (begin: SessionDriver['start']): SessionDriver['start'] =>
    (given) => {
      runs.add(given.run)
      const environment = { ...given.environment, TROUPE_MODEL: url }
      begin({ ...given, prompt: `${given.prompt}\n\n${trialMark(given.agent)}\n`, environment })
    }
  return { ...driver, start: marked(driver.start), prompt: marked(driver.prompt) }
}

/** The planned chains first; then members that did not receive their planned handoff. */
async function runAllMembers(
  workplace: Workplace,
  { entries, hands }: TrialPlan,
  { onRecords, interrupted }: TrialOrder,
): Promise<{ readonly state: State; readonly isInterrupted: boolean }> {
  const waiting = [...entries]
  for (;;) {
    const to = waiting.shift()
    if (to === undefined) throw new Error('there is no member to try')
    const id = putInInbox(workplace.places, {
      kind: 'message',
      from: 'user',
      to,
      observers: [],
      text: trialTask(to),
      run: null,
      worktree: false,
    })
    const { state, ending } = await superviseWorkplace(workplace, {
      until: ({ chains }) => chains.get(id)?.ended === true,
      onRecords: onRecords,
      trouble: () => {},
      interrupted,
      keep: 'none',
    })
    if (ending !== 'done') return { state, isInterrupted: true }
    if (waiting.length > 0) continue
    const asked = new Set([...state.handoffs.values()].map((one) => one.to))
    waiting.push(...[...hands.keys()].filter((name) => !asked.has(name)).slice(0, 1))
    if (waiting.length === 0) return { state, isInterrupted: false }
  }
}

function membersHeard({ requests }: Stub, { hands }: TrialPlan): Set<string> {
  const said = (name: string) => requests.some((one) => one.said.some((text) => text.includes(trialMark(name))))
  return new Set([...hands.keys()].filter(said))
}

/** The result of a trial, by member. */
export function trialRows(
  roster: Roster,
  players: readonly Player[],
  { state, plan, heard, removed }: Trial,
  programs: boolean,
): TrialRow[] {
  const handoffs = [...state.handoffs.values()]
  const names = [...roster.keys()].filter((name) => name !== KERNEL)
  return names.map((name) => {
    const player = players.find(({ member }) => member === name)
    const isOwn = isPlayedItself(player, programs)
    const mine = handoffs.find(({ to }) => to === name)
    const by = mine === undefined ? null : !isOwn ? 'stand-in' : player?.harness == null ? 'program' : 'harness'
    const handedTo = [...new Set(handoffs.filter(({ from }) => from === name).map(({ to }) => to))]
    const missing = (plan.hands.get(name) ?? []).filter((one) => !handedTo.includes(one))
    return {
      member: name,
      by,
      as: asText(player),
      started: mine !== undefined && mine.startedAt !== null,
      asPredicted: by === 'harness' ? mine?.answer != null && heard.has(name) : null,
      handedTo,
      answer: mine?.answer ?? null,
      problem: problemOf(mine, by === 'program' ? [] : missing),
      notTried: whyNotTried(player, roster.get(name), mine !== undefined, removed, programs),
    }
  })
}

function asText(player: Player | undefined): string {
  if (player?.harness != null) return [player.harness.title, player.harness.version].filter(Boolean).join(' ')
  return player?.command?.join(' ') ?? '-'
}

/** A program of the user hands on as it likes. */
function problemOf(handoff: Handoff | undefined, missing: readonly string[]): string | null {
  if (handoff === undefined) return null
  if (handoff.status !== 'completed') return handoff.why ?? 'it did not finish'
  return missing.length === 0 ? null : `it did not hand on to ${missing.join(', ')}`
}

function whyNotTried(
  player: Player | undefined,
  member: Member | undefined,
  wasAsked: boolean,
  { leftOut }: Trial['removed'],
  programs: boolean,
): string | null {
  if (member?.persistent === true) return 'it is persistent, so there is no end to wait for'
  if (player?.problem?.code === 'no-program')
    return [player.problem.message, player.problem.hint].filter(Boolean).join(' ')
  if (player?.harness == null && player?.command == null)
    return 'no harness or program is set: `troupe work init --harness ID` sets one'
  if (player.harness === null && !programs)
    return 'it is your own program, and was not allowed to run; `--yes` allows it'
  if (wasAsked) return null
  return member !== undefined && leftOut.includes(member.path)
    ? `${member.path} may start programs, and is too broken to remove that from it`
    : 'it is not in the copy of the project'
}
