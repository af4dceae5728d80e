/** Paths as people see them: the same whether a folder was seen before or not, and in whatever order they are asked for. */
import { homedir } from 'node:os'
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { showPath } from '../../src/disk/roots.ts'

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
