/** What the commands print with `--json` is what the published schemas say, key by key. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/cli/command-table.ts'
import { violations } from './json-schema.ts'

test.each(['overview', ...Object.keys(commands)])('%s has a schema', (name) => {
  expect(existsSync(`schema/results/${name}.json`)).toBe(true)
})

describe('an undocumented key is seen', () => {
  const empty = { schema: 1, agents: [], components: [], outputs: [], nested: [], diagnostics: [] }
  test.each([
    ['a key too many', { ...empty, more: 1 }, ': more is not documented'],
    ['one deep inside', { ...empty, diagnostics: [{ more: 1 }] }, '/diagnostics/0: more is not documented'],
    ['a key too few', { schema: 1, agents: [], components: [], outputs: [], nested: [] }, ': diagnostics is missing'],
    ['another type', { ...empty, agents: {} }, '/agents: not of type array'],
    ['another version', { ...empty, schema: 2 }, '/schema: not 1'],
  ])('%s', (_what, document, sentence) => {
    expect(violations('schema/results/list.json', empty)).toEqual([])
    expect(violations('schema/results/list.json', document)).toContain(sentence)
  })
})

/** Findings end with another exit code, and are printed all the same. */
function run(folder: string, line: string) {
  const words = line.split(' ').filter((word) => word !== '')
  const { stdout } = spawnSync(process.execPath, [resolve('dist/cli.cjs'), ...words, '--json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const document = JSON.parse(stdout)
  return { document, wrong: violations(`schema/results/${words[0] ?? 'overview'}.json`, document) }
}

test('a wrong call is one document too', () => {
  const { document } = run('examples', 'show nobody-of-this-name')
  expect(violations('schema/results/error.json', document)).toEqual([])
})

describe('the examples', () => {
  test.each([
    '',
    'list',
    'check',
    'check --for opencode,codex,gemini-cli',
    'harnesses',
    'harnesses codex',
    'diff --source .claude/agents --to opencode,codex',
    'diff --source .claude/agents --target agents --patch',
    'diff --source .claude/agents --to gemini-cli --patch',
    'verify',
    'undo',
  ])('troupe %s', (line) => {
    expect(run('examples', line).wrong).toEqual([])
  })

  test('show and explain, for every agent', () => {
    const { agents } = run('examples', 'list').document
    for (const { name, harness } of agents) {
      for (const line of [`show ${harness}:${name}`, `explain ${harness}:${name} shell ls`])
        expect([line, run('examples', line).wrong]).toEqual([line, []])
    }
  })
})

const dialects = readdirSync('test/golden').filter((name) => existsSync(`test/golden/${name}/input`))

test.each(dialects)('what becomes of %s in every other dialect', (from) => {
  const targets = readdirSync('harnesses').filter((id) => existsSync(`harnesses/${id}/harness.yaml`))
  const to = targets.filter((id) => id !== from).join(',')
  const { document, wrong } = run(`test/golden/${from}/input`, `convert --from ${from} --to ${to} --dry-run`)
  expect(wrong).toEqual([])
  expect(document.summary.planned).toBeGreaterThan(0)
})
