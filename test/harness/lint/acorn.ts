/** A made-up family of harnesses, with all parts that files can have: what is wrong with it is sown by tests. */
import { builtInLibrary } from '../../../src/harness/library.ts'
import { type HarnessProblem, parseFile } from '../../../src/harness/lint/places.ts'
import { type Library, loadHarness } from '../../../src/harness/schema/load.ts'
import type { DataMap } from '../../../src/harness/schema/merge.ts'

export const acorn: Readonly<Record<string, string>> = {
  'oak/harness.yaml': `id: oak
title: Oak
checked: { version: 1.0.0, date: 2026-10-01 }
evidence: { default: observed, claimed: [units.Read, fields.color], suggested: [words, composition] }
carriers:
  file: { project: .oak/agents/*.md, name: { key: name, path: stem } }
fields:
  description: { missing: not-loaded }
  model: { omit: inherit }
  color: { values: [red, blue] }
access:
  layers:
    tools: { codec: allow-list, enforced: observed }
units:
  Read: { grants: read, subject: path, syntax: path }
  Task: delegate
  Wait: { grants: delegate, goesWith: Task }
`,
  'shared/bark.yaml': `workarounds:
  ask: { say: 'a question at the end', note: '{title} lets nobody ask.' }
`,
  'acorn/harness.yaml': `# A fork.
id: acorn
title: Acorn
extends: [shared/bark, oak]
checked: { version: 2.1.0, date: 2026-11-01 }
evidence:
  default: observed
  suggested: [models.tiers, composition]
prior: 0.1
carriers:
  file:
    project: { read: '.acorn/agents/*.md', write: '.acorn/agents/{name}.md' }
    name: { key: name, path: stem, pattern: '^[a-z]+$' }
  config:
    { title: entry in acorn.json, format: json, project: acorn.json, agents: { at: agents, as: map },
      prompt: { in: key, key: prompt } }
readsAlso: [{ harness: claude-code, read: ['.claude/agents/*.md'] }]
layers: { order: [project], merge: shadow }
prompt: { main: null, child: replaces }
unknownKeys: ignored
fields:
  displayName: title
  maxTurns: { key: turns, min: 1 }
  effort: { values: [low, high], map: { low: low, high: high } }
  permissionMode:
    values: [plan, ask]
    limits: { plan: [{ tools: [write, edit], action: deny }] }
nativeKeys:
  budget: { shape: number }
access:
  base: [{ tools: '*', action: offer }, { tools: [delegate, 'native:oak/deep'], action: deny }]
  implies: [{ field: memory, grants: [Read, Write] }]
  always: [{ tool: Read, role: child }]
models:
  aliases: [big, small]
  pattern: '^acorn-'
  tiers: { opus: big, sonnet: acorn-2, haiku: small }
composition: { mechanism: reference, syntax: 'skill {name}' }
workarounds:
  team: { none: '{title} has no teams.' }
`,
  'acorn/tools.yaml': `tools:
  write: Write
  edit: [Edit, Patch]
  shell: Shell
  grep: Search
spellings: { Shell: Bash }
units:
  Patch: { grants: [write, edit], alias: Edit }
  Outside: { grants: native:oak/outside, guards: [read, shell] }
  Watch: { grants: shell, goesWith: Shell, under: [tools] }
mcp: { tool: 'mcp_{server}_{tool}', server: 'mcp_{server}' }
words:
  glob: { partial: Search, note: 'by content only' }
  plan: null
`,
  'acorn/lab.yaml': `oracle:
  program: { name: acorn, cached: node_modules/acorn/bin }
  version: { args: [--version] }
  load: { args: [-p, '{prompt}'], loaded: { from: stdout, at: '*' } }
  main: { args: ['{name}'] }
  child: null
  wire:
    protocol: openai-chat
    model: { default: acorn-2 }
    offers: [Read, Write]
    tools: { Search: { unless: Read, units: [Search] } }
`,
}

/** Its problems, after one file was changed. */
export function problemsOf(changed: Readonly<Record<string, string>>): readonly HarnessProblem[] {
  const all = { ...acorn, ...changed }
  const files = (folder: string) =>
    Object.entries(all)
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, text]) => ({ name: path.split('/').at(-1) ?? '', path, text }))
  const bark = parseFile('shared/bark.yaml', all['shared/bark.yaml'] ?? '')
  const part = { data: bark.data as DataMap, sources: [bark.source] }
  const own: Library = {
    names: [...builtInLibrary.names, 'oak', 'shared/bark'],
    find: (name) => {
      if (name === 'shared/bark') return part
      const oak = name === 'oak' ? loadHarness(files('oak'), builtInLibrary) : null
      return oak !== null && 'data' in oak ? oak : builtInLibrary.find(name)
    },
  }
  const loaded = loadHarness(files('acorn'), own)
  return 'problems' in loaded ? loaded.problems : []
}
