/** Persistent members: their programs run all the time, restart with growing delays, and get their work in a file. */
import { appendFileSync, closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '../../../disk/processes.ts'
import { FileRefused, openRegularFile } from '../../../disk/read-file.ts'
import { readAt } from '../../engine/chat-file.ts'
import type { Engine } from '../../engine/engine.ts'
import { isDiskFull } from '../../engine/journal-writer.ts'
import { OutputReader } from '../../engine/output.ts'
import { summarizeTree, type TreeEntry } from '../../state/config.ts'
import { type Handoff, runName } from '../../state/handoff.ts'
import { KERNEL } from '../../state/message.ts'
import { systemPrompt } from '../../state/prompt.ts'
import type { Member } from '../../state/roster.ts'
import { backoffAfter } from '../../state/team-rules.ts'
import { acceptMessage, derivedId } from '../ingest.ts'
import type { ActiveRun, ActiveRuns } from './active.ts'
import { failRun, stageAnswer } from './conclude.ts'
import { deployInfo, handoffTask, memberEnvironment } from './prompt.ts'

interface RunningService {
  readonly run: string
  readonly since: number
  readonly output: OutputReader
  /** The runs that are in its inbox. */
  readonly delivered: Set<string>
}

/** A program that ran this long was fine: its next end counts as the first (ms). */
const STABLE_AFTER = 60_000

export class Services {
  readonly #engine: Engine
  readonly #tree: () => readonly TreeEntry[]
  readonly #up = new Map<string, RunningService>()
  readonly #due = new Map<string, number>()
  readonly #failures = new Map<string, number>()
  /** Their programs ran before this process. */
  readonly #adopted = new Set<string>()

  constructor(engine: Engine, tree: () => readonly TreeEntry[]) {
    this.#engine = engine
    this.#tree = tree
    engine.whenRolledBack(() => {
      for (const { output } of this.#up.values()) output.readAgain()
    })
  }

  #members(): Member[] {
    const { roster } = this.#engine.workplace
    return [...roster.values()].filter(
      ({ persistent, name, command }) => persistent && name !== KERNEL && command !== null,
    )
  }

  get size(): number {
    return this.#members().filter(({ name }) => this.#isWanted(name)).length
  }

  /** Members whose programs are up. */
  get up(): readonly string[] {
    return [...this.#up.keys()]
  }

  /** Whether any of them ran before this process. */
  get isAnyAdopted(): boolean {
    return this.#adopted.size > 0
  }

  processOf(agent: string): { readonly pid: number; readonly start: string } | null {
    const { process } = this.#engine.state.services.get(agent) ?? {}
    return process != null && this.#up.has(agent) ? process : null
  }

  /** After a crash: programs that still run are managed again. */
  adopt(): void {
    for (const { agent, run, process } of this.#engine.state.services.values()) {
      if (run === null || process === null) continue
      if (isRunning(process)) {
        this.#take(agent, run, deliveredIn(this.inboxOf(run)))
        // The process that was to stop it got no further.
        if (this.#engine.state.stopped.has(agent)) this.stop(agent)
        else this.#adopted.add(agent)
      } else this.#down(agent, run, 'it ended while the workplace was not running')
    }
  }

  #take(agent: string, run: string, delivered = new Set<string>()): void {
    const { driver, clock } = this.#engine.workplace
    const output = new OutputReader(driver, run, () => this.#engine.state.heard.get(run) ?? 0)
    this.#up.set(agent, { run, since: clock.steady(), output, delivered })
  }

  /** Starts missing programs, and reads the output of running ones. */
  progress(): void {
    const { workplace } = this.#engine
    for (const member of this.#members()) {
      const up = this.#up.get(member.name)
      if (up !== undefined) this.#look(member.name, up)
      else if (this.#isWanted(member.name) && (this.#due.get(member.name) ?? 0) <= workplace.clock.steady())
        this.#start(member)
    }
    this.#engine.flush()
  }

  /** One that was stopped by hand returns when it gets work: its earlier work is dead. */
  #isWanted(agent: string): boolean {
    const { stopped, open } = this.#engine.state
    return !stopped.has(agent) || [...open.values()].some(({ to }) => to === agent)
  }

  #start(member: Member): void {
    const { workplace } = this.#engine
    const { places, config, driver } = workplace
    const run = `service-${member.name}.${Math.round(workplace.clock.steady() * 1000)}-${process.pid}`
    const place = {
      name: config.name,
      uuid: config.uuid,
      path: places.root,
      structure: summarizeTree(this.#tree()),
      deploy: deployInfo(places),
    }
    const inbox = this.inboxOf(run)
    mkdirSync(join(places.runs, run), { recursive: true })
    appendFileSync(inbox, '')
    const environment = {
      ...memberEnvironment(this.#engine, run, { to: member.name, id: '', attempt: 0 }),
      TROUPE_INBOX: inbox,
    }
    const prompt = `${systemPrompt(member, place)}\nYou run all the time. Work arrives as JSON lines in the file that TROUPE_INBOX names.\n`
    const { lease } = this.#engine
    const command = member.command ?? []
    driver.start({ run, agent: member.name, command, cwd: places.root, prompt, environment, lease })
    this.#take(member.name, run)
  }

  inboxOf(run: string): string {
    return join(this.#engine.workplace.places.runs, run, 'inbox.jsonl')
  }

  /** Once: work already in its inbox is not added again. */
  deliver(agent: string, handoff: Handoff, prompt: string): void {
    const up = this.#up.get(agent)
    const { id, from, text } = handoff
    const run = runName(handoff)
    if (up === undefined || up.delivered.has(run)) return
    deliverTo(this.inboxOf(up.run), id, run, { from, text, prompt })
    up.delivered.add(run)
  }

  #look(agent: string, up: RunningService): void {
    const { workplace, state, at } = this.#engine
    const { driver } = workplace
    const events = driver.events(up.run)
    const isGoing = events.ended === null && driver.resume(up.run, events.claimed)
    const known = state.services.get(agent)
    if (events.claimed !== null && known?.run !== up.run)
      this.#engine.stage({ t: 'up', agent, run: up.run, at, ...events.claimed })
    const found = up.output.more(!isGoing)
    if (found.length > 0) this.#engine.stage({ t: 'heard', run: up.run, to: up.output.place })
    for (const { event, at: place } of found) {
      if (event.type !== 'message' && event.type !== 'handoff') continue
      const { type: _type, ...message } = event
      acceptMessage(this.#engine, { ...message, from: agent, id: derivedId(up.run, place) })
    }
    if (isGoing) return
    const complaint = driver.complaint(up.run)
    const how = events.ended === null ? 'it was killed' : `it ended with exit code ${events.ended}`
    if (workplace.clock.steady() - up.since > STABLE_AFTER) this.#failures.delete(agent)
    this.#down(agent, up.run, complaint === '' ? how : `${how}: ${complaint}`)
    driver.close(up.run, false)
  }

  /** On the disk, with its earlier messages, before it has any effect. */
  #down(agent: string, run: string, why: string | null): void {
    this.#engine.stage({ t: 'down', agent, run, at: this.#engine.at, why })
    this.#engine.flush()
    const failures = (this.#failures.get(agent) ?? 0) + 1
    this.#failures.set(agent, failures)
    this.#up.delete(agent)
    this.#adopted.delete(agent)
    this.#due.set(agent, this.#engine.workplace.clock.steady() + backoffAfter(failures, this.#engine.workplace.rules))
  }

  stop(agent: string): void {
    const up = this.#up.get(agent)
    if (up === undefined) return
    this.#engine.stage({ t: 'down', agent, run: up.run, at: this.#engine.at, why: null })
    this.#engine.flush()
    this.#up.delete(agent)
    this.#engine.workplace.driver.close(up.run, false)
  }

  stopAll(): void {
    for (const agent of [...this.#up.keys()]) this.stop(agent)
  }
}

/** Waits if its program is not up. */
export function deliver(runs: ActiveRuns, handoff: Handoff, member: Member): void {
  const { engine, around } = runs
  const { at } = engine
  const process = around.serviceOf(member.name)
  if (process === null) return
  const { id, attempt } = handoff
  const since = Math.round(engine.workplace.clock.steady())
  engine.stage(
    { t: 'claimed', id, attempt, run: runName(handoff), at, since, ...process },
    { t: 'started', id, attempt, at, ...process },
  )
  engine.flush()
  deliverTask(runs, runs.take(handoff), handoff)
}

/** Also after a crash, or a full disk, between the claim and this. */
function deliverTask({ engine, around }: ActiveRuns, active: ActiveRun, handoff: Handoff): void {
  if (active.isDelivered || around.serviceOf(active.agent) === null) return
  try {
    around.deliver(active.agent, handoff, handoffTask(engine, handoff, { git: null, about: null }))
    active.isDelivered = true
  } catch (error) {
    if (isDiskFull(error)) throw error
    // An inbox damaged by its program fails only its own handoff.
    active.ending = `its inbox could not be written: ${(error as Error).message}`
  }
}

export function followDelivered(runs: ActiveRuns, active: ActiveRun, handoff: Handoff): void {
  const { engine, around } = runs
  const { workplace, at } = engine
  const { id, attempt, report, replies } = handoff
  deliverTask(runs, active, handoff)
  const ms = runs.elapsed(active)
  const answer = report?.status === 'completed' ? report.text : replies.at(-1)
  const limit = workplace.roster.get(active.agent)?.minutes ?? 0
  if (answer !== undefined) {
    if (replies.length === 0) stageAnswer(engine, handoff, answer)
    engine.stage({ t: 'completed', id, attempt, at, ms, answer })
    engine.flush()
    runs.forget(active)
    around.wake()
  } else if (report?.status === 'error') failRun(runs, active, handoff, report.text, 'permanent')
  else if (active.ending !== null) failRun(runs, active, handoff, active.ending, 'counts')
  else if (around.serviceOf(active.agent) === null)
    failRun(runs, active, handoff, 'its program ended before it answered', 'counts')
  else if (ms > limit * 60_000) failRun(runs, active, handoff, `it did not answer within ${limit} minutes`, 'counts')
}

/** How much of the end is read after a crash: more than the last delivery (bytes). */
const TAIL = 4 * 1024 * 1024

/** How the line of a run begins. */
const beginning = /^\{"handoff":"[^"]*","run":"([^"]*)",/

/** The runs at the end of the file; a line cut off by a full disk does not count. */
function deliveredIn(path: string): Set<string> {
  try {
    const file = openRegularFile(path)
    try {
      const { size } = fstatSync(file)
      const start = Math.max(0, size - TAIL)
      const lines = readAt(file, start, size - start)
        .toString('utf8')
        .split('\n')
      const runs = lines.map((line) => (line.endsWith('}') ? beginning.exec(line)?.[1] : undefined))
      return new Set(runs.filter((run) => run !== undefined))
    } finally {
      closeSync(file)
    }
  } catch {
    // Its program may have removed or replaced it.
    return new Set()
  }
}

/** A line that was cut off is repeated, below its partial copy. */
function deliverTo(path: string, id: string, run: string, rest: object): void {
  const file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new FileRefused('no-file', 'it is not a regular file')
    const isTorn = stat.size > 0 && readAt(file, stat.size - 1, 1)[0] !== 10
    const bytes = Buffer.from(`${isTorn ? '\n' : ''}${JSON.stringify({ handoff: id, run, ...rest })}\n`)
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
  } finally {
    closeSync(file)
  }
}
