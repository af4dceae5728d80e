/** Adapters on the disk: where the harness file goes, what it is never written over, and that it is trusted. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadUserHarnesses } from '../../src/project/user-harnesses.ts'
import { importHarness } from '../../src/sync/import-harness.ts'
import { adapter, openCodeV1 } from '../harness/adapter/adapters.ts'
import { registry } from '../reading.ts'

let root = ''
let project = ''
const config = process.env.XDG_CONFIG_HOME

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-import-'))
  project = join(root, 'project')
  mkdirSync(join(project, 'inner'), { recursive: true })
  writeFileSync(join(project, 'troupe.yaml'), '')
  writeFileSync(join(project, 'adapter.md'), adapter())
  process.env.XDG_CONFIG_HOME = join(root, 'config')
})
afterEach(() => {
  rmSync(root, { recursive: true, force: true })
  if (config === undefined) delete process.env.XDG_CONFIG_HOME
  else process.env.XDG_CONFIG_HOME = config
})

const file = '.troupe/harnesses/some-program.yaml'

function bringIn(more: { out?: string; force?: boolean; id?: string; here?: string } = {}) {
  const { out = null, force = false, id = null, here = project } = more
  return importHarness({ registry, here, file: join(project, 'adapter.md'), out, force, id, today: '2026-11-15' })
}

test('the file goes to the project, and is trusted', async () => {
  const result = await bringIn()
  expect(result).toMatchObject({ path: file, status: 'written' })
  const own = await loadUserHarnesses(project)
  expect(own.diagnostics).toEqual([])
  expect(own.harnesses.map(({ id }) => id)).toEqual(['some-program'])
})

test('the list of trust is for its user alone, and stays where a link leads', async () => {
  const list = join(root, 'config/troupe/trusted-harnesses.json')
  mkdirSync(join(root, 'config/troupe'), { recursive: true })
  writeFileSync(join(root, 'list.json'), '[]')
  symlinkSync(join(root, 'list.json'), list)
  await bringIn()
  expect(lstatSync(list).isSymbolicLink()).toBe(true)
  expect(statSync(list).mode & 0o777).toBe(0o600)
})

test('wherever one stands in it', async () => {
  const here = join(project, 'inner')
  expect(await bringIn({ here })).toMatchObject({ path: `../${file}`, status: 'written' })
  expect((await loadUserHarnesses(here)).harnesses).toHaveLength(1)
})

test('a file that was changed since is no longer trusted', async () => {
  await bringIn()
  writeFileSync(join(project, file), `${readFileSync(join(project, file), 'utf8')}# changed\n`)
  expect((await loadUserHarnesses(project)).diagnostics).toMatchObject([{ code: 'untrusted-harness-file' }])
})

test('another file is only replaced by force', async () => {
  await bringIn()
  expect(await bringIn()).toMatchObject({ status: 'unchanged' })
  writeFileSync(join(project, file), 'mine\n')
  const refused = await bringIn()
  expect(refused.status).toBe('failed')
  expect(refused.diagnostics).toContainEqual(expect.objectContaining({ code: 'not-written', path: file }))
  expect(readFileSync(join(project, file), 'utf8')).toBe('mine\n')
  expect(await bringIn({ force: true })).toMatchObject({ status: 'written' })
  expect((await loadUserHarnesses(project)).harnesses).toHaveLength(1)
})

test('it can go elsewhere, and have another name', async () => {
  const out = join(root, 'elsewhere', 'x.yaml')
  expect(await bringIn({ out, id: 'other' })).toMatchObject({
    status: 'written',
    imported: { harness: { id: 'other' } },
  })
  expect(readFileSync(out, 'utf8')).toMatch(/^id: other\n/)
  expect(existsSync(join(project, '.troupe'))).toBe(false)
})

test('a link that came with the project leads nowhere', async () => {
  mkdirSync(join(root, 'outside'))
  symlinkSync(join(root, 'outside'), join(project, '.troupe'))
  expect(await bringIn()).toMatchObject({
    status: 'failed',
    diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'not-written' })]),
  })
  expect(existsSync(join(root, 'outside', 'harnesses'))).toBe(false)
})

test('who replaces what Troupe knows itself is told', async () => {
  writeFileSync(join(project, 'adapter.md'), openCodeV1)
  const { diagnostics } = await bringIn()
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code: 'harness-replaced', hint: 'To keep both, import it with --id NAME.' }),
  )
  const { diagnostics: others } = await bringIn({ id: 'opencode-go' })
  expect(others.map(({ code }) => code)).not.toContain('harness-replaced')
})

test('what cannot be used is told with its line, and nothing is written', async () => {
  writeFileSync(join(project, 'adapter.md'), adapter({ 'Tool Name Mappings': 'Nothing here.' }))
  const result = await bringIn()
  expect(result).toMatchObject({ path: null, status: 'failed' })
  expect(result.diagnostics).toContainEqual(
    expect.objectContaining({ code: 'broken-adapter', path: 'adapter.md', line: expect.any(Number) }),
  )
  expect(existsSync(join(project, '.troupe'))).toBe(false)
})

test('a folder or a missing file is a diagnostic', async () => {
  rmSync(join(project, 'adapter.md'))
  expect(await bringIn()).toMatchObject({ status: 'failed', diagnostics: [{ code: 'unreadable-file' }] })
  mkdirSync(join(project, 'adapter.md'))
  expect(await bringIn()).toMatchObject({ status: 'failed', diagnostics: [{ code: 'unreadable-file' }] })
})
