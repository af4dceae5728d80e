/** Members that work in git worktrees of their own: apart from each other, and nothing of their work is ever removed. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Mutex } from '../../../../src/disk/mutex.ts'
import { type Engine, openEngine } from '../../../../src/team/engine/engine.ts'
import { acceptMessage } from '../../../../src/team/runtime/ingest.ts'
import { openWorkplace } from '../../../../src/team/runtime/open.ts'
import { folderFor, removeWorktrees } from '../../../../src/team/runtime/runs/worktrees.ts'
import { openPlace, type Place, read, until } from '../../new-workplace.ts'

let place: Place
afterEach(() => place.close())

const as = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']

function git(...words: string[]): string {
  return execFileSync('git', ['-C', place.root, ...as, ...words], { encoding: 'utf8' })
}

function openRepository(team: Parameters<typeof openPlace>[0]): void {
  place = openPlace(team)
  git('init', '-q', '-b', 'main')
  place.put('kept.txt', 'as it was\n')
  git('add', 'kept.txt')
  git('commit', '-qm', 'first')
}

const branches = () => git('branch', '--list', 'troupe/*', '--format=%(refname:short)').split('\n').filter(Boolean)
const worktrees = () => (existsSync(place.worktrees) ? readdirSync(place.worktrees) : [])

test('one that changes nothing leaves nothing', () => {
  openRepository({ ada: 'pwd; git branch --show-current' })
  const { code, stdout } = place.troupe('start', 'ada', 'look', '--worktree')
  expect(code).toBe(0)
  expect(stdout).toMatch(/worktrees\/ada-\w+\ntroupe\/ada-\w+/)
  expect([worktrees(), branches()]).toEqual([[], []])
})

test('what is committed stays on its branch, and the project is as it was', () => {
  openRepository({ ada: `echo new > kept.txt; git ${as.join(' ')} commit -qam mine; echo done` })
  expect(place.troupe('start', 'ada', 'work', '--worktree').code).toBe(0)
  expect(worktrees()).toEqual([])
  const [branch = ''] = branches()
  expect(git('show', `${branch}:kept.txt`)).toBe('new\n')
  expect(read(join(place.root, 'kept.txt'))).toBe('as it was\n')
  expect(place.troupe('status').stdout).toContain(`committed to the branch ${branch}`)
})

test('what is not committed stays where it is, and the person is told', () => {
  openRepository({ ada: 'echo half > kept.txt; echo more > new.txt; echo done' })
  expect(place.troupe('start', 'ada', 'work', '--worktree').code).toBe(0)
  const [folder = ''] = worktrees()
  expect(read(join(place.worktrees, folder, 'kept.txt'))).toBe('half\n')
  expect(read(join(place.worktrees, folder, 'new.txt'))).toBe('more\n')
  expect(place.troupe('status').stdout).toContain('uncommitted, in')
})

test('a worktree outlives the orchestrator: the next one works in it and tidies it up', async () => {
  openRepository({ ada: 'if [ -e begun ]; then rm begun; echo again; else touch begun; sleep 300; fi' })
  const orchestrator = place.inBackground('start', 'ada', 'work', '--worktree')
  await until(() => worktrees().some((name) => existsSync(join(place.worktrees, name, 'begun'))))
  await orchestrator.kill()
  place.put(
    'troupe.yaml',
    JSON.stringify({
      work: {
        minutes: 0.01,
        backoff: 0.05,
        members: { ada: { command: 'if [ -e begun ]; then rm begun; echo again; else touch begun; sleep 300; fi' } },
      },
    }),
  )
  expect(place.troupe('resume').code).toBe(0)
  expect(place.records().some((record) => record.t === 'completed' && record.answer === 'again')).toBe(true)
  expect([worktrees(), branches()]).toEqual([[], []])
})

test('without a repository it is said, and nothing runs', () => {
  place = openPlace({ ada: 'echo ran' })
  const { code, stderr } = place.troupe('start', 'ada', 'work', '--worktree')
  expect(code).toBe(1)
  expect(stderr).toContain('worktrees need a git repository with a commit')
  expect(place.records().some(({ t }) => t === 'started')).toBe(false)
})

/**
 * A journal that cannot grow from the moment at which git is first asked, until it is asked for the third time: the
 * limit is the system's, on the very process that writes, which is git's parent. Before that the message is in the chat
 * and was read back, so that nothing else is left to be written.
 */
const gitThatLimits = (folder: string) => `#!/bin/sh
case "$*" in
  *"rev-parse HEAD")
    journal=.workplace/run/journal.jsonl
    until grep -q '"t":"posted"' $journal && tail -n 1 $journal | grep -q '"t":"read"'; do sleep 0.02; done
    echo >> ${folder}/asked
    [ "$(wc -l < ${folder}/asked)" -ge 3 ] && most=unlimited || most=$(wc -c < $journal)
    prlimit --pid $PPID --fsize="$most:unlimited" ;;
esac
PATH=\${PATH#*:} exec git "$@"
`

const canLimit = spawnSync('prlimit', ['--version']).status === 0

test.runIf(canLimit)('where not even that can be written, it waits, and says so once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-limit-'))
  writeFileSync(join(folder, 'git'), gitThatLimits(folder), { mode: 0o755 })
  writeFileSync(join(folder, 'survive.cjs'), "process.on('SIGXFSZ', () => {})")
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  vi.stubEnv('NODE_OPTIONS', `--require ${join(folder, 'survive.cjs')}`)
  try {
    place = openPlace({ ada: 'echo ran' })
    const { code, stderr } = place.troupe('start', 'ada', 'work', '--worktree')
    expect(stderr.split('\n').filter((line) => /^(Waiting|Resumed)/.test(line))).toEqual([
      'Waiting: the journal cannot be written (EFBIG). Nothing is lost; work resumes when there is room.',
      'Resumed.',
    ])
    expect(stderr).toContain('worktrees need a git repository with a commit')
    expect(code).toBe(1)
    expect(read(join(folder, 'asked'))).toBe('\n\n\n')
    expect(place.records().filter(({ t }) => t === 'dead')).toHaveLength(1)
  } finally {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** An engine in which ada has committed her work in her worktree, and hands it to ben. */
async function openHandedOn(): Promise<{ engine: Engine; commit: string; close: () => void }> {
  openRepository({ 'ada > ben': 'true', ben: 'true' })
  const lock = new Mutex(place.run).take()
  if ('busy' in lock) throw new Error('somebody runs the workplace')
  const engine = openEngine(await openWorkplace(place), lock, () => {})
  const [at, pid, start] = [1, 1, '1']
  acceptMessage(engine, { id: 'h1', from: 'user', to: 'ada', observers: [], text: 'work', worktree: true })
  engine.flush()
  const { path } = await folderFor(engine, 'h1')
  engine.stage(
    { t: 'claimed', id: 'h1', attempt: 1, run: 'h1.1', at, pid, start },
    { t: 'started', id: 'h1', attempt: 1, at, pid, start },
  )
  writeFileSync(join(path, 'kept.txt'), 'new\n')
  git('-C', path, 'commit', '-qam', 'mine')
  acceptMessage(engine, { id: 'h2', from: 'ada', to: 'ben', observers: [], text: 'Handoff: go on' })
  engine.flush()
  const close = () => {
    engine.close()
    lock.release()
  }
  return { engine, commit: git('-C', path, 'rev-parse', 'HEAD').trim(), close }
}

/** The journal goes on in a new file, and the state is another one. */
function compact(engine: Engine): void {
  const before = engine.state
  const text = 'and on '.repeat(10_000)
  for (let key = 0; key < 40; key++) {
    engine.stage({ t: 'report', id: 'h1', attempt: 1, at: 2, key: `${key}`, status: 'progress', text, files: [] })
    engine.flush()
  }
  engine.compact()
  expect(engine.state).not.toBe(before)
}

test('a journal that is compacted while git works: the next one starts from what was handed to it', async () => {
  const { engine, commit, close } = await openHandedOn()
  const made = folderFor(engine, 'h2')
  compact(engine)
  const { path, about } = await made
  expect(git('-C', path, 'rev-parse', 'HEAD').trim()).toBe(commit)
  expect(about).toContain(`It has the commit ${commit.slice(0, 10)} of ada`)
  close()
})

test('a chain that is revived while another worktree is removed keeps its own', async () => {
  const { engine, close } = await openHandedOn()
  await folderFor(engine, 'h2')
  engine.stage(
    { t: 'dead', id: 'h1', at: 3, why: 'x' },
    { t: 'dead', id: 'h2', at: 3, why: 'x' },
    { t: 'ended', chain: 'h1', at: 4 },
  )
  engine.flush()
  const removed = removeWorktrees(engine)
  compact(engine)
  engine.stage({ t: 'revived', id: 'h2', at: 5 })
  engine.flush()
  await removed
  expect([...engine.state.worktrees.values()].map(({ agent }) => agent)).toEqual(['ben'])
  expect(worktrees()).toEqual([expect.stringMatching(/^ben-/)])
  close()
})
