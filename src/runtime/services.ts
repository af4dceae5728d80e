/** Persistent members: their programs run all the time, come back with growing patience, and get their work in a file. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Handoff } from '../workplace/handoff.ts'
import { KERNEL } from '../workplace/names.ts'
import { systemPrompt } from '../workplace/prompt.ts'
import { backoffAfter, type Member } from '../workplace/roster.ts'
import { summarise, type TreeEntry } from '../workplace/structure.ts'
import { deployText } from './deploy-folder.ts'
import type { Engine } from './engine.ts'
import { accept, derivedId } from './ingest.ts'
import { OutputReader } from './output-reader.ts'
import { isRunning } from './processes.ts'
import { environmentFor } from './runs/environment.ts'
import { runName } from './runs/name.ts'
import { deliveredIn, deliverTo } from './service-inbox.ts'

interface Up {
  readonly run: string
  readonly since: number
  readonly output: OutputReader
  /** The runs that are in its inbox. */
  readonly delivered: Set<string>
}

/** A program that ran so long was fine: the next end counts as the first (ms). */
const FINE = 60_000

export class Services {
  readonly #engine: Engine
  readonly #tree: () => readonly TreeEntry[]
  readonly #up = new Map<string, Up>()
  readonly #due = new Map<string, number>()
  readonly #failures = new Map<string, number>()
  /** Their programs ran before this process did. */
  readonly #adopted = new Set<string>()

  constructor(engine: Engine, tree: () => readonly TreeEntry[]) {
    this.#engine = engine
    this.#tree = tree
    engine.whenRolledBack(() => {
      for (const { output } of this.#up.values()) output.readAgain()
    })
  }

  #members(): Member[] {
    const { roster } = this.#engine.setting
    return [...roster.values()].filter(
      ({ persistent, name, command }) => persistent && name !== KERNEL && command !== null,
    )
  }

  get size(): number {
    return this.#members().filter(({ name }) => this.#isWanted(name)).length
  }

  /** Whose programs are up. */
  get up(): readonly string[] {
    return [...this.#up.keys()]
  }

  /** Whether any of them ran before this process did. */
  get isAnyAdopted(): boolean {
    return this.#adopted.size > 0
  }

  processOf(agent: string): { readonly pid: number; readonly start: string } | null {
    const { process } = this.#engine.state.services.get(agent) ?? {}
    return process != null && this.#up.has(agent) ? process : null
  }

  /** After a crash: programs that still run are ours again. */
  adopt(): void {
    for (const { agent, run, process } of this.#engine.state.services.values()) {
      if (run === null || process === null) continue
      if (isRunning(process)) {
        this.#take(agent, run, deliveredIn(this.inboxOf(run)))
        // Whoever was told to stop it came no further.
        if (this.#engine.state.stopped.has(agent)) this.stop(agent)
        else this.#adopted.add(agent)
      } else this.#down(agent, run, 'it had ended when the workplace came back')
    }
  }

  #take(agent: string, run: string, delivered = new Set<string>()): void {
    const { driver, clock } = this.#engine.setting
    const output = new OutputReader(driver, run, () => this.#engine.state.heard.get(run) ?? 0)
    this.#up.set(agent, { run, since: clock.steady(), output, delivered })
  }

  /** Starts what should run and does not, and listens to what runs. */
  progress(): void {
    const { setting } = this.#engine
    for (const member of this.#members()) {
      const up = this.#up.get(member.name)
      if (up !== undefined) this.#look(member.name, up)
      else if (this.#isWanted(member.name) && (this.#due.get(member.name) ?? 0) <= setting.clock.steady())
        this.#start(member)
    }
    this.#engine.flush()
  }

  /** One that was stopped by hand comes back when it is given work: what it had before that is dead. */
  #isWanted(agent: string): boolean {
    const { stopped, open } = this.#engine.state
    return !stopped.has(agent) || [...open.values()].some(({ to }) => to === agent)
  }

  #start(member: Member): void {
    const { setting } = this.#engine
    const { places, config, driver } = setting
    const run = `service-${member.name}.${Math.round(setting.clock.steady() * 1000)}-${process.pid}`
    const place = {
      name: config.name,
      uuid: config.uuid,
      path: places.root,
      structure: summarise(this.#tree()),
      deploy: deployText(places),
    }
    const inbox = this.inboxOf(run)
    mkdirSync(join(places.runs, run), { recursive: true })
    appendFileSync(inbox, '')
    const environment = {
      ...environmentFor(this.#engine, run, { to: member.name, id: '', attempt: 0 }),
      TROUPE_INBOX: inbox,
    }
    const prompt = `${systemPrompt(member, place)}\nYou run all the time. Work comes as lines of JSON in the file that TROUPE_INBOX names.\n`
    const { lease } = this.#engine
    const command = member.command ?? []
    driver.start({ run, agent: member.name, command, cwd: places.root, prompt, environment, lease })
    this.#take(member.name, run)
  }

  inboxOf(run: string): string {
    return join(this.#engine.setting.places.runs, run, 'inbox.jsonl')
  }

  /** Once: what is in its inbox already is not put there again. */
  deliver(agent: string, handoff: Handoff, prompt: string): void {
    const up = this.#up.get(agent)
    const { id, from, text } = handoff
    const run = runName(handoff)
    if (up === undefined || up.delivered.has(run)) return
    deliverTo(this.inboxOf(up.run), id, run, { from, text, prompt })
    up.delivered.add(run)
  }

  #look(agent: string, up: Up): void {
    const { setting, state, at } = this.#engine
    const { driver } = setting
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
      accept(this.#engine, { ...message, from: agent, id: derivedId(up.run, place) })
    }
    if (isGoing) return
    const complaint = driver.complaint(up.run)
    const how = events.ended === null ? 'it was killed' : `it ended with exit code ${events.ended}`
    if (setting.clock.steady() - up.since > FINE) this.#failures.delete(agent)
    this.#down(agent, up.run, complaint === '' ? how : `${how}: ${complaint}`)
    driver.close(up.run, false)
  }

  /** On the disk, with all that it said before, when anything comes of it. */
  #down(agent: string, run: string, why: string | null): void {
    this.#engine.stage({ t: 'down', agent, run, at: this.#engine.at, why })
    this.#engine.flush()
    const failures = (this.#failures.get(agent) ?? 0) + 1
    this.#failures.set(agent, failures)
    this.#up.delete(agent)
    this.#adopted.delete(agent)
    this.#due.set(agent, this.#engine.setting.clock.steady() + backoffAfter(failures, this.#engine.setting.rules))
  }

  stop(agent: string): void {
    const up = this.#up.get(agent)
    if (up === undefined) return
    this.#engine.stage({ t: 'down', agent, run: up.run, at: this.#engine.at, why: null })
    this.#engine.flush()
    this.#up.delete(agent)
    this.#engine.setting.driver.close(up.run, false)
  }

  stopAll(): void {
    for (const agent of [...this.#up.keys()]) this.stop(agent)
  }
}
