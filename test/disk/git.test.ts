/** Git is asked and worked with, and whatever a repository configures, it starts no program but a filter that is wanted. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { disabledMergeDrivers, runGit } from '../../src/disk/git.ts'

let root: string
const git = (...words: string[]) => execFileSync('git', ['-C', root, ...words], { stdio: 'pipe' })
const limit = 20_000

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-git-'))
  git('init', '--quiet')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@b')
  writeFileSync(join(root, 'a.txt'), 'one\n')
  git('add', '.')
  git('commit', '--quiet', '--message', 'first')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('filters run for work, and never for a question', async () => {
  git('config', 'filter.mark.clean', `touch '${root}/ran'; cat`)
  writeFileSync(join(root, '.gitattributes'), '* filter=mark\n')
  writeFileSync(join(root, 'a.txt'), 'two\n')
  expect(await runGit(root, ['status', '--short'], { limit, filters: 'off' })).toContain('a.txt')
  expect(existsSync(join(root, 'ran'))).toBe(false)
  await runGit(root, ['add', 'a.txt'], { limit, filters: 'on' })
  expect(existsSync(join(root, 'ran'))).toBe(true)
})

test.each(['off', 'on'] as const)('filters %s: no monitor, no hook, no fetching', async (filters) => {
  git('config', 'core.fsmonitor', `touch '${root}/.git/monitored'`)
  mkdirSync(join(root, '.git/hooks'), { recursive: true })
  writeFileSync(join(root, '.git/hooks/post-checkout'), '#!/bin/sh\ntouch "$GIT_DIR/hooked"\n', { mode: 0o755 })
  await runGit(root, ['status', '--short'], { limit, filters })
  await runGit(root, ['checkout', '--quiet', '-b', `other-${filters}`], { limit, filters })
  expect(['monitored', 'hooked'].filter((name) => existsSync(join(root, '.git', name)))).toEqual([])
  const elsewhere = join(root, 'elsewhere')
  await expect(runGit(root, ['clone', '--quiet', `file://${root}`, elsewhere], { limit, filters })).rejects.toThrow(
    /not allowed/,
  )
})

test.each(['off', 'on'] as const)('filters %s: a repository that hides in a folder is none', async (filters) => {
  execFileSync('git', ['clone', '--quiet', '--bare', root, join(root, 'bare')])
  await expect(runGit(join(root, 'bare'), ['log'], { limit, filters })).rejects.toThrow(/bare/)
})

test('what takes too long fails', async () => {
  git('config', 'alias.wait', '!sleep 60')
  await expect(runGit(root, ['wait'], { limit: 300, filters: 'on' })).rejects.toThrow()
})

test('merge drivers are switched off by name', async () => {
  git('config', 'merge.own.driver', 'touch ran')
  expect(await disabledMergeDrivers(root, limit)).toEqual(['-c', 'merge.own.driver=false'])
})
