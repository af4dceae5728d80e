/** Hundreds of handoffs, and everything that can go wrong meanwhile. */
import { copyFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killProcesses } from '../../../src/disk/processes.ts'
import { account, type Figures } from './account.ts'
import { chanceOf } from './chance.ts'
import { archivesOf } from './chat-tricks.ts'
import { makeUp, mischief } from './mischief.ts'
import { sendHeld } from './person.ts'
import { count, keepTwoRunning, pause, processesIn, type Scene, startOrchestrator, stateOf } from './scene.ts'
import { send } from './sending.ts'
import { makeWorkplace, mountDisks } from './stage.ts'

export interface Play {
  readonly root: string
  /** A folder on another disk. */
  readonly ledger: string
  readonly cli: string
  readonly seed: number
  readonly messages: number
  /** The root is a disk of its own, and others can be mounted. */
  readonly hasDisks: boolean
}

export async function playChaos({ root, ledger, cli, seed, messages, hasDisks }: Play): Promise<Figures> {
  if (hasDisks) mountDisks(root)
  const places = makeWorkplace(root, ledger)
  const clock = join(root, 'clock')
  writeFileSync(clock, '0')
  writeFileSync(join(root, 'clock.cjs'), clockThatJumps)
  const scene: Scene = {
    places,
    ledger,
    cli,
    chance: chanceOf(seed),
    clock,
    hasDisks,
    orchestrators: [null, null],
    faults: {},
    story: [],
    sent: [],
    stopped: [],
  }
  const began = performance.now()
  try {
    await play(scene, messages)
    return account(scene, seed, messages, (performance.now() - began) / 1000)
  } finally {
    for (const child of scene.orchestrators) child?.kill('SIGKILL')
    killProcesses(processesIn(root, ledger).map(Number))
  }
}

async function play(scene: Scene, messages: number): Promise<void> {
  for (let number = 0; number < messages; number++) {
    keepTwoRunning(scene)
    send(scene)
    if (number % 4 === 3) await pause(scene.chance.below(60))
    if (number % 5 === 4) await mischief(scene)
  }
  await makeUp(scene)
  writeFileSync(scene.clock, '0')
  await Promise.all(scene.stopped)
  for (const child of scene.orchestrators) child?.kill('SIGKILL')
  await settle(scene)
  if (sendHeld(scene)) await settle(scene)
  await putHistoryBack(scene)
}

/** Read by every orchestrator when it asks for the time: hours and days forwards and back, in the middle of the work. */
const clockThatJumps = `
const { readFileSync } = require('node:fs')
const real = Date.now
Date.now = () => { try { return real() + Number(readFileSync(process.env.CLOCK, 'utf8')) } catch { return real() } }
`

/** No more faults: whoever runs it brings it to its end. */
async function settle(scene: Scene): Promise<void> {
  for (let round = 0; round < 30; round++) {
    const child = startOrchestrator(scene, [])
    const limit = setTimeout(() => child.kill('SIGKILL'), 100_000)
    await new Promise((resolve) => child.on('exit', resolve))
    clearTimeout(limit)
    const { open, outbox } = stateOf(scene.places)
    if (open.size === 0 && outbox.size === 0 && readdirSync(scene.places.inbox).length === 0) return
  }
}

/** When all is done, what was read long ago is chat.md once more: nothing of it may run. */
async function putHistoryBack(scene: Scene): Promise<void> {
  const { places } = scene
  const draft = join(places.folder, '.saved')
  for (const archive of archivesOf(scene).slice(0, 2)) {
    copyFileSync(archive, draft)
    renameSync(draft, places.chat)
    count(scene, 'times old history was put back as chat.md')
    await settle(scene)
  }
}
