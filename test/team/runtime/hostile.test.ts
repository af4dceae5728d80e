/** What comes with a project that means ill: a sentence at most, nothing is written elsewhere, and nothing draws on the screen. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPlace, type Place } from '../new-workplace.ts'

let place: Place
let elsewhere: string
beforeEach(() => {
  elsewhere = mkdtempSync(join(tmpdir(), 'troupe-elsewhere-'))
  place = openPlace({ ada: 'cat > /dev/null; echo ok' })
})
afterEach(() => {
  place.close()
  rmSync(elsewhere, { recursive: true, force: true })
})

const commands = [
  ['status'],
  ['log'],
  ['doctor'],
  ['check'],
  ['start', 'ada', 'hello'],
  ['send', 'user', 'ada', 'hello'],
  ['stop'],
] as const

/** What all commands say; none of them may fail in a way that nobody thought of. */
function all(): string {
  return commands
    .map((words) => {
      const { code, stdout, stderr } = place.troupe(...words)
      expect([words, code, stderr]).toEqual([words, expect.toBeOneOf([0, 1, 2]), expect.not.stringMatching(/^\s+at /m)])
      return `${stdout}\n${stderr}`
    })
    .join('\n')
}

const inPlace = (path: string) => join(place.root, '.workplace', path)

test.each(['chat.md', 'tasks.jsonl', 'run/journal.jsonl', 'run/chat-lines', 'process-status.json', 'run/lock.7'])(
  '%s is a link to a file of somebody else',
  (path) => {
    const victim = join(elsewhere, 'victim')
    writeFileSync(victim, 'precious\n')
    rmSync(inPlace(path), { force: true })
    symlinkSync(victim, inPlace(path))
    expect(all()).toContain(`.workplace/${path} is a link out of the project`)
    expect(readFileSync(victim, 'utf8')).toBe('precious\n')
  },
)

test.each(['', 'run', 'run/inbox'])('the folder .workplace/%s is a link', (path) => {
  const folder = path === '' ? join(place.root, '.workplace') : inPlace(path)
  renameSync(folder, join(elsewhere, 'folder'))
  symlinkSync(join(elsewhere, 'folder'), folder)
  expect(all()).toContain('is a link out of the project')
  const { code, stderr } = place.troupe('init')
  expect([code, stderr]).toEqual([2, expect.stringContaining('is not a folder')])
})

test('a chat that is a folder, and a lock that is one', () => {
  rmSync(inPlace('chat.md'), { force: true })
  mkdirSync(inPlace('chat.md'))
  expect(all()).toContain('.workplace/chat.md is not a file')
  rmSync(inPlace('chat.md'), { recursive: true })
  mkdirSync(inPlace('run/lock.900'))
  expect(all()).toContain('.workplace/run/lock.900 is not a file')
})

test.each([
  'lock.9007199254740991',
  'lock.9007199254740992',
  'lock.99999999999999999999999',
  'journal.9007199254740993.jsonl',
])('run/%s, which no number can follow', (name) => {
  writeFileSync(inPlace(`run/${name}`), 'free')
  expect(all()).toContain(`.workplace/run/${name} has the highest possible number`)
})

test('such a lock comes while a workplace runs: it goes on, and ends when it is done', () => {
  place.close()
  place = openPlace({ ada: 'echo free > .workplace/run/lock.9007199254740992; echo ok' })
  expect(place.troupe('start', 'ada', 'hello')).toMatchObject({ code: 0, stdout: 'ok\n' })
})

test('records without what they should hold are damaged lines', () => {
  place.troupe('start', 'ada', 'first')
  const kinds = [
    'seen',
    'snapshot',
    'read',
    'broken',
    'held',
    'unfinished',
    'asked',
    'completed',
    'constructor',
    'nope',
  ]
  const bad = kinds.map((t, index) => JSON.stringify({ n: 1000 + index, records: [{ t }] }))
  appendFileSync(inPlace('run/journal.jsonl'), `rubbish\n[]\nnull\n${bad.join('\n')}\n\u0000\n`)
  expect(all()).toContain('damaged lines')
})

test('names, roles and tasks do not draw on the terminal', () => {
  const sequence = '\\e[2J\\e]0;gone\\a'
  place.put(
    '.workplace/agents/evil.md',
    `---\nname: "evil${sequence}"\nrole: "a${sequence}"\ntriggers: ["${sequence}"]\nhandoff_to: ["x${sequence}"]\n---\nYou work.\n`,
  )
  appendFileSync(
    inPlace('chat.md'),
    '[user-to-ada]: \u001b[2Jclear\n[user-to-ada] @ [\u001b[31mx]: hi\n[\u001b[2J-to-ada]: x\n',
  )
  expect(all()).not.toContain('\u001b')
  const { stdout, stderr } = place.troupe('start', 'evil\u001b[2J\u001b]0;gone\u0007', 'hello')
  expect(stdout + stderr).not.toContain('\u001b')
})

test.each([
  ['work: { command: "echo \\0" }', 'has a NUL character'],
  ['work: { command: [cat, "\\0"] }', 'has a NUL character'],
  [`work: { command: "echo ${'x'.repeat(110_000)}" }`, 'more than 100000'],
  ['work: { command: "true", backoff: 1.0e+300 }', 'work.backoff must be a number above zero and at most 1000000'],
  ['work: { members: { __proto__: { command: touch made }, ada: 7 } }', 'work.members.ada must be a set'],
  ['work: [1]', 'work must be a set'],
])('settings %#', (text, sentence) => {
  place.put('troupe.yaml', text)
  expect(all().replace(/\s+/g, ' ')).toContain(sentence)
  expect(existsSync(join(place.root, 'made'))).toBe(false)
})
