/** What people read is plain English: the phrases of plain-english.ts are in none of the texts below. */
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { filesBelow, findPhrases, readAndFind } from './plain-english.ts'

/** All that people read, except tests: what is published, and each room. */
const paths = [
  ...readdirSync('src').map((name) => `src/${name}`),
  ...readdirSync('.').filter((name) => /\.(md|ya?ml)$/.test(name)),
  ...['bench', 'docs', 'examples', 'harnesses', 'hud', 'plugins', 'schema', 'scripts'],
].filter((path) => path !== 'src/generated')

/** Names that the journal, the results of commands and harness files publish: they cannot change. */
const published = [
  /^src\/cli\/commands\/show-wire\.ts:\d+: "portrait"/,
  /^src\/team\/(members\/permission|state\/(graph|records))\.ts:\d+: "nobody"/,
  /^scripts\/generate\/results\/work\.ts:\d+: "nobody"/,
  /^scripts\/generate\/results\/\w+\.ts:\d+: "portrait"/,
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
    'The tier is no tier of models.',
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
    'Unasked from now on: read.',
    'A program stops of its own accord.',
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
    'It is no longer there, and that is no reason to stop.',
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
