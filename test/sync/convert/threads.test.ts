/** A large collection on several threads comes out as on one: the same files, the same report, in the same order. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'troupe-threads-'))
const agents = join(root, '.claude', 'agents')

const shapes = [
  'tools: Read, Grep',
  'tools: Bash(git diff:*), Edit',
  'disallowedTools: WebFetch\nmodel: opus',
  'tools: Nonsense',
  'skills: notes',
  'permissionMode: plan',
]

beforeAll(() => {
  mkdirSync(agents, { recursive: true })
  mkdirSync(join(root, '.claude', 'skills', 'notes'), { recursive: true })
  writeFileSync(
    join(root, '.claude', 'skills', 'notes', 'SKILL.md'),
    '---\nname: notes\ndescription: d\n---\nTake notes.\n',
  )
  for (let index = 0; index < 900; index++) {
    const keys = shapes[index % shapes.length]
    const text = `---\nname: a-${index}\ndescription: Number ${index}\n${keys}\n---\nUse the Grep tool, then ask a-${index + 1}.\n`
    writeFileSync(join(agents, `a-${index}.md`), text)
  }
  // Two that become one file, one that is broken, and one that is no agent.
  writeFileSync(join(agents, 'twin.md'), '---\nname: a-1\ndescription: twin\n---\nOther.\n')
  writeFileSync(join(agents, 'broken.md'), '---\nname: broken\ndescription: a: b\ntools: [Read\n---\nYou.\n')
  writeFileSync(join(agents, 'README.md'), '# Agents\n')
})
afterAll(() => rmSync(root, { recursive: true }))

function convert(threads: number) {
  const out = join(root, `out-${threads}`)
  const words = [resolve('dist/cli.cjs'), '-C', root, 'convert', '--to', 'opencode,codex', '--out', out, '--json']
  const environment = { ...process.env, TROUPE_THREADS: String(threads), XDG_CACHE_HOME: join(root, 'cache') }
  const { stdout, status } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    env: environment,
    maxBuffer: 256 * 1024 * 1024,
  })
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.troupe'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  return {
    status,
    report: stdout.replaceAll(`out-${threads}`, 'out'),
    files: files.map((file) => [file.slice(out.length), readFileSync(file, 'utf8')]),
  }
}

test('on one thread and on three', () => {
  const one = convert(1)
  expect(one.files.length).toBeGreaterThan(1000)
  expect(convert(3)).toEqual(one)
})
