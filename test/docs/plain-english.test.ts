/** What people read is plain English: the phrases of plain-english.ts are in none of the texts below. */
import { describe, expect, test } from 'vitest'
import { filesBelow, findPhrases, readAndFind } from './plain-english.ts'

/** Files, and folders with all that is in them. */
const paths = [
  'src/model',
  'src/formats',
  'src/harness/effective',
  'src/harness/read',
  'src/harness/recognise',
  'src/harness/write',
  'src/harness/facts.ts',
  'src/harness/keys.ts',
  'src/harness/limiting-words.ts',
  'src/harness/registry.ts',
  'src/harness/units.ts',
  'src/check',
  'src/convert',
  'src/workbench',
  'src/disk',
  'src/project',
  'src/sync',
  'src/report',
  ...filesBelow('src/cli').filter((file) => !/\/(work\/|completion|hud|verify)/.test(file.slice('src/cli'.length))),
  'src/cli.cjs',
  'src/api.ts',
  'docs/diagnostics.md',
  'schema/diagnostic.json',
]

/** Names that the journal, the results of commands and harness files publish: they cannot change. */
const published = [
  /^src\/cli\/commands\/show-wire\.ts:\d+: "portrait"/,
  /^src\/team\/(members\/permission|state\/(graph|records))\.ts:\d+: "nobody"/,
  /^scripts\/generate\/results\/work\.ts:\d+: "nobody"/,
  /^scripts\/generate\/results\/\w+\.ts:\d+: "portrait"/,
  /^src\/verify\/(compare|loader)\.ts:\d+: "told": write reported, shown or given/,
]

describe('plain English', () => {
  test.each(paths)('%s', (path) => {
    expect(filesBelow(path)).not.toEqual([])
    expect(readAndFind(path).filter((line) => !published.some((one) => one.test(line)))).toEqual([])
  })
})

describe('the search', () => {
  test.each([
    'The key stands twice.',
    'Whoever is not answered waits.',
    'What it means nobody can say.',
    'Two outputs are not told.',
    'The CHANGELOG tells of it.',
    'It goes on.',
    'This is what OpenCode makes of it.',
    'Hooks, servers and the like.',
    'All targets are in step.',
    'There is none such.',
    'Dead grants come alive.',
    'Start anew.',
    'The file, and the agents therein.',
    'This is no map of settings.',
    'A file lies among agents.',
    'Its folder lies outside.',
    'An agent that the harness brings along.',
    'It does not go along.',
    'Troupe passes over it.',
    'OpenCode does not heed it.',
    'Mend it.',
    'It takes it that nothing is allowed.',
    'It leaves this file out without a word.',
    'The lines end otherwise than in the file.',
    'The target does not hold to it.',
    'Here should stand an agent.',
    'A portrait of a request.',
  ])('finds: %s', (sentence) => {
    expect(findPhrases('a.md', sentence)).not.toEqual([])
    expect(findPhrases('a.ts', `/** ${sentence} */\nconst a = 1`)).not.toEqual([])
    expect(findPhrases('a.ts', `const a = ${JSON.stringify(sentence)}`)).not.toEqual([])
    expect(findPhrases('a.json', JSON.stringify({ description: sentence }, null, 2))).not.toEqual([])
  })

  test.each([
    '`*` stands for any name, and a stub is a stand-in for the model.',
    'Troupe understands outstanding words and leaves a standalone file alone.',
    'Two agents that cannot be told apart.',
    'The finding `not-in-step`, and what happens in step 3.',
    'There is no file, there was no agent, and the file is no longer there.',
    'Then it goes on to the next file.',
    'Recommended amendments are held together.',
    'This file is not a map.',
  ])('leaves alone: %s', (sentence) => {
    expect(findPhrases('a.md', sentence)).toEqual([])
  })

  test('leaves code alone, and sees names', () => {
    expect(findPhrases('a.ts', 'const stands = anew + heard')).toEqual([])
    expect(findPhrases('a.ts', 'const toldBefore = 1')).toEqual([
      'a.ts:1: "toldBefore": write reported, shown or given',
    ])
    expect(findPhrases('src/portrait.ts', 'export {}')).toHaveLength(1)
  })

  test('gives the line', () => {
    expect(
      findPhrases('a.ts', 'const a = 1\n\n/**\n * Keys that\n * lie\n * in it.\n */\nconst b = `x ${a} anew`'),
    ).toEqual(['a.ts:5: "lie * in": write "is"', 'a.ts:8: "anew": write "again", or "from scratch"'])
  })
})

describe('plain English in teams, tools and documents', () => {
  test.each([
    'src/cli/commands/hud.ts',
    'src/cli/commands/hud-install.ts',
    'src/cli/commands/hud-render.ts',
    'src/cli/commands/verify.ts',
    'src/cli/work',
    'src/hud',
    'src/team',
    'src/verify',
    'plugins',
    'bench',
    'scripts',
    'hud',
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'action.yml',
    'examples/README.md',
    'docs/README.md',
    'docs/faults.md',
    'docs/fidelity.md',
    'docs/hud.md',
    'docs/library.md',
    'docs/members.md',
    'docs/proof.md',
    'docs/work.md',
    'schema/results',
    'schema/troupe.json',
  ])('%s', (path) => {
    expect(filesBelow(path)).not.toEqual([])
    expect(readAndFind(path).filter((line) => !published.some((one) => one.test(line)))).toEqual([])
  })
})
