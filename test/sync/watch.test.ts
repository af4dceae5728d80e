/** `build --watch` with real files, saved the way editors save them, and a real Ctrl-C. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, renameSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { Mutex } from '../../src/disk/mutex.ts'
import { isTaken, leftovers, liesOfLock } from '../faults/stage.ts'
import { newProject, type Project, removeProjects } from './new-project.ts'
import { startWatching, type Watching } from './watch-process.ts'

afterAll(removeProjects)

const definition = (name: string, prompt: string) => `---\nname: ${name}\ndescription: Does it\n---\n\n${prompt}\n`

function watched(): { project: Project; file: string } {
  const project = newProject({
    'troupe.yaml': 'source: agents\ntargets: [claude-code, opencode]\n',
    'agents/one.md': definition('one', 'First.'),
    'agents/two.md': definition('two', 'Second.'),
  })
  return { project, file: join(project.root, 'agents/one.md') }
}

async function begun(project: Project, around?: readonly string[]): Promise<Watching> {
  const watching = startWatching(project.root, around)
  await watching.says('Press Ctrl-C to stop')
  return watching
}

describe('editors that save', () => {
  const saving: Record<string, (file: string, text: string) => Promise<void>> = {
    'in place, at once': async (file, text) => writeFileSync(file, text),
    'in place, in two steps (VS Code)': async (file, text) => {
      const open = openSync(file, 'w')
      await sleep(60)
      writeSync(open, text)
      closeSync(open)
    },
    'a new file under the old name (VS Code, atomic)': async (file, text) => {
      writeFileSync(`${file}.vsctmp`, text)
      renameSync(`${file}.vsctmp`, file)
    },
    'after moving the old one aside (vim)': async (file, text) => {
      const trial = join(file, '../4913')
      writeFileSync(trial, '')
      unlinkSync(trial)
      renameSync(file, `${file}~`)
      await sleep(60)
      writeFileSync(file, text)
      unlinkSync(`${file}~`)
    },
  }

  test.each(Object.keys(saving))('%s', async (how) => {
    const { project, file } = watched()
    const { says, text, builds } = await begun(project)
    for (const prompt of ['Saved.', 'Saved again.']) {
      await saving[how]?.(file, definition('one', prompt))
      await says('agents/one.md changed: 2 written, 2 up to date.')
      expect(project.get('.opencode/agents/one.md')).toContain(prompt)
    }
    expect(builds()).toBe(2)
    expect(text()).not.toContain('removed')
  })
})

describe('what is watched', () => {
  test('files and folders that come and go', async () => {
    const { project } = watched()
    const { says } = await begun(project)
    project.put('agents/three.md', definition('three', 'Third.'))
    await says('agents/three.md added: 2 written, 4 up to date.')
    project.put('agents/deep/down/four.md', definition('four', 'Fourth.'))
    await says('agents/deep/down/four.md added: 2 written, 6 up to date.')
    project.put('agents/deep/down/four.md', definition('four', 'Fourth, again.'))
    await says('agents/deep/down/four.md changed: 2 written, 6 up to date.')
    project.remove('agents/deep')
    await says('agents/deep/down/four.md removed: 2 removed, 6 up to date.')
    expect(project.has('.claude/agents/four.md')).toBe(false)
  })

  test('a folder that is another one under the same name', async () => {
    const { project, file } = watched()
    const { says } = await begun(project)
    const folder = join(project.root, 'agents')
    renameSync(folder, `${folder}.old`)
    await says('no such file or folder: agents.')
    mkdirSync(`${folder}.new`)
    renameSync(`${folder}.old/one.md`, `${folder}.new/one.md`)
    renameSync(`${folder}.new`, folder)
    await says('2 removed, 2 up to date.')
    writeFileSync(file, definition('one', 'In the new folder.'))
    await says('agents/one.md changed: 2 written')
  })

  test('troupe.yaml, also while it is wrong', async () => {
    const { project, file } = watched()
    const { says } = await begun(project)
    project.put('troupe.yaml', 'source: agents\ntargets: [claude-code, opencode, gemini-cli]\n')
    await says('troupe.yaml changed: 2 written, 4 up to date.')
    project.put('troupe.yaml', 'source: agents\ntargets: [nothing-of-the-kind]\n')
    await says('Unknown harness "nothing-of-the-kind".')
    writeFileSync(file, definition('one', 'Meanwhile.'))
    await says('Unknown harness "nothing-of-the-kind".')
    project.put('troupe.yaml', 'source: agents\ntargets: [claude-code]\n')
    await says(/troupe\.yaml changed:\s+1 written, 4 removed, 1 up to date\./)
  })

  test('skills that agents refer to', async () => {
    const { project } = watched()
    project.put('agents/one.md', '---\nname: one\ndescription: Does it\nskills: [manners]\n---\n\nFirst.\n')
    project.put('.claude/skills/manners/SKILL.md', '---\nname: manners\ndescription: How to behave\n---\nSay please.\n')
    project.put('troupe.yaml', 'source: agents\ntargets: [gemini-cli]\n')
    const { says } = await begun(project)
    expect(project.get('.gemini/agents/one.md')).toContain('Say please.')
    project.put('.claude/skills/manners/SKILL.md', '---\nname: manners\ndescription: How to behave\n---\nSay thanks.\n')
    await says('.claude/skills/manners/SKILL.md changed: 1 written, 1 up to date.')
    expect(project.get('.gemini/agents/one.md')).toContain('Say thanks.')
  })
})

describe('how often it builds', () => {
  test('once for many files at once', async () => {
    const { project } = watched()
    const { says, builds } = await begun(project)
    for (let i = 0; i < 50; i++) project.put(`agents/many-${i}.md`, definition(`many-${i}`, 'One of many.'))
    await says(/agents\/many-\d+\.md and 49 other files added: 100 written/)
    expect(builds()).toBe(1)
  })

  test('never because of what it wrote itself', async () => {
    const { project, file } = watched()
    const { says, builds } = await begun(project)
    writeFileSync(file, definition('one', 'Again.'))
    await says('agents/one.md changed: 2 written')
    // Longer than it takes until it looks around by itself.
    await sleep(2600)
    expect(builds()).toBe(1)
  })

  test('not for files that are no agents', async () => {
    const { project, file } = watched()
    const { says, builds } = await begun(project)
    project.put('agents/notes.txt', 'Nothing.')
    project.put('unrelated.md', 'Nothing.')
    writeFileSync(`${file}.swp`, 'x')
    await sleep(500)
    project.put('agents/one.md', definition('one', 'Something.'))
    await says('agents/one.md changed')
    expect(builds()).toBe(1)
  })
})

describe('what goes wrong', () => {
  test('an agent that is refused or changed by hand is told once, and the others are built', async () => {
    const { project, file } = watched()
    const { says, text } = await begun(project)
    project.put('.opencode/agents/two.md', 'by hand')
    project.put('agents/two.md', definition('two', 'Changed.'))
    await says('agents/two.md changed: 1 written, 1 left alone, 2 up to date.')
    await says('edited by hand, 1 file')
    writeFileSync(file, definition('one', 'Changed.'))
    await says('agents/one.md changed: 2 written, 1 left alone, 1 up to date.')
    expect(text().match(/edited by hand/g)).toHaveLength(1)
    expect(project.get('.opencode/agents/two.md')).toBe('by hand')
  })

  test('another troupe that writes at the same time is waited for', async () => {
    const { project, file } = watched()
    const { says } = await begun(project)
    const turn = new Mutex(join(project.root, '.troupe')).take()
    if ('busy' in turn) throw new Error('it was free')
    writeFileSync(file, definition('one', 'Later.'))
    await says(/agents\/one\.md changed:\s+Another troupe is writing here/)
    turn.release()
    await says('2 written, 2 up to date.')
  })

  test('where the system lets nobody listen, it looks', async () => {
    const { project, file } = watched()
    const deaf = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"'
    const { says } = await begun(project, ['unshare', '--user', '--map-root-user', 'sh', '-c', deaf, 'sh'])
    expect(spawnSync('unshare', ['--user', '--map-root-user', 'sh', '-c', deaf, 'sh', 'true']).status).toBe(0)
    writeFileSync(file, definition('one', 'Seen.'))
    await says('agents/one.md changed: 2 written, 2 up to date.')
  })
})

describe('the end', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s', async (signal, code) => {
    const { project } = watched()
    const { child, ended } = await begun(project)
    child.kill(signal)
    expect(await ended).toBe(code)
    expect(isTaken(project.root)).toBe(false)
  })

  test('Ctrl-C in the middle of a build ends it tidily', async () => {
    const { project } = watched()
    const { child, ended } = await begun(project)
    for (let i = 0; i < 1500; i++) project.put(`agents/many-${i}.md`, definition(`many-${i}`, 'One of many.'))
    while (!isTaken(project.root)) await sleep(2)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(isTaken(project.root)).toBe(false)
    expect(liesOfLock(project.root)).toEqual([])
    expect(leftovers(project.root)).toEqual([])
  })
})
