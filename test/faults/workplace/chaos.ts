/** Hundreds of handoffs, and everything that can go wrong meanwhile; then the account of what became of each. */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { drop } from '../../../src/runtime/inbox.ts'
import { readJournal } from '../../../src/runtime/journal-file.ts'
import type { Places } from '../../../src/runtime/places.ts'
import { readClaim } from '../../../src/runtime/wrapper.ts'
import { fold, type State } from '../../../src/workplace/state.ts'
import { type Chance, chanceOf } from './chance.ts'
import { makeWorkplace, members } from './stage.ts'

export interface Figures {
  readonly seed: number
  readonly seconds: number
  readonly handoffs: number
  readonly completed: number
  readonly dead: number
  /** Reasons of dead letters, and how many have each. */
  readonly reasons: Readonly<Record<string, number>>
  readonly lost: readonly string[]
  /** More than one handoff for one message. */
  readonly doubled: readonly string[]
  /** Handoffs with more than one completion in the journal. */
  readonly completedTwice: readonly string[]
  readonly undecided: readonly string[]
  /** Attempts whose program was started more than once. */
  readonly startedTwice: readonly string[]
  readonly programs: number
  readonly retries: number
  readonly refused: number
  readonly orphans: readonly string[]
  readonly leftovers: readonly string[]
  readonly broken: readonly string[]
  readonly faults: Readonly<Record<string, number>>
}

interface Scene {
  readonly places: Places
  readonly cli: string
  readonly chance: Chance
  readonly clock: string
  readonly orchestrators: (ChildProcess | null)[]
  readonly faults: Record<string, number>
  /** Text of a message, to be found in the journal exactly once. */
  readonly sent: string[]
}

/** How long faults are waited for that chance has left out (ms); the whole play takes less than a minute. */
const PATIENCE = 90_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** `isSmall`: the root is a disk of its own that can be filled. */
export async function playChaos(
  root: string,
  cli: string,
  seed: number,
  count: number,
  isSmall: boolean,
): Promise<Figures> {
  const places = makeWorkplace(root)
  const clock = join(root, 'clock')
  writeFileSync(clock, '0')
  writeFileSync(join(root, 'clock.cjs'), clockThatJumps)
  const scene: Scene = { places, cli, chance: chanceOf(seed), clock, orchestrators: [null, null], faults: {}, sent: [] }
  try {
    return await play(scene, seed, count, isSmall)
  } finally {
    for (const child of scene.orchestrators) child?.kill('SIGKILL')
    for (const pid of processesIn(root)) process.kill(Number(pid), 'SIGKILL')
  }
}

async function play(scene: Scene, seed: number, count: number, isSmall: boolean): Promise<Figures> {
  const { clock } = scene
  const began = performance.now()
  let last = 0
  for (let number = 0; number < count; number++) {
    keepTwoRunning(scene)
    send(scene, number)
    if (number % 4 === 3) await pause(scene.chance.below(60))
    if (number - last >= 5) {
      last = number
      await mischief(scene, isSmall)
    }
  }
  await makeUp(scene, isSmall)
  writeFileSync(clock, '0')
  await settle(scene)
  return account(scene, seed, (performance.now() - began) / 1000)
}

/** Read by every orchestrator when it asks for the time: hours and days forwards and back, in the middle of the work. */
const clockThatJumps = `
const { readFileSync } = require('node:fs')
const real = Date.now
Date.now = () => { try { return real() + Number(readFileSync(process.env.CLOCK, 'utf8')) } catch { return real() } }
`

/** Two of them, as if somebody had started it twice by mistake; the second one waits for the first one's end. */
function keepTwoRunning(scene: Scene): void {
  for (const [at, child] of scene.orchestrators.entries()) {
    if (child !== null && child.exitCode === null && child.signalCode === null) continue
    scene.orchestrators[at] = startOrchestrator(scene, ['--stay'])
  }
}

function startOrchestrator({ places, cli, clock }: Scene, words: readonly string[]): ChildProcess {
  const env = { ...process.env, CLOCK: clock, NODE_OPTIONS: `--require ${join(places.root, 'clock.cjs')}` }
  const out = join(places.root, 'orchestrator.out')
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      'exec "$@" >> "$0" 2>&1',
      out,
      process.execPath,
      cli,
      '-C',
      places.root,
      'work',
      'resume',
      '--quiet',
      ...words,
    ],
    { env, stdio: 'ignore' },
  )
  return child
}

function count(scene: Scene, what: string): void {
  scene.faults[what] = (scene.faults[what] ?? 0) + 1
}

/** Through the chat or the inbox; some lines in two halves. */
function send(scene: Scene, number: number): void {
  const { chance, places } = scene
  const to = chance.pick(members)
  const end = chance.next() < 0.8 ? 'fine' : chance.pick(['fail', 'die', 'hang', 'flood', 'hopeless', 'escape'])
  const next = chance.next() < 0.2 ? ` next=${chance.pick(members.filter((one) => one !== to))}:${number}b` : ''
  const after = chance.next() < 0.3 ? ' after=0.1' : ''
  const text = `task ${number} sleep=${chance.pick(['0', '0', '0.02', '0.1'])} end=${end}${next}${after}`
  const observers = chance.next() < 0.1 ? ' @ [developer]' : ''
  scene.sent.push(text)
  if (next !== '') scene.sent.push(`task ${number}b sleep=0 end=fine`)
  if (chance.next() < 0.4) {
    try {
      drop(places, { kind: 'message', from: 'user', to, observers: [], text, run: null, worktree: false })
    } catch (error) {
      throw new Error(`the message ${number} could not be kept: ${(error as Error).message}`)
    }
    return
  }
  const line = `[user-to-${to}]${observers}: ${text}\n`
  if (chance.next() < 0.15) sendInHalves(scene, line, 1 + chance.below(line.length - 1), chance.below(12))
  else appendFileSync(places.chat, line)
}

/**
 * Half a line now, the rest in a moment. Nobody can keep two halves together against somebody who writes at the very same
 * instant, so they begin when no orchestrator is about to: then it must see the half line, and wait.
 */
function sendInHalves(scene: Scene, line: string, half: number, ms: number): void {
  const { places, orchestrators } = scene
  const waitUntil = (time: number) => {
    while (performance.now() < time);
  }
  let isQuiet = false
  for (let tries = 0; tries < 30 && !isQuiet; tries++) {
    for (const child of orchestrators) child?.kill('SIGSTOP')
    isQuiet = stateOf(places).outbox.size === 0
    if (isQuiet) appendFileSync(places.chat, line.slice(0, half))
    for (const child of orchestrators) child?.kill('SIGCONT')
    waitUntil(performance.now() + (isQuiet ? ms : 5))
  }
  appendFileSync(places.chat, isQuiet ? line.slice(half) : line)
  if (isQuiet) count(scene, 'lines written in two halves')
}

interface Trick {
  readonly weight: number
  /** What is counted when it has worked; null: that depends. */
  readonly fault: string | null
  readonly play: (scene: Scene) => void | Promise<void>
}

const tricksFor = (isSmall: boolean): readonly Trick[] => [
  { weight: 22, fault: 'kill -9 of an orchestrator', play: killOrchestrator },
  { weight: 30, fault: null, play: killMember },
  { weight: 8, fault: 'rotations of chat.md', play: rotate },
  { weight: 6, fault: 'truncations of chat.md', play: cutShort },
  { weight: 8, fault: 'jumps of the clock', play: turnClock },
  { weight: 4, fault: 'lines of rubbish', play: noise },
  { weight: 3, fault: 'results that came too late', play: lateResult },
  { weight: 2, fault: 'kill -9 of an orchestrator', play: bothOrchestrators },
  ...(isSmall ? [{ weight: 4, fault: 'times the disk was full', play: fillDisk }] : []),
]

async function mischief(scene: Scene, isSmall: boolean): Promise<void> {
  const tricks = tricksFor(isSmall)
  const all = tricks.reduce((sum, { weight }) => sum + weight, 0)
  let at = scene.chance.next() * all
  for (const { weight, play } of tricks) {
    at -= weight
    if (at < 0) {
      await play(scene)
      return
    }
  }
}

async function killOrchestrator(scene: Scene): Promise<void> {
  await pause(scene.chance.below(150))
  const child = scene.chance.pick(scene.orchestrators)
  if (child?.kill('SIGKILL')) count(scene, 'kill -9 of an orchestrator')
}

function bothOrchestrators(scene: Scene): void {
  for (const child of scene.orchestrators) if (child?.kill('SIGKILL')) count(scene, 'kill -9 of an orchestrator')
}

const phases = ['before its work', 'at work', 'after its work'] as const
type Phase = (typeof phases)[number]

/** The wrapper, the program or the whole group, in the phase that chance wants, as far as one can be found in it. */
async function killMember(scene: Scene): Promise<void> {
  const wanted = scene.chance.pick(phases)
  const who = scene.chance.below(3)
  if (!(await killOneIn(scene, [wanted], who, 50))) await killOneIn(scene, phases, who, 10)
}

/** Looks that many times, and says whether it has found one; `who`: its wrapper, its program, its group. */
async function killOneIn(scene: Scene, wanted: readonly Phase[], who: number, looks: number): Promise<boolean> {
  const { places } = scene
  for (let look = 0; look < looks; look++) {
    for (const run of readdirSync(places.claims)) {
      const { claimed, started, ended } = readClaim(readQuietly(join(places.claims, run)), run)
      const target = [claimed?.pid, started?.pid, claimed === null ? undefined : -claimed.pid][who]
      if (target === undefined || ended !== null) continue
      const phase = phaseOf(places, run)
      if (!wanted.includes(phase)) continue
      try {
        process.kill(target, 'SIGKILL')
        count(scene, `kill -9 of a member ${phase}`)
      } catch {
        // It was faster.
      }
      return true
    }
    await pause(2)
  }
  return false
}

/** A run that leaves a fault out proves nothing about it: what chance has not brought about is done until it has happened. */
async function makeUp(scene: Scene, isSmall: boolean): Promise<void> {
  const limit = performance.now() + PATIENCE
  const isMissing = (fault: string) => scene.faults[fault] === undefined && performance.now() < limit
  for (const phase of phases) {
    while (isMissing(`kill -9 of a member ${phase}`)) {
      keepTwoRunning(scene)
      for (const member of members) sendForPhase(scene, member, phase)
      await killOneIn(scene, [phase], scene.chance.below(3), 1000)
    }
  }
  for (const { fault, play } of tricksFor(isSmall)) {
    while (fault !== null && isMissing(fault)) {
      keepTwoRunning(scene)
      await play(scene)
      await pause(20)
    }
  }
}

/** Work that stays where it is to be met, for nearly as long as a member may take. */
function sendForPhase({ places, sent }: Scene, member: string, phase: Phase): void {
  const text = `task ${sent.length}x sleep=${phase === 'at work' ? 2 : 0} end=fine after=${phase === 'after its work' ? 2 : 0}`
  sent.push(text)
  appendFileSync(places.chat, `[user-to-${member}]: ${text}\n`)
}

function phaseOf({ root }: Places, run: string): Phase {
  if (existsSync(join(root, 'done', run))) return 'after its work'
  return readdirSync(join(root, 'marks')).some((mark) => mark.startsWith(`${run}.`)) ? 'at work' : 'before its work'
}

/** The file gets another name, with whatever nobody has read yet; the next writer begins a new one. */
function rotate(scene: Scene): void {
  const { places } = scene
  if (!existsSync(places.chat)) return
  renameSync(places.chat, join(places.folder, `chat.${scene.faults['rotations of chat.md'] ?? 0}.md`))
  writeFileSync(places.chat, '', { flag: 'a' })
  count(scene, 'rotations of chat.md')
}

/** Cut to nothing when all of it was read; what nobody has read nobody can bring back. */
async function cutShort(scene: Scene): Promise<void> {
  const { places } = scene
  for (let tries = 0; tries < 60; tries++) {
    keepTwoRunning(scene)
    const { cursor } = stateOf(places)
    const stat = statSync(places.chat, { throwIfNoEntry: false })
    if (
      cursor !== null &&
      stat !== undefined &&
      cursor.inode === stat.ino &&
      cursor.offset === stat.size &&
      stat.size > 0
    ) {
      truncateSync(places.chat, 0)
      count(scene, 'truncations of chat.md')
      return
    }
    await pause(20)
  }
}

function turnClock(scene: Scene): void {
  const day = 86_400_000
  writeFileSync(scene.clock, String(scene.chance.pick([-400 * day, -day, -3600_000, 0, 3600_000, day, 4000 * day])))
  count(scene, 'jumps of the clock')
}

/** Lines that are none, and lines that pretend. */
function noise(scene: Scene): void {
  const lines = [
    '[user-to-ada task',
    '[ada-to-ben-to-path-to-prod]: x',
    '\u001b[2J\u0000\u0007',
    '# a title',
    '[user-to-nobody]: are you there?',
  ]
  appendFileSync(scene.places.chat, `${scene.chance.pick(lines)}\n`)
  count(scene, 'lines of rubbish')
}

/** A run that was given up long ago comes back with a result. */
function lateResult(scene: Scene): void {
  const { handoffs } = stateOf(scene.places)
  const over = [...handoffs.values()].filter(({ status }) => status === 'completed' || status === 'dead')
  if (over.length === 0) return
  const { id } = scene.chance.pick(over)
  drop(scene.places, { kind: 'report', run: `${id}.1`, status: 'completed', text: 'I have it, at last', files: [] })
  count(scene, 'results that came too late')
}

/** Not a byte is free for a while. */
async function fillDisk(scene: Scene): Promise<void> {
  const filler = join(scene.places.root, 'filler')
  try {
    for (const size of [1 << 20, 1 << 14, 1 << 9]) {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(size))
      } catch {
        // Full, but for what is smaller than that.
      }
    }
    count(scene, 'times the disk was full')
    await pause(600 + scene.chance.below(600))
    if (scene.chance.next() < 0.5) await killOrchestrator(scene)
  } finally {
    rmSync(filler, { force: true })
  }
}

/** No more faults: whoever runs it brings it to its end. */
async function settle(scene: Scene): Promise<void> {
  for (const child of scene.orchestrators) child?.kill('SIGKILL')
  for (let round = 0; round < 30; round++) {
    const child = startOrchestrator(scene, [])
    const limit = setTimeout(() => child.kill('SIGKILL'), 100_000)
    await new Promise((resolve) => child.on('exit', resolve))
    clearTimeout(limit)
    const { open, outbox } = stateOf(scene.places)
    if (open.size === 0 && outbox.size === 0 && readdirSync(scene.places.inbox).length === 0) return
  }
}

function stateOf({ journal }: Places): State {
  return fold(readJournal(journal).records)
}

function account(scene: Scene, seed: number, seconds: number): Figures {
  const { places, sent, faults } = scene
  const { records } = readJournal(places.journal)
  const state = fold(records)
  const handoffs = [...state.handoffs.values()]
  const texts = handoffs.map(({ text }) => text)
  const completions = new Map<string, number>()
  for (const record of records)
    if (record.t === 'completed') completions.set(record.id, (completions.get(record.id) ?? 0) + 1)
  const dead = handoffs.filter(({ status }) => status === 'dead')
  const marks = readdirSync(join(places.root, 'marks')).map((name) => name.replace(/\.\d+$/, ''))
  const reasons: Record<string, number> = {}
  for (const { why } of dead) {
    const reason = (why ?? '').replace(/"[^"]*"/g, '"..."')
    reasons[reason] = (reasons[reason] ?? 0) + 1
  }
  return {
    seed,
    seconds: Math.round(seconds),
    handoffs: handoffs.length,
    completed: handoffs.filter(({ status }) => status === 'completed').length,
    dead: dead.length,
    reasons,
    lost: sent.filter((text) => !texts.includes(text) && !isExcused(text, sent, handoffs)),
    doubled: texts.filter((text, index) => text.startsWith('task') && texts.indexOf(text) !== index),
    completedTwice: [...completions].filter(([, times]) => times > 1).map(([id]) => id),
    undecided: handoffs
      .filter(({ status, why }) => status !== 'completed' && !(status === 'dead' && why))
      .map(({ text }) => text),
    startedTwice: marks.filter((mark, index) => marks.indexOf(mark) !== index),
    programs: marks.length,
    retries: records.filter(({ t }) => t === 'failed').length,
    refused: state.refused,
    orphans: processesIn(places.root),
    leftovers: leftoversIn(places, state),
    broken: readQuietly(join(places.root, 'orchestrator.out'))
      .split('\n')
      .filter((line) => /should not have happened|Error/.test(line)),
    faults,
  }
}

/** What a member was to send when it could not do its work was never sent. */
function isExcused(
  text: string,
  sent: readonly string[],
  handoffs: readonly { text: string; status: string }[],
): boolean {
  const number = /^task (\d+)b /.exec(text)?.[1]
  if (number === undefined) return false
  const parent = sent.find((one) => one.startsWith(`task ${number} `))
  return handoffs.find((one) => one.text === parent)?.status === 'dead'
}

/** Programs of members that still run, wherever they went. */
export function processesIn(root: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readQuietly(`/proc/${pid}/environ`).includes(`TROUPE_WORKPLACE=${root}\0`))
}

/** Only what was kept of dead letters may be left. */
function leftoversIn({ claims, runs, inbox, folder, run }: Places, { handoffs }: State): string[] {
  const kept = readdirSync(runs).filter((name) => handoffs.get(name.split('.')[0] ?? '')?.status !== 'dead')
  const drafts = [...readdirSync(folder), ...readdirSync(run)].filter((name) => /draft|^lock|owner/.test(name))
  return [...readdirSync(claims), ...kept, ...readdirSync(inbox), ...drafts]
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
