/** With worktrees, the next member has what the one before has done, and the person learns what was committed for whom. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openPlace, type Place, read } from '../../new-workplace.ts'

let place: Place
afterEach(() => place.close())

const as = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']

function git(...words: string[]): string {
  return execFileSync('git', ['-C', place.root, ...as, ...words], { encoding: 'utf8' })
}

/** No name, no key, and hooks that would tell: nothing of that may be needed or run. */
function openRepository(team: Parameters<typeof openPlace>[0]): void {
  place = openPlace(team)
  git('init', '-q', '-b', 'main')
  place.put('kept.txt', 'as it was\n')
  place.put('.gitignore', 'ignored.txt\n')
  git('add', 'kept.txt', '.gitignore')
  git('commit', '-qm', 'first')
  git('config', 'commit.gpgSign', 'true')
  git('config', 'gpg.program', `${place.root}/signed.sh`)
  place.put('signed.sh', `#!/bin/sh\ntouch ${place.root}/signed\nexit 1\n`)
  for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'post-merge', 'post-checkout', 'pre-merge-commit'])
    place.put(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${place.root}/hooked\n`)
  execFileSync('sh', ['-c', `chmod +x ${place.root}/.git/hooks/* ${place.root}/signed.sh`])
}

const handOn = (from: string, to: string, text: string) => `troupe work send ${from} ${to} "Handoff: ${text}"`
const commit = `git ${as.join(' ')} -c core.hooksPath=/dev/null -c commit.gpgSign=false commit -q`
const answerOf = (name: string, nth = 0) =>
  [...place.state().handoffs.values()].filter(({ to }) => to === name)[nth]?.answer ?? ''
const start = (name: string) => place.troupe('start', name, 'work', '--worktree')

test('the receiver starts from the commit of the sender, and is told which, and what changed', () => {
  openRepository({
    'coder > reviewer': `echo new > kept.txt; ${commit} -am mine; ${handOn('coder', 'reviewer', 'review it')}; sleep 0.3; echo more > more.txt; git add more.txt; ${commit} -m more; echo handed`,
    reviewer: 'cat kept.txt more.txt; cat',
  })
  expect(start('coder').code).toBe(0)
  const answer = answerOf('reviewer')
  expect(answer).toMatch(/^new\nmore\n/)
  const branch = /troupe\/coder-\w+/.exec(answer)?.[0] ?? ''
  const head = git('rev-parse', branch).trim().slice(0, 10)
  expect(answer).toContain(`It has the commit ${head} of coder (branch ${branch}).`)
  expect(answer).toContain('Changed since this work began:\n kept.txt | 2 +-\n more.txt | 1 +\n 2 files changed')
  expect(answer).not.toContain('Troupe has committed')
  const [, handoff] = place.state().handoffs.values()
  expect(handoff?.ref).toEqual({ branch, commit: git('rev-parse', branch).trim() })
})

test('what is uncommitted is committed to the branch of the sender, without hooks or keys, and said to all', () => {
  openRepository({
    'coder > reviewer': `echo half > kept.txt; echo other > new.txt; echo no > ignored.txt; ${handOn('coder', 'reviewer', 'review it')}; echo handed`,
    reviewer: 'cat kept.txt new.txt; ls; cat',
  })
  expect(start('coder').code).toBe(0)
  const answer = answerOf('reviewer')
  expect(answer).toMatch(/^half\nother\n/)
  expect(answer).not.toContain('ignored.txt')
  expect(answer).toMatch(/coder left uncommitted work; Troupe has committed it to troupe\/coder-\w+ \(\w{10}\)\./)
  expect(read(place.chat)).toMatch(/\[server-to-user\]: coder left uncommitted work; Troupe has committed it to/)
  const branch = /troupe\/coder-\w+/.exec(answer)?.[0] ?? ''
  expect(git('log', '-1', '--format=%an: %s', branch)).toBe('Troupe: Uncommitted work of coder\n')
  expect(git('show', `${branch}:new.txt`)).toBe('other\n')
  expect([existsSync(join(place.root, 'hooked')), existsSync(join(place.root, 'signed'))]).toEqual([false, false])
  expect(read(join(place.root, 'kept.txt'))).toBe('as it was\n')
  expect(git('status', '--porcelain', '--untracked-files=no')).toBe('')
})

const once = (first: string, then: string) => `if [ -e begun ]; then ${then}; else touch begun; ${first}; fi`

test('what a reviewer changed is there when it hands back', () => {
  openRepository({
    'coder > reviewer': once(
      `echo half > kept.txt; ${handOn('coder', 'reviewer', 'review it')}; echo handed`,
      'cat kept.txt; cat',
    ),
    'reviewer > coder': `echo mended > kept.txt; ${handOn('reviewer', 'coder', 'look again')}; echo handed`,
  })
  expect(start('coder').code).toBe(0)
  expect(answerOf('coder', 1)).toMatch(/^mended\n/)
  expect(answerOf('coder', 1)).toContain('Changed since you last worked here:\n kept.txt | 2 +-\n')
  expect(readdirSync(place.worktrees)).toEqual([])
})

test('where both have changed something else, it is merged', () => {
  openRepository({
    'coder > reviewer': once(`${handOn('coder', 'reviewer', 'review it')}; echo handed`, 'cat mine.txt kept.txt; cat'),
    'reviewer > coder ben': `echo mended > kept.txt; ${commit} -am mend; ${handOn('reviewer', 'ben', 'go on')}; echo handed`,
    'ben > coder': `for tree in ${'$'}TROUPE_WORKPLACE/.workplace/run/worktrees/coder-*; do echo mine > ${'$'}tree/mine.txt; done; ${handOn('ben', 'coder', 'look again')}; echo handed`,
  })
  expect(start('coder').code).toBe(0)
  expect(answerOf('coder', 1)).toMatch(/^mine\nmended\n/)
})

test('where both have changed the same, the receiver gets a tree of its own, and nothing is lost', () => {
  openRepository({
    'coder > reviewer': once(`${handOn('coder', 'reviewer', 'review it')}; echo handed`, 'echo unused'),
    'reviewer > ben': `echo mended > kept.txt; ${handOn('reviewer', 'ben', 'go on')}; echo handed`,
    'ben > coder': `for tree in ${'$'}TROUPE_WORKPLACE/.workplace/run/worktrees/coder-*; do echo mine > ${'$'}tree/kept.txt; done; ${handOn('ben', 'coder', 'look again')}; echo handed`,
  })
  place.put(
    'troupe.yaml',
    read(join(place.root, 'troupe.yaml')).replace('echo unused', 'cat kept.txt; git branch --show-current'),
  )
  expect(start('coder').code).toBe(0)
  const [seen = '', branch = ''] = answerOf('coder', 1).split('\n')
  expect(seen).toBe('mended')
  expect(branch).toMatch(/^troupe\/coder-\w+-\w{6}$/)
  expect(read(place.chat)).toMatch(/could not be merged into its branch troupe\/coder-\w+ \(it conflicts/)
  expect(git('show', `${branch.replace(/-\w{6}$/, '')}:kept.txt`)).toBe('mine\n')
})

test('commits on no branch are not thrown away', () => {
  openRepository({ ada: `git checkout -q --detach; echo new > kept.txt; ${commit} -am loose; echo done` })
  start('ada')
  expect(place.troupe('status').stdout).toContain('commits on no branch, in')
  expect(readdirSync(place.worktrees)).toHaveLength(1)
})

test('without worktrees nothing is committed', () => {
  openRepository({
    'coder > reviewer': `echo half > kept.txt; ${handOn('coder', 'reviewer', 'review it')}; echo handed`,
    reviewer: 'cat kept.txt; cat',
  })
  expect(place.troupe('start', 'coder', 'work').code).toBe(0)
  expect(answerOf('reviewer')).toMatch(/^half\n/)
  expect(answerOf('reviewer')).not.toContain('worktree')
  expect(git('log', '--all', '--format=%s')).toBe('first\n')
})
