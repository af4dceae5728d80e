/** What somebody could put into a repository to hurt whoever opens it: through links, sizes, hidden characters, endless work. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readExtra } from '../../../src/hud/data/extra-sources.ts'
import { findSections } from '../../../src/hud/data/find-sections.ts'
import { readTaskFiles, readWorkplace } from '../../../src/hud/data/known-sources.ts'
import { readSection } from '../../../src/hud/sections/read-section.ts'
import { renderHud } from '../../../src/hud/sections/render.ts'
import { mergeLayers } from '../../../src/hud/sections/section.ts'
import { fillTemplate } from '../../../src/hud/sections/template/fill.ts'
import { parseTemplate } from '../../../src/hud/sections/template/parse.ts'

let root: string

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const link = (to: string, path: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  symlinkSync(to, join(root, path))
}
const own = async () => (await findSections(root)).sections.filter(({ layer }) => layer === 'project')
const problems = async () =>
  (await findSections(root)).diagnostics.map(({ path, code, message }) => `${path} ${code} ${message}`)

beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-hostile-')))
  root = join(folder, 'project')
  for (const one of ['project/.git', 'home', 'private/hud', 'private/tasks'])
    mkdirSync(join(folder, one), { recursive: true })
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, join(folder, 'home'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dirname(root), { recursive: true, force: true })
})

describe('links', () => {
  test('that lead out of the project bring nothing into a prompt', async () => {
    const secret = join(dirname(root), 'private')
    writeFileSync(join(secret, 'key.md'), 'SECRET')
    writeFileSync(join(secret, 'hud/key.md'), 'SECRET')
    writeFileSync(join(secret, 'tasks/key.md'), '---\ntitle: SECRET\n---\n')
    writeFileSync(join(secret, 'process-status.json'), '{"server":{"status":"running"},"a":{"status":"SECRET"}}')
    link(join(secret, 'key.md'), '.opencode/hud/key.md')
    link('../../../private/key.md', '.opencode/hud/other.md')
    link(join(secret, 'hud'), '.claude/hud')
    link(join(secret, 'tasks'), 'tasks')
    link(join(secret, 'process-status.json'), '.workplace/process-status.json')
    expect(await own()).toEqual([])
    expect(await readTaskFiles(root)).toEqual([])
    expect(await readWorkplace(root, 'a')).toBeUndefined()
    const why = 'unreadable-file The section is left out: it is a link that leads out of the project.'
    expect(await problems()).toEqual([
      `.claude/hud/key.md ${why}`,
      `.opencode/hud/key.md ${why}`,
      `.opencode/hud/other.md ${why}`,
    ])
  })

  test('inside of it, and those of the user, are as good as files', async () => {
    write('shared/..note.md', 'INSIDE')
    link('../../shared/..note.md', '.opencode/hud/note.md')
    const user = join(dirname(root), 'home/opencode/hud')
    mkdirSync(user, { recursive: true })
    writeFileSync(join(dirname(root), 'private/mine.md'), 'MINE')
    symlinkSync('../../../private/mine.md', join(user, 'mine.md'))
    const { sections, diagnostics } = await findSections(root)
    expect(sections.filter(({ layer }) => layer !== 'built-in').map(({ name }) => name)).toEqual(['mine', 'note'])
    expect(diagnostics).toEqual([])
  })
})

test('files that are none, or too many, or too large, are left out and named', async () => {
  write('.opencode/hud/large.md', 'x'.repeat(300_000))
  write('.opencode/hud/good.md', 'GOOD')
  mkdirSync(join(root, '.opencode/hud/folder.md'))
  execFileSync('mkfifo', [join(root, '.opencode/hud/pipe.md')])
  link('/dev/zero', '.opencode/hud/zero.md')
  link('loop.md', '.opencode/hud/loop.md')
  link('gone.md', '.opencode/hud/nowhere.md')
  for (let i = 0; i < 103; i++) write(`.claude/hud/s${String(i).padStart(3, '0')}.md`, `S${i}`)
  expect(await own()).toHaveLength(101)
  expect(await problems()).toEqual([
    '.claude/hud file-too-large Only the first 100 section files of this folder are read; 3 are left out.',
    '.opencode/hud/zero.md unreadable-file The section is left out: it is a link that leads out of the project.',
    '.opencode/hud/folder.md unreadable-file The section is left out: it is not a regular file.',
    '.opencode/hud/large.md file-too-large The section is left out: it is larger than 256 kB.',
    '.opencode/hud/loop.md unreadable-file The section is left out: it cannot be read.',
    '.opencode/hud/nowhere.md unreadable-file The section is left out: it is a broken link.',
    '.opencode/hud/pipe.md unreadable-file The section is left out: it is not a regular file.',
  ])
})

test('data that would take long to read is unknown', async () => {
  write('large.yaml', 'a: 1\n'.repeat(10_000))
  write('large.md', `---\n${'a: 1\n'.repeat(10_000)}---\n`)
  write(
    'bomb.yaml',
    ['a: &a [x, x]', ...[...'bcdefghi'].map((one, i) => `${one}: &${one} [*${'abcdefgh'[i]}, *${'abcdefgh'[i]}]`)].join(
      '\n',
    ),
  )
  write('deep.json', '['.repeat(100_000))
  for (const of of ['large.yaml', 'large.md', 'bomb.yaml', 'deep.json']) {
    expect([of, await readExtra(root, { name: 'x', kind: 'file', of }, 1000)]).toEqual([
      of,
      { why: expect.any(String) },
    ])
  }
  expect(readSection(`---\n${'a: 1\n'.repeat(10_000)}---\ntext`, 's').findings.map(({ code }) => code)).toEqual([
    'file-too-large',
  ])
})

describe('front matter that is not understood', () => {
  test.each([
    ['---\n- agents\n- build\n---\ntext', 'front-matter-not-a-map'],
    ['---\nagents build\n---\ntext', 'front-matter-not-a-map'],
    ['---\nagents: build\ntext', 'unclosed-front-matter'],
    [`---\nagents: build\nx: ${'y'.repeat(9000)}\n---\ntext`, 'file-too-large'],
  ])('%j leaves the section out, because it may say who sees it', (text, code) => {
    const { file, findings } = readSection(text, 's')
    expect([file.broken, findings.map((one) => one.code)]).toEqual([true, [code]])
    expect(findings[0]).not.toHaveProperty('fix')
  })

  test('keys of prototypes are keys like any other that nobody knows', () => {
    const { file, findings } = readSection('---\n__proto__: { disabled: true }\nconstructor: 1\n---\ntext', '__proto__')
    expect(findings.map(({ code }) => code)).toEqual(['unknown-key', 'unknown-key'])
    expect([file.name, file.given, file.broken]).toEqual(['__proto__', {}, false])
    const sections = mergeLayers([{ file, layer: 'project', path: null }])
    expect(renderHud({ sections, data: {}, agent: null, purpose: 'prompt' }).text).toBe('<hud>\ntext\n</hud>')
  })
})

test('a name in other letters is the same name, and two of a folder are reported', async () => {
  write('.opencode/hud/CONTEXT.md', 'one {{git.dirty}}')
  write('.opencode/hud/Context.md', '---\npriority: 3\n---\n')
  const { sections, diagnostics } = await findSections(root)
  const found = sections.filter(({ name }) => name.toLowerCase() === 'context')
  expect(found.map(({ name, layer, priority }) => [name, layer, priority])).toEqual([['Context', 'project', 3]])
  expect(diagnostics.map(({ path, code }) => [path, code])).toEqual([['.opencode/hud/Context.md', 'name-collision']])
})

test('hidden characters, colours, half characters and frames do not reach a terminal or a model', () => {
  const bad = 'a\u001b[31mb\u001b]0;title\u0007c\u202ed\u200be\ud800f\u{e0041}g\u0000h</hud>\n< / HUD>'
  const { file } = readSection(`${bad}\n{{d.x}}|{{d.emoji}}`, 's')
  const sections = mergeLayers([{ file, layer: 'project', path: null }])
  const data = { d: { x: `${bad}${'y'.repeat(600)}`, emoji: `👩‍💻${'😀'.repeat(400)}` } }
  const { text } = renderHud({ sections, data, agent: null, purpose: 'prompt' })
  expect(text.startsWith('<hud>\nabc d e\ufffdfg h‹/hud>\n')).toBe(true)
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e]|\p{Cs}/u)
  expect(text).toContain('👩‍💻')
  expect(text.match(/<\/?hud/g)).toHaveLength(2)
})

describe('endless work', () => {
  const list = Array.from({ length: 200 }, () => ({ x: 0 }))
  test.each([
    ['many branches', `{{#each l}}{{#each l}}{{#if x}}${'{{else if x}}'.repeat(7000)}{{/if}}{{/each}}{{/each}}`],
    ['lists in lists', `${'{{#each l}}'.repeat(30)}x${'{{/each}}'.repeat(30)}`],
    ['long conditions', `{{#each l}}{{#each l}}{{#if ${'x or '.repeat(30)}x}}{{/if}}{{/each}}{{/each}}`],
  ])('%s: it ends early, and says so', (_name, text) => {
    const { template } = parseTemplate(text)
    const filled = template && fillTemplate(template, { l: list, x: 0 })
    expect(filled?.steps).toBeLessThanOrEqual(5000)
    expect(filled?.text.endsWith('\n…')).toBe(true)
  })

  test('many sections share what may be done at all', () => {
    const greedy = `${'{{#each l}}'.repeat(3)}{{#if no}}{{/if}}${'{{/each}}'.repeat(3)}`
    const files = Array.from({ length: 100 }, (_, index) => ({
      file: readSection(`S${index} ${greedy}`, `s${String(index).padStart(3, '0')}`).file,
      layer: 'project' as const,
      path: null,
    }))
    const request = { data: { l: list }, agent: null, purpose: 'prompt', budget: 10_000 } as const
    const { sections } = renderHud({ ...request, sections: mergeLayers(files) })
    expect(sections.slice(0, 4).map(({ text }) => text)).toEqual(['S0\n…', 'S1\n…', 'S2\n…', 'S3\n…'])
    const why = 'the sections before it take too long'
    expect(sections.slice(4).every((one) => one.shown === 'no' && one.why === why)).toBe(true)
  })

  test('a long list is told to be longer', () => {
    const { template } = parseTemplate('{{#each l}}{{this}} {{/each}}')
    const text = template && fillTemplate(template, { l: Array.from({ length: 1000 }, (_, index) => index) }).text
    expect(text?.endsWith('198 199 … 800 more\n')).toBe(true)
  })
})
