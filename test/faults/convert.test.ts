/** The real program under faults: every output is absent, old or new as a whole, running again finishes, undo takes it back. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AGENTS,
  convertWords,
  installProgram,
  onOutput,
  type Prepared,
  prepareProject,
  running,
  type Snapshot,
  start,
  troupe,
} from './conversion.ts'
import { NOBODY } from './program.ts'
import { copyOf, leftovers, liesOfLock, newRoot, removeRoot, removeRoots, snapshot, undone } from './stage.ts'

let installed: ReturnType<typeof installProgram>
let cli: string
let prepared: Prepared

beforeAll(() => {
  installed = installProgram()
  cli = installed.cli
  prepared = prepareProject(cli)
})
afterAll(() => {
  installed.remove()
  removeRoots()
})

/** Whole, and nothing that is not an output: the lock too is the old one or the new one. */
function expectWhole(seen: Snapshot, { before, after }: Prepared, when: string, lock: 'old or new' | 'its own'): void {
  for (const [path, what] of Object.entries(seen)) {
    if (path !== 'troupe.lock' || lock === 'old or new') {
      expect([before[path], after[path]].includes(what), `${path} ${when}`).toBe(true)
    }
  }
  for (const path of Object.keys(before)) expect(Object.hasOwn(seen, path), `${path} ${when}`).toBe(true)
}

/** From a state on, both ways: back, and on to the end and then back. */
function expectMended(root: string, when: string): void {
  const { before, after } = prepared
  const other = copyOf(root)
  undone(root)
  expect(differences(snapshot(root), before), `undone ${when}`).toEqual([])
  expect(troupe(cli, other, ...convertWords).status, `again ${when}`).toBe(0)
  expect(differences(snapshot(other), after), `finished ${when}`).toEqual([])
  expect(liesOfLock(other)).toEqual([])
  expect(leftovers(other)).toEqual([])
  undone(other)
  expect(differences(snapshot(other), before), `finished and undone ${when}`).toEqual([])
  for (const one of [root, other]) removeRoot(one)
}

function differences(one: Snapshot, other: Snapshot): string[] {
  const paths = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...paths].filter((path) => one[path] !== other[path])
}

interface Document {
  readonly schema: number
  readonly results: readonly { name: string; status: string; diagnostics: { code: string; message: string }[] }[]
  readonly summary: Record<string, number>
  readonly diagnostics: readonly { code: string; message: string; path: string }[]
}

const outputsIn = (seen: Snapshot) => Object.keys(seen).filter((path) => path.startsWith('.opencode/agents/agent-'))

test('without a fault: all are written, and undo brings the tree back byte for byte', () => {
  const root = copyOf(prepared.root)
  const { status, stdout } = troupe(cli, root, ...convertWords)
  expect(status).toBe(0)
  expect((JSON.parse(stdout) as Document).summary).toMatchObject({ agents: AGENTS + 1, written: AGENTS + 1 })
  expect(outputsIn(snapshot(root))).toHaveLength(AGENTS)
  expect(prepared.after['opencode.json']).toContain('// Mine.\r\n  "theme": "dark", /* kept */')
  expect(differences(prepared.before, prepared.after).length).toBeGreaterThan(AGENTS)
  const { stdout: said } = troupe(cli, root, 'undo')
  expect(said).toContain('Undid `troupe convert`')
  expect(differences(snapshot(root), prepared.before)).toEqual([])
})

describe('kill -9', () => {
  test('right after the nth output has appeared', async () => {
    const moments = [1, 2, 65, 130, 250]
    let early = 0
    for (const moment of moments) {
      const root = copyOf(prepared.root)
      const { child, ended } = start(cli, root, convertWords)
      const stop = onOutput(root, moment, () => child.kill('SIGKILL'))
      const { signal } = await ended
      stop()
      const seen = snapshot(root)
      expectWhole(seen, prepared, `after output ${moment}`, 'old or new')
      if (signal === 'SIGKILL' && differences(seen, prepared.after).length > 0) early++
      expectMended(root, `after output ${moment}`)
    }
    expect(early).toBeGreaterThan(2)
  })

  test('at any time', async () => {
    const root = copyOf(prepared.root)
    const began = Date.now()
    await start(cli, root, convertWords).ended
    const whole = Date.now() - began
    removeRoot(root)
    for (const part of [0.3, 0.6, 0.9]) {
      const here = copyOf(prepared.root)
      const { child, ended } = start(cli, here, convertWords)
      setTimeout(() => child.kill('SIGKILL'), whole * part)
      await ended
      expectWhole(snapshot(here), prepared, `at ${part} of the time`, 'old or new')
      expectMended(here, `at ${part} of the time`)
    }
  })
})

describe('signals', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s: what is done is recorded, and one document tells of it', async (signal, code) => {
    const root = copyOf(prepared.root)
    const { child, ended } = start(cli, root, convertWords)
    await running(root, child)
    child.kill(signal)
    const end = await ended
    expect(end).toMatchObject({ code, signal: null, stderr: '' })
    const { results, summary } = JSON.parse(end.stdout) as Document
    expect(results.length).toBe(summary.agents)
    expect(results.length).toBeLessThan(AGENTS)
    const seen = snapshot(root)
    expectWhole(seen, prepared, `after ${signal}`, 'its own')
    for (const { name, status } of results) {
      expect(status).toBe('written')
      expect(seen[`.opencode/agents/${name}.md`]).toBe(prepared.after[`.opencode/agents/${name}.md`])
    }
    expect(liesOfLock(root)).toEqual([])
    expect(leftovers(root)).toEqual([])
    undone(root)
    expect(differences(snapshot(root), prepared.before)).toEqual([])
  })
})

describe('places that cannot be written', () => {
  const handOver = (root: string) => {
    if (process.getuid?.() === 0) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, root])
  }

  test('a read-only folder: its agents are named, the others are written', async () => {
    const root = copyOf(prepared.root)
    const words = ['convert', '--from', 'claude-code', '--to', 'opencode,qwen-code', '--json']
    handOver(root)
    chmodSync(join(root, '.opencode/agents'), 0o555)
    const { code, stdout } = await start(cli, root, words, true).ended
    chmodSync(join(root, '.opencode/agents'), 0o755)
    expect(code).toBe(1)
    const { summary, results } = JSON.parse(stdout) as Document
    expect(summary).toMatchObject({ agents: 2 * AGENTS, written: AGENTS, failed: AGENTS })
    const reasons = new Set(results.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message)))
    expect([...reasons]).toContain('Not written: permission denied.')
    const seen = snapshot(root)
    for (const path of outputsIn(prepared.before)) expect(seen[path]).toBe(prepared.before[path])
    expect(Object.keys(seen).filter((path) => path.startsWith('.qwen/agents/agent-'))).toHaveLength(AGENTS)
    expect(liesOfLock(root)).toEqual([])
    expect(leftovers(root)).toEqual([])
    undone(root)
    expect(differences(snapshot(root), prepared.before)).toEqual([])
  })

  test('a file where the folder of the outputs should be', () => {
    const root = copyOf(prepared.root)
    rmSync(join(root, '.opencode'), { recursive: true })
    writeFileSync(join(root, '.opencode'), 'mine')
    const before = snapshot(root)
    const { status, stdout } = troupe(cli, root, ...convertWords)
    expect(status).toBe(1)
    const { summary, results } = JSON.parse(stdout) as Document
    expect(summary).toMatchObject({ agents: AGENTS + 1, failed: AGENTS + 1 })
    expect(results[0]?.diagnostics.at(-1)?.message).toBe('Not written: a file is in the place of its folder.')
    // Nor does a server arrive whose agent did not.
    expect(differences(snapshot(root), before)).toEqual([])
    expect(leftovers(root)).toEqual([])
  })

  test('a configuration that is not valid stays as it is, byte for byte', () => {
    const root = copyOf(prepared.root)
    const broken = '{\r\n  // Mine.\r\n  "mcp": oops,\r\n'
    writeFileSync(join(root, 'opencode.json'), broken)
    const before = snapshot(root)
    const { status, stdout } = troupe(cli, root, ...convertWords)
    expect(status).toBe(1)
    const { results } = JSON.parse(stdout) as Document
    const said = results.flatMap(({ diagnostics }) => diagnostics).filter(({ code }) => code === 'config-not-edited')
    expect(said.map(({ message }) => message)).toEqual([
      'opencode.json is left unchanged, because it is not valid JSON.',
    ])
    expect(readFileSync(join(root, 'opencode.json'), 'utf8')).toBe(broken)
    undone(root)
    expect(differences(snapshot(root), before)).toEqual([])
  })
})

/** A disk that only the processes see that are started with it. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

test.runIf(canMount)('a disk that fills up half way', () => {
  const place = newRoot()
  const folders = ['disk', 'full', 'undone', 'home'].map((name) => join(place, name))
  for (const folder of folders) mkdirSync(folder)
  const [disk, full, back] = folders
  const node = `"${process.execPath}" "${cli}" -C "${disk}"`
  const script = `
    mount -t tmpfs -o size=64m none "${disk}" && cp -a "${prepared.root}/." "${disk}" || exit 99
    used=$(df --output=used "${disk}" | tail -n 1)
    mount -o remount,size=$((used + 700))k "${disk}" || exit 98
    ${node} ${convertWords.join(' ')} > "${place}/said.json"; echo $? > "${place}/code"
    cp -a "${disk}/." "${full}"
    ${node} undo > /dev/null; cp -a "${disk}/." "${back}"
  `
  const { status, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: join(place, 'home') },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(readFileSync(join(place, 'code'), 'utf8').trim()).toBe('1')
  const { summary, results, diagnostics } = JSON.parse(readFileSync(join(place, 'said.json'), 'utf8')) as Document
  expect(summary.written).toBeGreaterThan(20)
  expect(summary.failed).toBeGreaterThan(20)
  const reasons = results.flatMap((one) => one.diagnostics.map(({ message }) => message))
  expect(new Set(reasons)).toEqual(new Set(['Not written: the disk is full.']))
  expect(diagnostics.every(({ message }) => message === 'Not written: the disk is full.')).toBe(true)
  expectWhole(snapshot(full ?? ''), prepared, 'on a full disk', 'its own')
  expect(leftovers(full ?? '')).toEqual([])
  expect(differences(snapshot(back ?? ''), prepared.before)).toEqual([])
})

test('two runs at once: one has the turn, and the end is the same', async () => {
  const root = copyOf(prepared.root)
  const first = start(cli, root, convertWords)
  await running(root, first.child)
  const second = await start(cli, root, convertWords).ended
  const { code } = await first.ended
  expect(code).toBe(0)
  expect([0, 1]).toContain(second.code)
  const { diagnostics } = JSON.parse(second.stdout) as Document
  const told = diagnostics.map(({ message }) => message).join()
  expect(told).toMatch(second.code === 1 ? /^Another troupe is writing here \(process \d+\)\.$/ : /^$/)
  expect(differences(snapshot(root), prepared.after)).toEqual([])
  expect(liesOfLock(root)).toEqual([])
})
