/** Paths as people see them: the same whether a folder was seen before or not, and in whatever order they are asked for. */
import { homedir } from 'node:os'
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { showPath } from '../../src/project/roots.ts'

const here = '/work/team/project'

test.each([
  ['/work/team/project', '.'],
  ['/work/team/project/a.md', 'a.md'],
  ['/work/team/project/.claude/agents/a.md', '.claude/agents/a.md'],
  ['/work/team/other/a.md', '../other/a.md'],
  ['/work/team', '..'],
  ['/work/x', '../../x'],
  ['/work/team/project/../other/a.md', '../other/a.md'],
  ['/work/team/project/agents/..', '.'],
  [`${homedir()}/agents/a.md`, '~/agents/a.md'],
  ['/a/b/c/d', '../../../a/b/c/d'],
])('%s is %s', (path, shown) => {
  expect(showPath(here)(path)).toBe(shown)
})

test('what is above is not confused with what lies beside it', () => {
  const show = showPath(here)
  expect(show('/work/team/sibling')).toBe('../sibling')
  expect(show('/work/team/project')).toBe('.')
  expect(show('/work/other')).toBe('../../other')
  expect(show('/work/team')).toBe('..')
})

test('a far place is shown whole, also the second time', () => {
  const show = showPath('/one/two/three/four/five')
  for (const name of ['a', 'b']) expect(show(`/elsewhere/${name}`)).toBe(`/elsewhere/${name}`)
})

test('one asker for many paths says what a new one says', () => {
  const names = ['a', 'b.md', '...', '..x', '.']
  const folders = ['/work', '/work/team', here, `${here}/agents`, '/work/team/other/deep', '/tmp']
  const show = showPath(here)
  for (const folder of folders) {
    for (const name of [...names, ...names]) {
      const path = `${folder}/${name}`
      expect(show(path), path).toBe(showPath(here)(path))
      if (folder.startsWith(`${here}/`) && name !== '.') expect(show(path)).toBe(relative(here, path))
    }
  }
})
