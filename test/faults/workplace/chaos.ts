/** Hundreds of handoffs, and everything that can go wrong meanwhile. */
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drop } from '../../../src/runtime/inbox.ts'
import { account, type Figures } from './account.ts'
import { chanceOf } from './chance.ts'
import { makeUp, mischief } from './mischief.ts'
import { count, keepTwoRunning, pause, processesIn, type Scene, startOrchestrator, stateOf } from './scene.ts'
import { makeWorkplace, members } from './stage.ts'

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
