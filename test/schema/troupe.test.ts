/** `schema/troupe.json` takes what Troupe takes, and nothing that it would pass over. */
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { troupeFileText } from '../../src/cli/commands/init.ts'
import { violations } from './json-schema.ts'

const wrong = (text: string) => violations('schema/troupe.json', parse(text))

describe('schema/troupe.json', () => {
  test('takes what `troupe init` writes', () => {
    expect(wrong(troupeFileText({ source: 'agents', targets: ['claude-code', 'opencode:config'] }))).toEqual([])
  })

  test.each([
    ['several sources', 'source: [agents, agents.prs]\ntargets: claude-code'],
    [
      'a folder as PromptScript names it',
      'universalDir: { path: .promptscript, agentsPath: agents }\ntargets: [codex]',
    ],
    ['the usual one', 'universalDir: true\ntargets: [codex]'],
    ['models and reasons', 'models: { codex: { opus: gpt, haiku: null } }\naccept: { codex: { search: it is open } }'],
  ])('takes %s', (_what, text) => {
    expect(wrong(text)).toEqual([])
  })

  test.each([
    ['a key that is misspelt', 'sources: agents'],
    ['a number for a folder', 'source: 5'],
    ['another key inside', 'universalDir: { folder: x }'],
    ['a list for a map', 'accept: [search]'],
  ])('does not take %s', (_what, text) => {
    expect(wrong(text)).not.toEqual([])
  })
})
