/** Mistakes sown into harness files, one of each kind: each is found, alone, at its place, with what was probably meant. */
import { expect, test } from 'vitest'
import { builtInLibrary } from '../../../src/harness/library.ts'
import { loadHarness } from '../../../src/harness/schema/load.ts'
import { acorn, problemsOf } from './acorn.ts'

const harness = 'acorn/harness.yaml'
const tools = 'acorn/tools.yaml'
const lab = 'acorn/lab.yaml'

interface Mistake {
  readonly in: string
  /** Where it is reported, if it is another file. */
  readonly found?: string
  readonly from: string
  readonly to: string
  /** The text at whose beginning it is reported; by default `to`. */
  readonly at?: string
  readonly says: string | RegExp
}

const mistakes: Readonly<Record<string, Mistake>> = {
  'a neutral tool of a unit': {
    in: tools,
    from: 'grants: [write, edit]',
    to: 'grants: [wriet, edit]',
    at: 'wriet',
    says: 'units.Patch.grants: "wriet" is not a neutral tool. Did you mean write?',
  },
  'a neutral tool as a key': {
    in: tools,
    from: '  shell: Shell',
    to: '  shel: Shell',
    at: 'shel: Shell',
    says: /^tools: "shel" has no meaning here. Did you mean shell\?$/,
  },
  'a neutral tool of a rule': {
    in: harness,
    from: "tools: [delegate, 'native",
    to: "tools: [delegat, 'native",
    at: 'delegat,',
    says: 'access.base.tools: "delegat" is not a neutral tool. Did you mean delegate?',
  },
  'a neutral tool of a limit': {
    in: harness,
    from: 'tools: [write, edit], action',
    to: 'tools: [wirte, edit], action',
    at: 'wirte',
    says: 'fields.permissionMode.limits.plan.tools: "wirte" is not a neutral tool. Did you mean write?',
  },
  'a harness in a native name': {
    in: harness,
    from: 'native:oak/deep',
    to: 'native:oka/deep',
    at: "'native:oka",
    says: 'access.base.tools: "oka" is not a harness. Did you mean oak?',
  },
  'the folder of another harness': {
    in: harness,
    from: 'harness: claude-code',
    to: 'harness: claudecod',
    at: 'claudecod',
    says: 'readsAlso.harness: "claudecod" is not a harness that Troupe knows. Did you mean claude-code?',
  },
  'what is extended': {
    in: harness,
    from: 'extends: [shared/bark, oak]',
    to: 'extends: [shared/bark, aok]',
    at: 'aok',
    says: 'extends: there is no "aok" to extend. Did you mean oak?',
  },
  'a shared part': {
    in: harness,
    from: 'shared/bark',
    to: 'shared/brak',
    says: 'extends: there is no "shared/brak" to extend. Did you mean shared/bark?',
  },
  'a unit that cannot be removed': {
    in: harness,
    from: '{ tool: Read,',
    to: '{ tool: Raed,',
    at: 'Raed',
    says: 'access.always.tool: "Raed" is not the name of a tool in this file. Did you mean Read?',
  },
  'a unit that a key grants': {
    in: harness,
    from: 'grants: [Read, Write]',
    to: 'grants: [Read, Wirte]',
    at: 'Wirte',
    says: 'access.implies.grants: "Wirte" is not the name of a tool in this file. Did you mean Write?',
  },
  'a unit that goes with another': {
    in: tools,
    from: 'goesWith: Shell',
    to: 'goesWith: Shel',
    at: 'Shel,',
    says: 'units.Watch.goesWith: "Shel" is not the name of a tool in this file. Did you mean Shell?',
  },
  'the unit of a spelling': {
    in: tools,
    from: '{ Shell: Bash }',
    to: '{ Shelf: Bash }',
    at: 'Shelf',
    says: 'spellings: "Shelf" is not the name of a tool in this file. Did you mean Shell?',
  },
  'a unit under a key': {
    in: tools,
    from: 'under: [tools]',
    to: 'under: [tool]',
    at: 'tool]',
    says: 'units.Watch.under: "tool" is not a key of access.layers. Did you mean tools?',
  },
  'a word': {
    in: tools,
    from: 'partial: Search',
    to: 'partial: Serach',
    at: 'Serach',
    says: 'words.glob.partial: "Serach" is not the name of a tool in this file. Did you mean Search?',
  },
  'the tool of a word': {
    in: tools,
    from: '  glob: {',
    to: '  golb: {',
    at: 'golb',
    says: 'words: "golb" has no meaning here. Did you mean glob?',
  },
  'a capability': {
    in: tools,
    from: 'guards: [read, shell]',
    to: 'guards: [read, shel]',
    at: 'shel]',
    says: 'units.Outside.guards: "shel" has no meaning here. Did you mean shell?',
  },
  'a tier': {
    in: harness,
    from: 'haiku: small',
    to: 'hiaku: small',
    at: 'hiaku',
    says: 'models.tiers: "hiaku" is not a tier of models. Did you mean haiku?',
  },
  'the model of a tier': {
    in: harness,
    from: 'haiku: small',
    to: 'haiku: smal',
    at: 'smal }',
    says: 'models.tiers.haiku: "smal" is neither an alias nor fits models.pattern. Did you mean small?',
  },
  'a concept': {
    in: harness,
    from: '  maxTurns: {',
    to: '  maxTurn: {',
    at: 'maxTurn',
    says: 'fields: "maxTurn" has no meaning here. Did you mean maxTurns?',
  },
  'a concept that grants': {
    in: harness,
    from: 'field: memory',
    to: 'field: memroy',
    at: 'memroy',
    says: 'access.implies.field: "memroy" is not a concept. Did you mean memory?',
  },
  'one key for two concepts': {
    in: harness,
    from: 'displayName: title',
    to: 'displayName: turns',
    at: 'turns, min',
    says: 'fields.maxTurns.key: "turns" is the key of displayName too.',
  },
  'a value that is not one of the values': {
    in: harness,
    from: 'high: high }',
    to: 'high: hihg }',
    at: 'hihg',
    says: 'fields.effort.map.high: "hihg" is none of the values. Did you mean high?',
  },
  'a key at the top': {
    in: harness,
    from: 'unknownKeys: ignored',
    to: 'unknownKey: ignored',
    says: '"unknownKey" is not a key of this part. Did you mean unknownKeys?',
  },
  'a key of a field, which could also be a text': {
    in: harness,
    from: 'key: turns',
    to: 'kee: turns',
    at: 'kee',
    says: 'fields.maxTurns: "kee" is not a key of this part. Did you mean key?',
  },
  'a key of a place, which could also be a text': {
    in: harness,
    from: "read: '.acorn",
    to: "reed: '.acorn",
    at: 'reed',
    says: 'carriers.file.project: "reed" is not a key of this part. Did you mean read?',
  },
  'a key of a part that belongs elsewhere': {
    in: lab,
    from: 'oracle:',
    to: 'words: { grep: Search }\noracle:',
    at: 'words',
    says: /"words" does not belong in this file/,
  },
  'one of two forms of a workaround': {
    in: harness,
    from: "none: '{title} has no teams.'",
    to: "nune: '{title} has no teams.'",
    at: 'nune',
    says: 'workarounds.team: "nune" is not a key of this part. Did you mean none?',
  },
  'a consequence': {
    in: harness,
    from: 'unknownKeys: ignored',
    to: 'unknownKeys: ignord',
    at: 'ignord',
    says: 'unknownKeys: "ignord" has no meaning here. Did you mean ignored?',
  },
  'a value of another kind': {
    in: harness,
    from: 'prior: 0.1',
    to: 'prior: [0.1]',
    at: '[0.1]',
    says: 'prior: should be a number, not a list.',
  },
  'a value that no form has': {
    in: harness,
    from: 'displayName: title',
    to: 'displayName: [title]',
    at: '[title]',
    says: 'fields.displayName: should be text or a map, not a list.',
  },
  'a date': {
    in: harness,
    from: 'date: 2026-11-01',
    to: "date: '1.11.2026'",
    at: "'1.11",
    says: 'checked.date: "1.11.2026" is not a date such as 2026-01-31.',
  },
  'a placeholder of a path': {
    in: harness,
    from: 'agents/{name}.md',
    to: 'agents/{nam}.md',
    at: "'.acorn/agents/{nam}",
    says: 'carriers.file.project.write: "{nam}" is not a placeholder here. Did you mean name?',
  },
  'a path for every agent': {
    in: harness,
    from: 'agents/{name}.md',
    to: 'agents/agent.md',
    at: "'.acorn/agents/agent.md",
    says: /needs \{name\}/,
  },
  'a placeholder where there is a glob': {
    in: harness,
    from: "read: '.acorn/agents/*.md'",
    to: "read: '.acorn/agents/{name}.md'",
    at: "'.acorn/agents/{name}.md', write",
    says: 'carriers.file.project.read: "{name}" is not a choice of names such as {a,b}. Use * for any name.',
  },
  'a placeholder of a sentence': {
    in: harness,
    from: '{title} has no teams',
    to: '{titel} has no teams',
    at: "'{titel}",
    says: 'workarounds.team.none: "{titel}" is not a placeholder here. Did you mean title?',
  },
  'a placeholder of MCP tools': {
    in: tools,
    from: "'mcp_{server}_{tool}'",
    to: "'mcp_{server}_tool'",
    says: /needs \{tool\}/,
  },
  'a placeholder of a run': {
    in: lab,
    from: "'{prompt}'",
    to: "'{promt}'",
    says: 'oracle.load.args: "{promt}" is not a placeholder here. Did you mean prompt?',
  },
  'a regular expression': {
    in: harness,
    from: "'^[a-z]+$'",
    to: "'^[a-z+$'",
    says: /"\^\[a-z\+\$" is not a regular expression/,
  },
  'evidence for nothing': {
    in: harness,
    from: 'models.tiers,',
    to: 'models.tirs,',
    at: 'models.tirs',
    says: 'evidence.suggested: "models.tirs" is not in this file. Did you mean models.tiers?',
  },
  'something observed without a version': {
    in: harness,
    from: 'version: 2.1.0',
    to: 'version: null',
    at: 'observed',
    says: /checked.version is missing/,
  },
  'a prompt without its key': {
    in: harness,
    from: '{ in: key, key: prompt }',
    to: '{ in: key }',
    at: 'prompt: { in: key }',
    says: /key is missing/,
  },
  'an id': { in: harness, from: 'id: acorn', to: 'id: Acorn', at: 'Acorn', says: /lower-case letters/ },
  'a tool in a request': {
    in: lab,
    from: 'unless: Read',
    to: 'unless: Raed',
    at: 'Raed',
    says: 'oracle.wire.tools.Search.unless: "Raed" is not a tool in oracle.wire. Did you mean Read?',
  },
  'a name of a part': {
    in: 'acorn/tool.yaml',
    from: '',
    to: 'calls: {}\n',
    says: 'No part of a harness is called "tool". Did you mean tools?',
  },
  'a key that is there twice': {
    in: tools,
    from: 'words:',
    to: 'mcp: null\nwords:',
    at: 'mcp: null',
    says: /not valid YAML: Map keys must be unique/,
  },
  'the same in two files': {
    in: harness,
    from: 'workarounds:',
    to: 'words: { plan: EnterPlan }\nworkarounds:',
    found: tools,
    at: 'plan: null',
    says: 'words.plan is in another file too.',
  },
  'a shared part that is extended': {
    in: 'shared/bark.yaml',
    from: 'note:',
    to: 'noot:',
    at: 'noot',
    says: 'workarounds.ask: "noot" is not a key of this part. Did you mean note?',
  },
  'what is extended refers to what is taken away': {
    in: tools,
    from: 'units:',
    to: 'units:\n  Task: null',
    found: 'oak/harness.yaml',
    at: 'Task }',
    says: 'units.Wait.goesWith: "Task" is not the name of a tool in this file.',
  },
}

test.each(Object.entries(mistakes))('%s', (_, { in: file, found = file, from, to, at = to, says }) => {
  const before = acorn[file] ?? ''
  expect(before).toContain(from)
  const text = before.replace(from, () => to)
  const problems = problemsOf({ [file]: text })
  const place = found === file ? text : (acorn[found] ?? '')
  const start = place.indexOf(at)
  expect(start).toBeGreaterThanOrEqual(0)
  const lines = place.slice(0, start).split('\n')
  const message = typeof says === 'string' ? says : expect.stringMatching(says)
  expect(problems).toEqual([{ file: found, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, message }])
})

test('what is right has no problems', () => {
  expect(problemsOf({})).toEqual([])
})

test('what a file without a text at hand says is reported where that is named', () => {
  const text = 'id: fork\ntitle: Fork\nextends: claude-code\nunits: { Bash: null, Task: null }\n'
  const loaded = loadHarness([{ name: 'fork.yaml', path: 'fork.yaml', text }], builtInLibrary)
  expect(loaded).toEqual({
    problems: [
      {
        file: 'fork.yaml',
        line: 3,
        column: 10,
        message:
          'units.Monitor.goesWith: "Bash" is not the name of a tool in this file. That comes from what this file extends.',
      },
    ],
  })
})

test('several mistakes are all found, in the order of the text', () => {
  const text = (acorn[tools] ?? '')
    .replace('Edit, Patch', 'Edit, {}')
    .replace('[read, shell]', '[raed]')
    .replace('partial', 'partail')
  expect(problemsOf({ [tools]: text }).map(({ line, message }) => [line, message])).toEqual([
    [3, 'tools.edit: should be text, not a map.'],
    [9, 'units.Outside.guards: "raed" has no meaning here. Did you mean read?'],
    [13, 'words.glob: "partail" is not a key of this part. Did you mean partial?'],
  ])
})
