/** `troupe build` gives the same to somebody at a terminal and to CI: it asks only where the answers are kept. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const troupe = resolve('dist/cli.cjs')
const outputs = ['.gemini/agents/one.md', '.opencode/agents/one.md', 'troupe.lock']
const base = 'source: agents\ntargets: [gemini-cli, opencode]\n'
let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-questions-'))
  mkdirSync(join(root, '.git'))
  put('troupe.yaml', base)
  put('agents/one.md', '---\nname: one\ndescription: Does it\nmemory: project\nhooks: {Stop: []}\n---\n\nDo it.\n')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** In a real terminal, with these keys pressed. */
function atTerminal(words: string, keys: string) {
  const { CI: _ci, ...env } = process.env
  const command = `'${process.execPath}' '${troupe}' -C '${root}' ${words}`
  const { stdout, status } = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    input: keys,
    env: { ...env, NO_COLOR: '1' },
  })
  return { text: stdout, status }
}

function inCi(words: readonly string[], folder = root) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [troupe, '-C', folder, ...words], {
    encoding: 'utf8',
    env: { ...process.env, CI: 'true' },
  })
  return { text: stdout + stderr, status }
}

/** What a build in CI makes of the same project, before anything was built. */
function builtInCi(): string[] {
  const copy = mkdtempSync(join(tmpdir(), 'troupe-questions-ci-'))
  try {
    cpSync(root, copy, { recursive: true })
    for (const path of ['.gemini', '.opencode', '.troupe', 'troupe.lock'])
      rmSync(join(copy, path), { recursive: true, force: true })
    inCi(['build'], copy)
    return outputs.map((path) => readFileSync(join(copy, path), 'utf8'))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const built = () => outputs.map((path) => readFileSync(join(root, path), 'utf8'))

test('without a place for the answers nothing is asked, and it is said how to be asked', () => {
  const { text, status } = atTerminal('build', 'o\r')
  expect(status).toBe(0)
  expect(text).not.toContain('What should happen')
  expect(text).toMatch(/4 gaps resolved by default\. To decide yourself, add `answers: FILE` to/)
  expect(built()).toEqual(builtInCi())
})

test('answers are kept for everybody', () => {
  put('troupe.yaml', `${base}answers: answers.yaml\n`)
  const { text, status } = atTerminal('build', 'o\r')
  expect({ text, status }).toMatchObject({ text: expect.stringContaining('What should happen'), status: 0 })
  expect(readFileSync(join(root, 'answers.yaml'), 'utf8')).toContain('field-unsupported:hooks: omit')
  expect(built()).toEqual(builtInCi())
  expect(inCi(['build', '--check']).status).toBe(0)
  expect(atTerminal('build', '').text).not.toContain('What should happen')
})

test('answers that cannot be kept count for nobody', () => {
  put('troupe.yaml', `${base}answers: nowhere/answers.yaml\n`)
  const { text, status } = atTerminal('build', 'o\r')
  expect({ text, status }).toMatchObject({ text: expect.stringContaining('Cannot save the answers'), status: 2 })
  expect(existsSync(join(root, 'troupe.lock'))).toBe(false)
})

test('a check asks nothing', () => {
  put('troupe.yaml', `${base}answers: answers.yaml\n`)
  expect(atTerminal('build --check', 'o\r').text).not.toContain('What should happen')
  expect(existsSync(join(root, 'answers.yaml'))).toBe(false)
})

test('onGap and keepAsking hold for the build and for the check', () => {
  put('agents/two.md', '---\nname: two\ndescription: Does more\ntools: Bash\n---\n\nDo more.\n')
  inCi(['build'])
  const before = built()
  put('troupe.yaml', `${base}onGap: omit\nkeepAsking: true\n`)
  expect(inCi(['build', '--check']).text).toContain('built by older rules')
  expect(atTerminal('build', 'o\r').text).not.toContain('resolved by default')
  expect(built()).not.toEqual(before)
  expect(readFileSync(join(root, '.opencode/agents/two.md'), 'utf8')).toMatch(/bash:.*ask/s)
  expect(inCi(['build', '--check']).status).toBe(0)
})

test('a word that onGap does not know', () => {
  put('troupe.yaml', `${base}onGap: maybe\n`)
  expect(inCi(['build'])).toEqual({
    status: 2,
    text: 'troupe: Invalid value "maybe" for onGap in troupe.yaml.\n        Values are ask, workaround, todo, omit.\n',
  })
})
