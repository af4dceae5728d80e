/** Where the data of sections comes from: each source is bounded, and whatever is wrong with it is unknown. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { gitState } from '../../../src/disk/git.ts'
import { distrustCommands, isTrustedCommand, readExtra, trustCommands } from '../../../src/hud/data/extra-sources.ts'
import { findSections } from '../../../src/hud/data/find-sections.ts'
import { cachedRead, gatherData, openLiveData, readHudSettings, withTimeout } from '../../../src/hud/data/gather.ts'
import {
  parseStatus,
  readGit,
  readTaskFiles,
  readWorkplace,
  taskState,
  tasksData,
  unreadBy,
} from '../../../src/hud/data/known-sources.ts'
import { readWorkNotes, sessionFile, writeWorkNotes } from '../../../src/hud/data/session-files.ts'
import { contextData, countUsage, emptyWindow } from '../../../src/hud/sections/context-usage.ts'
import { renderHud } from '../../../src/hud/sections/render.ts'
import type { ExtraSource } from '../../../src/hud/sections/section.ts'
import { changeNotes, emptyNotes, notesFrom } from '../../../src/hud/sections/work-notes.ts'

let root: string
let home: string

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: root, stdio: 'pipe' })

beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-hud-')))
  root = join(folder, 'project')
  home = join(folder, 'home')
  for (const one of [root, home]) mkdirSync(one)
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, home)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dirname(root), { recursive: true, force: true })
})

describe('what takes too long or fails', () => {
  test('is unknown', async () => {
    expect(await withTimeout(10, () => new Promise(() => {}))).toBeUndefined()
    expect(await withTimeout(1000, () => Promise.reject(new Error('no')))).toBeUndefined()
    expect(
      await withTimeout(1000, async () => {
        throw new Error('no')
      }),
    ).toBeUndefined()
    expect(await withTimeout(1000, async () => 5)).toBe(5)
  })

  test('is asked for once, and forgotten when it is not there any more', async () => {
    let asked = 0
    let answer: number | Error = 1
    const kept = cachedRead(1000, async () => {
      asked++
      if (answer instanceof Error) throw answer
      return answer
    })
    expect(kept.peek()).toBeUndefined()
    await Promise.all([kept.renew(1000), kept.renew(0)])
    expect([asked, kept.peek()]).toEqual([1, 1])
    answer = new Error('gone')
    await kept.renew(60_000)
    expect([asked, kept.peek()]).toEqual([1, 1])
    await kept.renew(0)
    expect([asked, kept.peek()]).toEqual([2, undefined])
  })
})

describe('git', () => {
  test('the branch, what is not committed, and how far it is', async () => {
    git('init', '--quiet', '-b', 'trunk')
    write('a b.txt', '1')
    write('old.txt', 'the same for long enough to be seen as renamed')
    git('add', '.')
    git('commit', '--quiet', '-m', 'x')
    write('a b.txt', '2')
    git('mv', 'old.txt', 'new.txt')
    write('deep/untracked.txt', '')
    expect(await readGit(root, 5000)).toEqual({
      branch: 'trunk',
      dirty: 3,
      files: ['a b.txt', 'deep/', 'new.txt'],
      ahead: 0,
      behind: 0,
    })
  })

  test('beside its upstream, and without a branch', () => {
    const head = ['# branch.oid abc', '# branch.head main', '# branch.upstream origin/main', '# branch.ab +2 -1', '']
    expect(parseStatus(head.join('\0'))).toMatchObject({ branch: 'main', upstream: 'origin/main', ahead: 2, behind: 1 })
    expect(parseStatus('# branch.head (detached)\0').branch).toBeUndefined()
  })

  test.each([
    ['a monitor', (program: string) => git('config', 'core.fsmonitor', program)],
    ['a filter', (program: string) => git('config', 'filter.x.clean', program)],
    [
      'a filter that must not fail',
      (program: string) => {
        git('config', 'filter.x.clean', program)
        git('config', 'filter.x.required', 'true')
      },
    ],
    ['a filter that keeps running', (program: string) => git('config', 'filter.x.process', program)],
    [
      'a filter of an included file',
      (program: string) => {
        write('.git/more', `[filter "x"]\n\tclean = ${program}\n`)
        git('config', 'include.path', 'more')
      },
    ],
    [
      'a hook',
      (program: string) => {
        git('config', 'core.hooksPath', dirname(program))
      },
    ],
    [
      'a way to fetch',
      (program: string) => {
        git('config', 'remote.origin.url', `ext::${program}`)
        git('config', 'remote.origin.promisor', 'true')
        git('config', 'protocol.ext.allow', 'always')
        git('config', 'extensions.partialClone', 'origin')
      },
    ],
  ])('does not start what a configuration names: %s', async (_what, configure) => {
    git('init', '--quiet')
    write('.gitattributes', '*.txt filter=x\n')
    write('a.txt', 'one\n')
    git('add', '.')
    git('commit', '--quiet', '-m', 'x')
    const started = join(home, 'started')
    const program = join(home, 'hooks/post-index-change')
    mkdirSync(dirname(program))
    writeFileSync(program, `#!/bin/sh\ntouch ${started}\ncat\n`, { mode: 0o755 })
    configure(program)
    // The same length and another time: now git must look into the file.
    write('a.txt', 'two\n')
    expect((await readGit(root, 5000)).files).toEqual(['a.txt'])
    expect(existsSync(started)).toBe(false)
    expect(await gitState(root)).toContain('M a.txt')
    expect(existsSync(started)).toBe(false)
  })

  test('says nothing of a repository with a filter that cannot be disabled', async () => {
    git('init', '--quiet')
    write('.git/more', '[filter "a=b"]\n\tclean = cat\n')
    git('config', 'include.path', 'more')
    await expect(readGit(root, 5000)).rejects.toThrow('cannot be disabled')
  })

  test('that hangs keeps nobody waiting', async () => {
    mkdirSync(join(home, 'bin'))
    writeFileSync(join(home, 'bin/git'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
    vi.stubEnv('PATH', `${join(home, 'bin')}:${process.env.PATH}`)
    write('.opencode/hud/a.md', 'A {{git.branch}} {{tasks.total}}')
    write('tasks/a.md', '---\nstatus: open\n---\n')
    const live = openLiveData(root, root)
    await live.renew(null)
    expect(live.data(null, [])).toEqual({ tasks: expect.objectContaining({ total: 1 }) })
    await expect(readGit(root, 200)).rejects.toThrow()
  })
})

describe('files', () => {
  const file = (of: string): ExtraSource => ({ name: 'x', kind: 'file', of })
  const read = (of: string) => readExtra(root, file(of), 1000)

  test.each([
    ['a.json', '{ "n": 1 /* with a comment */ }', { n: 1 }],
    ['a.yaml', 'n: 1\nlist: [a]\n', { n: 1, list: ['a'] }],
    ['a.md', '---\nn: 1\n---\ntext', { n: 1 }],
    ['a.json', '[1, 2]', [1, 2]],
  ])('%s', async (path, text, value) => {
    write(path, text)
    expect(await read(path)).toEqual({ value })
  })

  test('what is broken, too large, no file, outside or away is unknown', async () => {
    write('broken.json', '{ "n": ')
    write('plain.md', 'no front matter')
    write('large.json', JSON.stringify('x'.repeat(300_000)))
    writeFileSync(join(dirname(root), 'secret.json'), '1')
    symlinkSync('../secret.json', join(root, 'link.json'))
    execFileSync('mkfifo', [join(root, 'pipe.json')])
    mkdirSync(join(root, 'folder.json'))
    const paths = ['broken.json', 'plain.md', 'large.json', 'link.json', 'pipe.json', 'folder.json', '../secret.json']
    for (const path of [...paths, join(dirname(root), 'secret.json'), 'none.json']) {
      expect([path, await read(path)]).toEqual([path, { why: expect.any(String) }])
    }
  })
})

describe('commands', () => {
  const command = (of: string): ExtraSource => ({ name: 'x', kind: 'command', of })
  const read = (of: string, limit = 5000) => readExtra(root, command(of), limit)

  test('are run only after they were trusted, here, word for word', async () => {
    const line = 'echo \'{ "n": 1 }\'; touch ran'
    expect(await read(line)).toEqual({ why: 'it is not trusted here', untrusted: true })
    trustCommands(root, [line])
    expect(await read(line)).toEqual({ value: { n: 1 } })
    expect(await read(`${line} `)).toMatchObject({ untrusted: true })
    expect([isTrustedCommand(home, line), isTrustedCommand(root, line)]).toEqual([false, true])
    distrustCommands(root, [line])
    expect(await read(line)).toMatchObject({ untrusted: true })
  })

  test('have their time, their room, and their end', async () => {
    const lines = ['echo words', 'exit 3', 'sleep 60 & sleep 60', 'yes', 'no-such-program']
    trustCommands(root, lines)
    expect(await read('echo words')).toEqual({ value: 'words' })
    expect(await read('exit 3')).toEqual({ why: 'it ended with exit code 3' })
    expect(await read('sleep 60 & sleep 60', 200)).toEqual({ why: 'it took longer than 0.2 seconds' })
    expect(await read('yes')).toEqual({ why: 'it printed more than 64 kB' })
    expect(await read('no-such-program')).toEqual({ why: 'it ended with exit code 127' })
  })

  test('handle no signal in the process of the harness', async () => {
    const listeners = () => ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name))
    const before = listeners()
    trustCommands(root, ['sleep 0.2'])
    const reading = read('sleep 0.2')
    expect(listeners()).toEqual(before)
    expect(await reading).toEqual({ value: '' })
  })

  test('nobody else may read or write the list of trust', () => {
    trustCommands(root, ['ls'])
    expect(statSync(join(home, 'troupe/trusted-hud-commands.json')).mode & 0o777).toBe(0o600)
  })

  test('a list of trust that is broken trusts nobody', () => {
    mkdirSync(join(home, 'troupe'))
    writeFileSync(join(home, 'troupe/trusted-hud-commands.json'), '{"a":')
    expect(isTrustedCommand(root, 'ls')).toBe(false)
  })
})

describe('tasks', () => {
  test('of files, by their front matter', async () => {
    write('tasks/a.md', '---\ntitle: First\nstatus: In Progress\n---\n')
    write('tasks/b.md', '---\nid: second\nstate: done\n---\n')
    write('tasks/c.md', '---\nstatus: cancelled\n---\n')
    write('tasks/d.md', '---\npriority: 1\n---\n')
    write('tasks/README.md', 'No task.')
    const tasks = await readTaskFiles(root)
    expect(tasks.map(({ title, state }) => [title, state])).toEqual([
      ['First', 'active'],
      ['second', 'done'],
      ['d', 'open'],
    ])
    expect(tasksData(tasks)).toMatchObject({ total: 3, done: 1, active: [{ title: 'First' }], next: [{ title: 'd' }] })
  })

  test('states by many names', () => {
    expect(['in_progress', 'TODO', 'Blocked', 'completed', 'what', undefined].map(taskState)).toEqual([
      'active',
      'open',
      'blocked',
      'done',
      'open',
      'open',
    ])
  })
})

test('a workplace is seen while it runs', async () => {
  expect(await readWorkplace(root, 'coder')).toBeUndefined()
  const status = (server: string) =>
    JSON.stringify({ server: { status: server }, coder: { status: 'idle', task: null } })
  write('.workplace/process-status.json', status('stopped'))
  expect(await readWorkplace(root, 'coder')).toBeUndefined()
  write('.workplace/process-status.json', status('running'))
  write(
    '.workplace/chat.md',
    '[a-to-coder]: one\n[coder-to-a]: yes\n[a-to-coder]: two\n[a-to-b] @ [coder, c]: three\nx\n',
  )
  expect(await readWorkplace(root, 'coder')).toEqual({ agents: [{ name: 'coder', status: 'idle' }], unread: 2 })
  expect(unreadBy('b', '[a-to-b]: x\n  more\n[b-to-a]: y\n')).toBe(0)
})

test('sections of the user yield to those of the project, and nearer folders win', async () => {
  mkdirSync(join(home, 'opencode/hud'), { recursive: true })
  writeFileSync(join(home, 'opencode/hud/a.md'), 'user')
  writeFileSync(join(home, 'opencode/hud/b.md'), 'user')
  git('init', '--quiet')
  write('.opencode/hud/a.md', 'project')
  write('inner/.opencode/hud/a.md', 'inner')
  write('inner/.opencode/hud/bad.md', '---\nfoo: 1\n---\n{{x')
  const { sections, diagnostics } = await findSections(join(root, 'inner'))
  const of = (name: string) => sections.find((one) => one.name === name)
  expect(of('a')?.template.nodes).toEqual([{ kind: 'text', text: 'inner' }])
  expect([of('b')?.layer, of('context')?.layer]).toEqual(['user', 'built-in'])
  expect(diagnostics.map(({ path, line, code }) => [path, line, code])).toEqual([
    ['.opencode/hud/bad.md', 2, 'unknown-key'],
    ['.opencode/hud/bad.md', 4, 'broken-template'],
  ])
})

test('a path in a section begins where its folder of sections lies, and stays in the project', async () => {
  git('init', '--quiet')
  writeFileSync(join(dirname(root), 'out.json'), '3')
  write('one.json', '1')
  write('inner/one.json', '2')
  write('.opencode/hud/a.md', '---\ndata-sources: [x: "file:one.json"]\n---\nA {{x}}')
  const inner = '[x: "file:one.json", y: "file:../one.json", z: "file:../../out.json"]'
  write('inner/.opencode/hud/b.md', `---\ndata-sources: ${inner}\n---\nB {{x}} {{y}} {{z}}`)
  const { sections } = await findSections(join(root, 'inner'))
  const { data, extra } = await gatherData(root, sections, null)
  const { text } = renderHud({ sections, data: { ...data, git: undefined }, extra, agent: null, purpose: 'prompt' })
  expect(text).toBe('<hud>\nA 1\n\nB 2 1 unknown\n</hud>')
})

test('what could not be had is told apart, and everything else is there', async () => {
  write(
    '.opencode/hud/a.md',
    '---\ndata-sources: [one: "file:a.json", two: "file:b.json", "command: date"]\n---\n{{one}}',
  )
  write('a.json', '5')
  const { sections } = await findSections(root)
  const { extra, missing } = await gatherData(root, sections, null)
  expect([...extra]).toEqual([['file:a.json', 5]])
  expect(missing.map(({ source }) => source.name)).toEqual(['two', 'date'])
})

test('a command is asked for as soon as it is trusted, and forgotten when it is not any more', async () => {
  write('.opencode/hud/a.md', '---\ndata-sources: [x: "command: echo 5"]\n---\n{{x}}')
  const live = openLiveData(root, root)
  const seen = async () => {
    await live.renew(null)
    return [...live.extra()]
  }
  expect(await seen()).toEqual([])
  trustCommands(root, ['echo 5'])
  await vi.waitFor(async () => expect(await seen()).toEqual([['command:echo 5', 5]]), 5000)
  distrustCommands(root, ['echo 5'])
  expect(await seen()).toEqual([])
})

test('settings of the project', async () => {
  expect(await readHudSettings(root)).toEqual({ budget: 800, window: null, wrong: [] })
  write('troupe.yaml', 'source: agents\nhud:\n  budget: 300\n  window: 200000\n')
  expect(await readHudSettings(root)).toEqual({ budget: 300, window: 200_000, wrong: [] })
  write('troupe.yaml', 'hud: { budget: none }\n')
  expect(await readHudSettings(root)).toEqual({ budget: 800, window: null, wrong: ['budget'] })
})

describe('notes of an agent', () => {
  test('are added once, capped, and taken off again', () => {
    let work = emptyNotes
    for (let i = 0; i < 12; i++) work = changeNotes(work, 'decision', ` decision\n ${i} `) ?? work
    expect(work.decisions).toHaveLength(10)
    expect(work.decisions.at(-1)).toBe('decision 11')
    work = changeNotes(work, 'decision', 'decision 5') ?? work
    expect(work.decisions.filter((one) => one === 'decision 5')).toHaveLength(1)
    work = changeNotes(changeNotes(work, 'task', 'T') ?? work, 'step', 'S') ?? work
    expect(changeNotes(work, 'done', 'S')?.steps).toEqual([])
    expect(changeNotes(work, 'done', 'T')?.task).toBeNull()
    expect([
      changeNotes(work, 'done', 'X'),
      changeNotes(work, 'note', ' '),
      changeNotes(work, 'constructor', 'x'),
    ]).toEqual([null, null, null])
    expect(changeNotes(work, 'clear', '')).toEqual(emptyNotes)
  })

  test('are kept per session, whatever it is called', async () => {
    const work = { ...emptyNotes, notes: ['n'] }
    await writeWorkNotes('../../x', work)
    expect(sessionFile('../../x', 'work')).toBe(join(home, 'troupe/hud/______x.work.json'))
    expect(await readWorkNotes('../../x')).toEqual(work)
    expect(await readWorkNotes('other')).toEqual(emptyNotes)
    expect(notesFrom({ notes: [1, 'a'], task: 5, decisions: 'x' })).toEqual({ ...emptyNotes, notes: ['a'] })
  })
})

test('the window, from answer to answer', () => {
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const first = countUsage(emptyWindow, { ...none, input: 100 })
  expect(countUsage(first, none)).toBe(first)
  const second = countUsage(first, { ...none, cacheRead: 200 })
  expect(contextData(second, 1000)).toEqual({ tokens: 200, limit: 1000, trend: 'rising' })
  expect(contextData(first, 1000)).toEqual({ tokens: 100, limit: 1000 })
  expect(contextData(null, null)).toEqual({})
})
