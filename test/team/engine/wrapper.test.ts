/** The child between the workplace and a program: one claim, all that was printed up to a limit, and how it ended. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRunning, killProcesses, processStart, signalGroup } from '../../../src/disk/processes.ts'
import { commandDriver } from '../../../src/team/engine/command-driver.ts'
import { processesOfRuns } from '../../../src/team/engine/run-processes.ts'
import { readClaim, startWrapper } from '../../../src/team/engine/wrapper.ts'

const MOST = 2 * 1024 * 1024
let root: string
let runs = 0
const started: string[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-wrapper-'))
  for (const name of ['claims', 'runs']) mkdirSync(join(root, name))
})
afterEach(() => {
  killProcesses(processesOfRuns(new Set(started.splice(0)), root))
  rmSync(root, { recursive: true, force: true })
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const claimOf = (run: string) => join(root, 'claims', run)
const fileOf = (run: string, name: string) => join(root, 'runs', run, name)
const claim = (run: string) => readClaim(existsSync(claimOf(run)) ? readFileSync(claimOf(run), 'utf8') : '', run)
const newRun = () => {
  const run = `test-${process.pid}-${runs++}`
  started.push(run)
  return run
}

async function until(what: () => boolean): Promise<void> {
  for (let waited = 0; !what(); waited += 5) {
    if (waited > 20_000) throw new Error(`waited in vain: ${what}`)
    await pause(5)
  }
}

/** Nobody but the wrapper itself looks after it. */
function start(line: string, { run = newRun(), prompt = 'work', self = '/proc/self', lease = root } = {}): string {
  const folder = join(root, 'runs', run)
  mkdirSync(folder, { recursive: true })
  if (prompt !== '') writeFileSync(join(folder, 'prompt.md'), prompt)
  const environment = { PATH: process.env.PATH ?? '', TROUPE_RUN: run }
  const command = ['/bin/sh', '-c', line]
  const order = { claim: claimOf(run), folder, most: MOST, command, cwd: root, lease, mark: '7', environment }
  startWrapper(order, self)
  return run
}

async function finished(line: string, self?: string): Promise<string> {
  const run = start(line, { self })
  await until(() => claim(run).closed !== null)
  return run
}

/** What the system tells a process about itself; nothing, as elsewhere than on Linux. */
const systems: readonly [string, string][] = [
  ['on Linux', '/proc/self'],
  ['elsewhere', '/nowhere'],
]

describe.each(systems)('a run %s', (_where, self) => {
  test('takes the claim, gets its prompt, and leaves its words and its code', async () => {
    const run = await finished('cat; echo trouble >&2; exit 7', self)
    expect(claim(run)).toMatchObject({ ended: 7, closed: 0 })
    expect(claim(run).claimed?.pid).not.toBe(claim(run).started?.pid)
    expect(readFileSync(fileOf(run, 'out'), 'utf8')).toBe('work')
    expect(readFileSync(fileOf(run, 'err'), 'utf8')).toBe('trouble\n')
    expect(readdirSync(join(root, 'runs', run)).sort()).toEqual(['err', 'out', 'prompt.md'])
  })

  test('begins with nothing open but its input and its outputs, and no signal out of use', async () => {
    const line = 'for fd in 0 1 2 3 4 5 6 7 8 9; do readlink /proc/$$/fd/$fd; done; grep SigIgn /proc/$$/status'
    const run = await finished(line, self)
    const [input, output, complaints, ...rest] = readFileSync(fileOf(run, 'out'), 'utf8').split('\n')
    expect(input).toBe(fileOf(run, 'prompt.md'))
    expect(output).not.toBe(complaints)
    expect(rest).toEqual(['SigIgn:\t0000000000000000', ''])
  })

  test.each([
    ['output', 'exec yes', 'out'],
    ['error output', 'exec yes >&2', 'err'],
  ])('that floods its %s finds it closed', async (_what, line, file) => {
    const run = await finished(line, self)
    expect(claim(run).ended).toBe(141)
    expect(statSync(fileOf(run, file)).size).toBe(MOST + 512)
  })
})

describe('a claim', () => {
  test('is taken once, however many try', async () => {
    const run = newRun()
    for (let tries = 0; tries < 12; tries++) start(`echo x >> ${root}/ran`, { run })
    await until(() => claim(run).closed !== null)
    await pause(200)
    expect(readFileSync(join(root, 'ran'), 'utf8')).toBe('x\n')
  })

  test('names who has it, and nobody else who has the number', async () => {
    const run = start('sleep 30')
    await until(() => claim(run).started !== null)
    const { claimed, started } = claim(run)
    for (const who of [claimed, started]) expect(who !== null && isRunning(who)).toBe(true)
    expect(claimed?.start).toBe(processStart(claimed?.pid ?? 0))
    signalGroup(claimed?.pid ?? 0, 'SIGKILL')
    await until(() => processesOfRuns(new Set([run]), root).length === 0)
    for (const who of [claim(run).claimed, claimed]) expect(who !== null && isRunning(who)).toBe(false)
    const another = readClaim(`claimed ${process.pid} run\n`, run).claimed
    expect(another !== null && isRunning(another)).toBe(false)
  })

  test('a child that comes after everything was cleared away does nothing, and leaves nothing', async () => {
    const run = start(`echo x > ${root}/ran`, { prompt: '' })
    await pause(100)
    await until(() => processesOfRuns(new Set([run]), root).length === 0)
    expect(existsSync(claimOf(run))).toBe(false)
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })

  test('a child of one who no longer runs the workplace does nothing, and leaves nothing', async () => {
    const run = start(`echo x > ${root}/ran`, { lease: join(root, 'lock.1') })
    await pause(100)
    await until(() => processesOfRuns(new Set([run]), root).length === 0)
    expect(existsSync(claimOf(run))).toBe(false)
    expect(existsSync(join(root, 'ran'))).toBe(false)
  })

  test('what it prints can be read at once', async () => {
    const run = start('echo first; sleep 30; echo second')
    await until(() => existsSync(fileOf(run, 'out')) && readFileSync(fileOf(run, 'out'), 'utf8') === 'first\n')
    expect(claim(run)).toMatchObject({ ended: null, closed: null })
  })

  // One that is asked at once has sometimes begun before those who look after what it prints.
  test('the last words of programs that are asked to end are kept', async () => {
    for (let tries = 0; tries < 60; tries++) {
      const run = start("trap 'echo saved; exit 3' TERM; echo ready; while :; do sleep 0.05; done")
      await until(() => existsSync(fileOf(run, 'out')) && readFileSync(fileOf(run, 'out'), 'utf8') === 'ready\n')
      signalGroup(claim(run).claimed?.pid ?? 0, 'SIGTERM')
      await until(() => processesOfRuns(new Set([run]), root).length === 0)
      expect(readFileSync(fileOf(run, 'out'), 'utf8')).toBe('ready\nsaved\n')
    }
  })

  test('a claim that was cleared away does not come back when the program ends', async () => {
    const run = start('sleep 0.3')
    await until(() => claim(run).started !== null)
    process.kill(claim(run).claimed?.pid ?? 0, 'SIGKILL')
    rmSync(claimOf(run))
    await until(() => processesOfRuns(new Set([run]), root).length === 0)
    expect(existsSync(claimOf(run))).toBe(false)
  })
})

describe('a program that floods, and nobody watches', () => {
  test.each([
    ['its output', 'exec yes', 'out', 141],
    ['its error output', 'exec yes >&2', 'err', 141],
    ['with one endless line', 'exec cat /dev/zero', 'out', 141],
  ])('%s', async (_what, line, file, code) => {
    const run = await finished(line)
    expect(claim(run).ended).toBe(code)
    expect(statSync(fileOf(run, file)).size).toBe(MOST + 512)
    if (file === 'out') expect(claim(run).closed).not.toBe(0)
  })

  test('although it takes no notice of a closed pipe', async () => {
    const run = start("trap '' PIPE; while :; do cat /etc/passwd; done 2> /dev/null")
    await until(() => existsSync(fileOf(run, 'out')) && statSync(fileOf(run, 'out')).size > MOST)
    await pause(300)
    expect(statSync(fileOf(run, 'out')).size).toBe(MOST + 512)
    expect(claim(run).ended).toBe(null)
    signalGroup(claim(run).claimed?.pid ?? 0, 'SIGKILL')
  })

  test('what a program writes for its work is not limited', async () => {
    const run = await finished(`head -c ${2 * MOST} /dev/zero > ${root}/work && echo fine`)
    expect(claim(run).ended).toBe(0)
    expect(statSync(join(root, 'work')).size).toBe(2 * MOST)
  })

  test('what is just within the limit is all there', async () => {
    const run = await finished(`head -c ${MOST} /dev/zero`)
    expect(claim(run).ended).toBe(0)
    expect(statSync(fileOf(run, 'out')).size).toBe(MOST)
  })
})

describe('the driver', () => {
  const order = (run: string, line: string) => ({
    run,
    agent: 'ada',
    command: ['/bin/sh', '-c', line],
    cwd: root,
    prompt: 'work',
    lease: root,
    environment: { PATH: process.env.PATH ?? '', TROUPE_RUN: run },
  })
  const open = () => commandDriver({ root, claims: join(root, 'claims'), runs: join(root, 'runs') }, MOST)

  test('a program that leaves others behind which hold its outputs has ended all the same', async () => {
    const driver = open()
    const run = newRun()
    driver.start(order(run, 'setsid sleep 60 & echo done; exit 4'))
    await until(() => driver.events(run).ended !== null)
    expect(driver.events(run).ended).toBe(4)
    expect(claim(run).closed).toBe(null)
    expect(driver.printed(run, 0).toString()).toBe('done\n')
    driver.close(run, false)
    driver.settle()
    await until(() => processesOfRuns(new Set([run]), root).length === 0)
  })

  const isLinux = process.platform === 'linux'
  /** Leaves its group, its session, its parent, its folder and its environment, and holds no file of the run. */
  const daemon = (file: string) =>
    `env -i setsid sh -c 'cd /; sleep 61 < /dev/null > /dev/null 2>&1 & echo $! > ${file}' < /dev/null > /dev/null 2>&1`

  test.runIf(isLinux)('what forks away and takes nothing along is ended with its run; others are not', async () => {
    const driver = open()
    const [run, other] = [newRun(), newRun()]
    const pids = new Map<string, number>()
    for (const one of [run, other]) {
      const file = join(root, `pid-${one}`)
      driver.start(order(one, `${daemon(file)}; echo done`))
      await until(() => driver.events(one).ended === 0)
      pids.set(one, Number(readFileSync(file, 'utf8')))
    }
    driver.close(run, false)
    driver.settle()
    await until(() => processStart(pids.get(run) ?? 0) === null)
    expect(processStart(pids.get(other) ?? 0)).not.toBe(null)
    driver.close(other, false)
    driver.settle()
    await until(() => processStart(pids.get(other) ?? 0) === null)
  })

  test.runIf(isLinux)('a run of the same name in another workplace is left alone', async () => {
    const run = newRun()
    const elsewhere = mkdtempSync(join(tmpdir(), 'troupe-wrapper-'))
    for (const name of ['claims', 'runs']) mkdirSync(join(elsewhere, name))
    const theirs = commandDriver(
      { root: elsewhere, claims: join(elsewhere, 'claims'), runs: join(elsewhere, 'runs') },
      MOST,
    )
    const { environment, ...rest } = order(run, `${daemon(join(elsewhere, 'pid'))}; exec sleep 62`)
    theirs.start({ ...rest, environment: { ...environment, TROUPE_WORKPLACE: elsewhere } })
    await until(() => theirs.events(run).started !== null && existsSync(join(elsewhere, 'pid')))
    expect(processesOfRuns(new Set([run]), root)).toEqual([])
    expect(processesOfRuns(new Set([run]), elsewhere).length).toBeGreaterThan(1)
    theirs.close(run, false)
    theirs.settle()
    await until(() => processesOfRuns(new Set([run]), elsewhere).length === 0)
    rmSync(elsewhere, { recursive: true, force: true })
  })

  test('a wrapper that was killed before it could say that all is there leaves a run in doubt, and nothing else', async () => {
    const driver = open()
    const run = newRun()
    driver.start(order(run, 'setsid sleep 60 & echo done; exit 0'))
    await until(() => claim(run).ended === 0)
    const wrapper = claim(run).claimed ?? { pid: 0, start: '' }
    process.kill(wrapper.pid, 'SIGKILL')
    await until(() => !isRunning(wrapper))
    const later = open()
    expect(later.events(run).ended).toBe(null)
    expect(later.resume(run, wrapper)).toBe(false)
    later.close(run, false)
    expect(existsSync(claimOf(run))).toBe(true)
    later.settle()
    await until(() => processesOfRuns(new Set([run]), root).length === 0)
    expect(existsSync(claimOf(run))).toBe(false)
  })
})
