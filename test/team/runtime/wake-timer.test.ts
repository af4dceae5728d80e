/** The folders of a workplace are listened to, each for its own reason, also after one was replaced. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { workplacePaths } from '../../../src/team/engine/paths.ts'
import { watchWorkplace } from '../../../src/team/runtime/wake-timer.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-wake-')))
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('each folder tells its own, and an inbox that was made anew is heard too', async () => {
  const places = workplacePaths(root)
  for (const folder of [places.folder, places.inbox, places.claims]) mkdirSync(folder, { recursive: true })
  const heard = new Set<string>()
  const watching = watchWorkplace(places, {
    chat: () => heard.add('chat'),
    status: () => heard.add('status'),
    inbox: () => heard.add('inbox'),
    claim: (run) => heard.add(`claim ${run}`),
  })
  const isHeard = (what: string) => vi.waitFor(() => expect(heard).toContain(what), { timeout: 10_000 })
  expect(watching.isWhole()).toBe(true)
  writeFileSync(places.chat, '')
  writeFileSync(join(places.claims, 'x.1'), '')
  await Promise.all([isHeard('chat'), isHeard('claim x.1')])
  expect(heard).not.toContain('status')
  rmSync(places.inbox, { recursive: true })
  mkdirSync(places.inbox)
  await vi.waitFor(() => expect(watching.renew()).toBe(true), { timeout: 10_000 })
  heard.clear()
  writeFileSync(join(places.inbox, 'message'), '')
  await isHeard('inbox')
  watching.close()
})
