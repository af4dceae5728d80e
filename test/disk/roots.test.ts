/** Paths as people see them, the same in whatever order they are asked for; what lies in what; folders upwards. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { foldersUp, isInside, projectFolders, realInside, showPath } from '../../src/disk/roots.ts'

const here = '/srv/team/project'

test.each([
  ['/srv/team/project', '.'],
  ['/srv/team/project/a.md', 'a.md'],
  ['/srv/team/project/.claude/agents/a.md', '.claude/agents/a.md'],
  ['/srv/team/other/a.md', '../other/a.md'],
  ['/srv/team', '..'],
  ['/srv/x', '../../x'],
  ['/srv/team/project/../other/a.md', '../other/a.md'],
  ['/srv/team/project/agents/..', '.'],
  [`${homedir()}/agents/a.md`, '~/agents/a.md'],
  ['/a/b/c/d', '../../../a/b/c/d'],
])('%s is %s', (path, shown) => {
  expect(showPath(here)(path)).toBe(shown)
})

test('what is above is not confused with what lies beside it', () => {
  const show = showPath(here)
  expect(show('/srv/team/sibling')).toBe('../sibling')
  expect(show('/srv/team/project')).toBe('.')
  expect(show('/srv/other')).toBe('../../other')
  expect(show('/srv/team')).toBe('..')
})

test('a far place is shown whole, also the second time', () => {
  const show = showPath('/one/two/three/four/five')
  for (const name of ['a', 'b']) expect(show(`/elsewhere/${name}`)).toBe(`/elsewhere/${name}`)
})

test('one asker for many paths says what a new one says', () => {
  const names = ['a', 'b.md', '...', '..x', '.']
  const folders = ['/srv', '/srv/team', here, `${here}/agents`, '/srv/team/other/deep', '/tmp']
  const show = showPath(here)
  for (const folder of folders) {
    for (const name of [...names, ...names]) {
      const path = `${folder}/${name}`
      expect(show(path), path).toBe(showPath(here)(path))
      if (folder.startsWith(`${here}/`) && name !== '.') expect(show(path)).toBe(relative(here, path))
    }
  }
})

test.each([
  ['/srv/team', true],
  ['/srv/team/a', true],
  ['/srv/team/..a', true],
  ['/srv/team/a/../b', true],
  ['/srv/team/../other', false],
  ['/srv/teams', false],
  ['/srv', false],
  ['/', false],
])('in /srv/team, %s: %s', (path, inside) => {
  expect(isInside('/srv/team', path)).toBe(inside)
})

test('everything is in the root of the disk', () => {
  expect(isInside('/', '/srv/..team')).toBe(true)
})

test('through links, what counts is where they lead', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-roots-')))
  mkdirSync(join(root, 'in/..deep'), { recursive: true })
  writeFileSync(join(root, 'in/..deep/file'), '')
  writeFileSync(join(root, 'secret'), '')
  symlinkSync('..deep/file', join(root, 'in/near'))
  symlinkSync('../secret', join(root, 'in/far'))
  symlinkSync('nowhere', join(root, 'in/lost'))
  symlinkSync('in', join(root, 'alias'))
  const file = join(root, 'in/..deep/file')
  expect(['..deep/file', 'near', file].map((path) => realInside(join(root, 'alias'), path))).toEqual(
    Array(3).fill(file),
  )
  expect(['far', 'lost', 'gone', '../secret'].map((path) => realInside(join(root, 'in'), path))).toEqual(
    Array(4).fill(null),
  )
  expect(realInside(join(root, 'gone'), file)).toBeNull()
  rmSync(root, { recursive: true, force: true })
})

test('folders upwards, nearest first', () => {
  expect(foldersUp('/a/b/c')).toEqual(['/a/b/c', '/a/b', '/a', '/'])
  expect(foldersUp('/a/b/c', '/a')).toEqual(['/a/b/c', '/a/b', '/a'])
  expect(foldersUp('/a', '/b')).toEqual(['/a', '/'])
  expect(foldersUp('/')).toEqual(['/'])
})

test('a project begins where something marks it, else where one stands', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-roots-')))
  mkdirSync(join(root, 'a/b'), { recursive: true })
  writeFileSync(join(root, 'troupe.yaml'), '')
  expect(projectFolders(join(root, 'a/b'))).toEqual([root, join(root, 'a'), join(root, 'a/b')])
  rmSync(root, { recursive: true, force: true })
  expect(projectFolders('/srv/no/project')).toEqual(['/srv/no/project'])
})
