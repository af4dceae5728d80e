/** Real harnesses that are killed, hang or give up in the middle of their work, under a workplace that is killed too. */
import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { putInInbox } from '../../src/team/engine/inbox.ts'
import { foldRecords } from '../../src/team/state/state.ts'
import type { Cue } from '../../src/verify/stub/script.ts'
import { programFolders } from './lab.ts'
import { type House, leftBehind, newPorts, openHouse, openPorts, until } from './workplace.ts'

let house: House
afterEach(() => house?.close())

const definitions: Readonly<Record<string, (name: string) => readonly [path: string, text: string]>> = {
  claude: (name) => [`.claude/agents/${name}.md`, `---\nname: ${name}\ndescription: Works\n---\nYou are ${name}.\n`],
  codex: (name) => [
    `.codex/agents/${name}.toml`,
    `name = "${name}"\ndescription = "Works"\ndeveloper_instructions = "You are ${name}."\n`,
  ],
  gemini: (name) => [
    `.gemini/agents/${name}.md`,
    `---\nname: ${name}\ndescription: Works\ntools: [read_file]\n---\nYou are ${name}.\n`,
  ],
  opencode: (name) => [`.opencode/agents/${name}.md`, `---\ndescription: Works\n---\nYou are ${name}.\n`],
}
type Fault = 'none' | 'killed' | 'hangs' | 'gives-up' | 'never-ends'
const sudden: readonly Fault[] = ['killed', 'gives-up', 'killed', 'none', 'gives-up', 'killed']
const slow: readonly Fault[] = ['none', 'hangs', 'gives-up', 'hangs', 'killed', 'gives-up']

/** Only those that hang have a short time: what is slow on a busy machine must not be taken for it. */
const all: Readonly<Record<string, { readonly faults: readonly Fault[]; readonly minutes: number }>> = {
  'claude-a': { faults: sudden, minutes: 5 },
  'claude-b': { faults: sudden, minutes: 5 },
  'claude-c': { faults: slow, minutes: 0.4 },
  'codex-a': { faults: sudden, minutes: 5 },
  'codex-b': { faults: sudden, minutes: 5 },
  'codex-c': { faults: [...slow.slice(0, 5), 'never-ends'], minutes: 0.4 },
  'gemini-a': { faults: sudden, minutes: 5 },
  'gemini-b': { faults: slow, minutes: 0.4 },
  'opencode-a': { faults: sudden, minutes: 5 },
}

/** `SHORT=1`: one member of each harness, and one that is slow. */
const members =
  process.env.SHORT === '1'
    ? Object.fromEntries(Object.entries(all).filter(([name]) => name.endsWith('-a') || name === 'codex-c'))
    : all

interface Task {
  readonly word: string
  readonly member: string
  readonly fault: Fault
}

const tasks: readonly Task[] = Object.entries(members).flatMap(([member, { faults }], row) =>
  faults.map((fault, column) => ({ word: `task-${row}${column}.`, member, fault })),
)

function cuesFor({ word, fault }: Task): Cue[] {
  const heard = { contains: word, equipped: true }
  const fine: Cue = { ...heard, times: 100, answer: { text: `done ${word}` } }
  const silence: Cue = { ...heard, after: ['what is never said'], answer: { text: 'late' } }
  if (fault === 'never-ends') return [{ ...silence, times: 100 }]
  if (fault === 'none') return [fine]
  return [fault === 'gives-up' ? { ...heard, answer: { status: 400 } } : silence, fine]
}

test(`${tasks.length} handoffs`, { timeout: 600_000 }, async () => {
  const names = Object.keys(members)
  const files = Object.fromEntries(names.map((name) => definitions[name.split('-')[0] ?? '']?.(name) ?? ['', '']))
  const rows = Object.entries(members).map(([name, { minutes }]) => `    ${name}: { minutes: ${minutes} }`)
  const settings = ['work:', '  attempts: 2', '  backoff: 0.2', '  parallel: 4', '  members:', ...rows, ''].join('\n')
  house = await openHouse({ ...files, 'troupe.yaml': settings }, tasks.flatMap(cuesFor))
  const ports = openPorts(house.stub)
  const ids = new Map(
    tasks.map(({ word, member }) => {
      const message = { from: 'user', to: member, observers: [], text: `do ${word}`, run: null, worktree: false }
      return [word, putInInbox(house.places, { kind: 'message', ...message })] as const
    }),
  )
  const struck = new Set<string>()
  const heard = new Map<string, number>()
  let attendant: ChildProcess | null = null
  let kills = 0
  const isOver = () => {
    const state = foldRecords(house.records())
    return state.handoffs.size === tasks.length && state.open.size === 0
  }
  const done = await until(() => {
    if (attendant === null || attendant.exitCode !== null || attendant.signalCode !== null) attendant = attend()
    // The workplace itself, three times, when something is under way.
    if (kills < 3 && house.stub.requests.length > 10 * (kills + 1)) {
      kills++
      attendant.kill('SIGKILL')
    }
    for (const task of tasks) {
      if (task.fault !== 'killed' || struck.has(task.word)) continue
      if (
        !house.stub.requests.some(
          ({ said, tools }) => tools.length > 0 && said.some((text) => text.includes(task.word)),
        )
      )
        continue
      const since = heard.get(task.word) ?? performance.now()
      heard.set(task.word, since)
      // In the middle of its turn, and not at its very beginning.
      if (performance.now() - since > 1500 && killHarness(ids.get(task.word) ?? '')) struck.add(task.word)
    }
    return isOver()
  }, 560_000)
  expect(done).toBe(true)
  await house.run(['work', 'stop', '--quiet'])

  const records = house.records()
  const state = foldRecords(records)
  const outcome = tasks.map(({ word, fault }) => {
    const handoff = state.handoffs.get(ids.get(word) ?? '')
    return [word, fault, handoff?.status, handoff?.status === 'completed' ? handoff.answer : (handoff?.why ?? '')]
  })
  expect(outcome).toEqual(
    tasks.map(({ word, fault }) =>
      fault === 'never-ends'
        ? [word, fault, 'dead', expect.stringContaining('did not end within')]
        : [word, fault, 'completed', `done ${word}`],
    ),
  )
  // One accepted completion, or a dead letter with a reason.
  for (const id of ids.values()) {
    const ends = records.filter((record) => (record.t === 'completed' || record.t === 'dead') && record.id === id)
    expect(ends).toHaveLength(1)
    if (ends[0]?.t === 'dead') expect(ends[0].why).toContain('did not end within')
  }
  // Whoever was killed goes on in its session, where its harness can and had written it down by then: what it was told
  // first is still there.
  const resumed = tasks.filter(({ word, fault }) => {
    const last = house.stub.requests.findLast(({ said }) => said.some((text) => text.includes(word)))
    const told = last?.said.join('\n') ?? ''
    return fault === 'killed' && told.includes('attempt 1):') && told.includes('attempt 2):')
  })
  const harnesses = new Set(resumed.map(({ member }) => member.split('-')[0]))
  // Gemini CLI loads a session only if it was killed late enough.
  expect([...harnesses]).toEqual(expect.arrayContaining(['claude', 'codex', 'opencode']))
  expect(struck.size).toBe(tasks.filter(({ fault }) => fault === 'killed').length)
  await until(() => leftBehind(house).length === 0, 5000)
  expect(leftBehind(house)).toEqual([])
  expect(newPorts(house, ports)).toEqual([])
  const attempts = records.filter(({ t }) => t === 'claimed').length
  console.log(
    `${tasks.length} handoffs, ${attempts} attempts, ${struck.size} harnesses killed (${resumed.length} went on in their session), the workplace ${kills} times`,
  )
})

/** `troupe work resume`, as a process that can be killed. */
function attend(): ChildProcess {
  return house.start(['work', 'resume', '--attached', '--quiet'])
}

/** The program of the harness that works on a handoff, and nothing else of its run. */
function killHarness(id: string): boolean {
  const folders = programFolders()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
      if (!environment.includes(`TROUPE_HANDOFF=${id}\0`) || !environment.includes('TROUPE_TOKEN=')) continue
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').slice(0, 2)
      if (!command.some((part) => folders.some((folder) => part.startsWith(folder)))) continue
      process.kill(Number(pid), 'SIGKILL')
      return true
    } catch {
      // It has ended meanwhile.
    }
  }
  return false
}
