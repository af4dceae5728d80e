/**
 * Plays the team once, offline: the real workplace, the real harnesses where they are installed, in a copy of the project and in
 * homes of their own; only the model is played by Troupe. Nothing of it is left.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Registry } from '../../harness/registry.ts'
import type { Cue } from '../../proof/stub/play.ts'
import { type Stub, startStub } from '../../proof/stub/server.ts'
import type { Setting } from '../../runtime/engine.ts'
import { attend } from '../../runtime/host.ts'
import { drop } from '../../runtime/inbox.ts'
import { initWorkplace } from '../../runtime/init.ts'
import { openSetting } from '../../runtime/open.ts'
import { placesOf } from '../../runtime/places.ts'
import { endProcesses, processesOf } from '../../runtime/processes.ts'
import type { SessionDriver } from '../../runtime/session.ts'
import type { Player } from '../../workplace/player.ts'
import type { JournalRecord } from '../../workplace/records.ts'
import type { Member, Roster } from '../../workplace/roster.ts'
import type { State } from '../../workplace/state.ts'
import { planTrial, type TrialPlan } from '../../workplace/trial.ts'
import { copyProject } from './copy-project.ts'
import { cuesFor, markOf, taskFor } from './cues.ts'
import { type Quieted, quietCopy } from './quiet-copy.ts'
import { standInCommand } from './stand-in.ts'

export interface TrialOrder {
  readonly root: string
  readonly ignore: readonly string[]
  readonly registry: Registry
  readonly players: readonly Player[]
  /** Whether ordinary programs may be started. */
  readonly programs: boolean
  readonly told: (records: readonly JournalRecord[], state: State) => void
  readonly interrupted: Promise<void>
}

export interface Trial {
  readonly state: State
  readonly plan: TrialPlan
  /** Files of the project that were too large to copy, or too many. */
  readonly left: number
  readonly quieted: Quieted
  readonly isInterrupted: boolean
  /** Members that asked the model. */
  readonly heard: ReadonlySet<string>
}

/** One member may take so long (minutes). */
const MINUTES = 5

export async function tryTeam(order: TrialOrder): Promise<Trial> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-try-')))
  const runs = new Set<string>()
  try {
    return await playIn(join(folder, 'project'), order, runs)
  } finally {
    // Whoever left its group still carries its run.
    endProcesses(processesOf(runs, join(folder, 'project')))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function playIn(root: string, order: TrialOrder, runs: Set<string>): Promise<Trial> {
  const left = await copyProject(order.root, root, order.ignore)
  const quieted = quietCopy(root, order.registry)
  // Where there are agents, none are suggested.
  initWorkplace(root, { name: null, description: null, others: order.players.map(({ member }) => member) })
  const opened = await openSetting(placesOf(root))
  const plan = planTrial(opened.roster)
  const cues = [...plan.hands].flatMap(([name, hands]) => cuesOf(name, hands, opened.roster, order.registry))
  const stub = await startStub({ cues, mostAnswers: 40 * (plan.hands.size + 1), idle: 3_600_000 })
  const setting: Setting = {
    ...opened,
    roster: castFor(opened.roster, plan, order),
    rules: { ...opened.rules, attempts: 1 },
    driver: marking(opened.driver, stub, runs),
  }
  try {
    const { state, isInterrupted } = await playAll(setting, plan, order)
    return { state, plan, left, quieted, isInterrupted, heard: heardBy(stub, plan) }
  } finally {
    await stub.close()
  }
}

function cuesOf(name: string, hands: readonly string[], roster: Roster, registry: Registry): Cue[] {
  const playedIn = roster.get(name)?.playedIn
  const harness = playedIn == null ? undefined : registry.byId(playedIn)
  const { oracle, embody } = harness ?? {}
  if (harness === undefined || oracle === undefined || embody === undefined) return []
  return cuesFor(name, hands, { harness, oracle, embody })
}

/** Those whose harness or program is not there, or may not be started, are played by stand-ins; nobody is always up. */
function castFor(roster: Roster, { hands }: TrialPlan, { players, programs }: TrialOrder): Roster {
  return new Map(
    [...roster].flatMap(([name, member]) => {
      const mine = hands.get(name)
      if (mine === undefined) return member.command === null ? [[name, member] as const] : []
      const player = players.find((one) => one.member === name)
      const tried = { ...member, minutes: MINUTES }
      return [[name, isPlayed(player, programs) ? tried : asStandIn(tried, mine)] as const]
    }),
  )
}

/** By its own harness or program, and not by a stand-in. */
export function isPlayed(player: Player | undefined, programs: boolean): boolean {
  if (player === undefined || player.problem?.code === 'no-program') return false
  return player.harness !== null || (player.command !== null && programs)
}

function asStandIn(member: Member, hands: readonly string[]): Member {
  return { ...member, playedIn: null, command: standInCommand(member.name, hands) }
}

/** Every run is told whose part it is, and which model to ask. */
function marking(driver: SessionDriver, { url }: Stub, runs: Set<string>): SessionDriver {
  const marked =
    (begin: SessionDriver['start']): SessionDriver['start'] =>
    (given) => {
      runs.add(given.run)
      const environment = { ...given.environment, TROUPE_MODEL: url }
      begin({ ...given, prompt: `${given.prompt}\n\n${markOf(given.agent)}\n`, environment })
    }
  return { ...driver, start: marked(driver.start), prompt: marked(driver.prompt) }
}

/** The planned chains first; then whoever was to be handed work by somebody who did not. */
async function playAll(
  setting: Setting,
  { entries, hands }: TrialPlan,
  { told, interrupted }: TrialOrder,
): Promise<{ readonly state: State; readonly isInterrupted: boolean }> {
  const waiting = [...entries]
  for (;;) {
    const to = waiting.shift()
    if (to === undefined) throw new Error('there is nobody to try')
    const id = drop(setting.places, {
      kind: 'message',
      from: 'user',
      to,
      observers: [],
      text: taskFor(to),
      run: null,
      worktree: false,
    })
    const { state, ending } = await attend(setting, {
      until: ({ chains }) => chains.get(id)?.ended === true,
      told,
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

function heardBy({ requests }: Stub, { hands }: TrialPlan): Set<string> {
  const said = (name: string) => requests.some((one) => one.said.some((text) => text.includes(markOf(name))))
  return new Set([...hands.keys()].filter(said))
}
