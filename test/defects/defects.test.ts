/** The defects that `npm run test:defects` puts into the code: each still fits the code that it is about. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const patches = readdirSync('test/defects').filter((name) => name.endsWith('.patch'))

test('there are defects', () => {
  expect(patches.length).toBeGreaterThanOrEqual(20)
})

test.each(patches)('%s applies', (name) => {
  const { stderr } = spawnSync('git', ['apply', '--check', `test/defects/${name}`], { encoding: 'utf8' })
  expect(stderr).toBe('')
})
