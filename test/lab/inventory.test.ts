/** A repository of plugins, against the real programs: the agents that they list are the ones that Troupe lists. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { takeInventory } from '../../src/project/inventory.ts'
import { createIsolatedProject, type IsolatedProject } from '../../src/verify/isolate.ts'
import { askLoaderAndServer } from '../../src/verify/loader.ts'
import { claudeNames, opencodeNames, repository } from '../project/plugin-repository.ts'
import { registry } from '../reading.ts'
import { labHarnesses, runnable } from './lab.ts'

/** More shapes, of which nobody would write all into one plugin: each was seen to do what Troupe says it does. */
const odd: Readonly<Record<string, string>> = {
  '.claude-plugin/marketplace.json': JSON.stringify({
    name: 'odd',
    owner: { name: 'Nobody' },
    plugins: [
      { name: 'everything', source: './everything' },
      { name: 'another-name', source: './renamed', agents: ['./more/x.md'] },
      { name: 'none', source: './none' },
      { name: 'contradicting', source: './contradicting', strict: false, agents: ['./more/x.md'] },
      { name: 'string', source: './string' },
      { name: 'root', source: './', strict: false, agents: ['./agents/two.md'] },
    ],
  }),
  'everything/.claude-plugin/plugin.json': '{"name":"everything"}',
  'everything/agents/README.md': '# About\n',
  'everything/agents/empty.md': '',
  'everything/agents/no-name.md': '---\ndescription: d\n---\nx\n',
  'everything/agents/colon.md': '---\nname: a:b\ndescription: d\n---\nx\n',
  'everything/agents/deep/er/y.md': '---\nname: y\ndescription: d\n---\nx\n',
  'renamed/.claude-plugin/plugin.json': '{"name":"own-name","agents":["./agents/one.md"]}',
  'renamed/agents/one.md': '---\nname: one\ndescription: d\n---\nx\n',
  'renamed/more/x.md': '---\nname: x\ndescription: d\n---\nx\n',
  'none/.claude-plugin/plugin.json': '{"name":"none","agents":[]}',
  'none/agents/one.md': '---\nname: one\ndescription: d\n---\nx\n',
  'contradicting/.claude-plugin/plugin.json': '{"name":"contradicting","agents":["./agents/one.md"]}',
  'contradicting/agents/one.md': '---\nname: one\ndescription: d\n---\nx\n',
  'contradicting/more/x.md': '---\nname: x\ndescription: d\n---\nx\n',
  'string/.claude-plugin/plugin.json': '{"name":"string","agents":"./own/s.md"}',
  'string/own/s.md': '---\nname: s\ndescription: d\n---\nx\n',
  'agents/two.md': '---\nname: two\ndescription: d\n---\nx\n',
  'agents/three.md': '---\nname: three\ndescription: d\n---\nx\n',
}

/** Every plugin of the marketplace is switched on, as a user would do it. */
function switchOn(place: IsolatedProject, marketplace: string): void {
  const { name, plugins } = JSON.parse(marketplace) as { name: string; plugins: { name: string }[] }
  const settings = {
    extraKnownMarketplaces: { [name]: { source: { source: 'directory', path: place.project } } },
    enabledPlugins: Object.fromEntries(plugins.map((one) => [`${one.name}@${name}`, true])),
  }
  place.write(join(place.home, '.claude/settings.json'), JSON.stringify(settings))
}

async function lists(id: string, files: Readonly<Record<string, string>>) {
  const place = createIsolatedProject(files)
  execFileSync('git', ['init', '-q', place.project])
  switchOn(place, files['.claude-plugin/marketplace.json'] ?? '{"plugins":[]}')
  const ours = takeInventory({ registry, here: place.project })
    .agents.filter(({ agent, disabled }) => agent.harness === id && !disabled)
    .map(({ name }) => name)
  const { names, trouble } = await askLoaderAndServer(runnable(id), place, '{}')
  place.remove()
  return { ours: ours.sort(), theirs: [...names].sort(), trouble }
}

const expected: Readonly<Record<string, readonly string[]>> = { 'claude-code': claudeNames, opencode: opencodeNames }

describe.each(labHarnesses().filter((id) => id in expected))('%s', (id) => {
  test('lists the agents of a repository of plugins as Troupe does', async () => {
    const { ours, theirs, trouble } = await lists(id, repository)
    expect({ theirs, trouble }).toEqual({ theirs: ours, trouble: null })
    expect(ours).toEqual(expected[id])
  }, 120_000)

  test('lists those of odd manifests as Troupe does', async () => {
    const { ours, theirs, trouble } = await lists(id, odd)
    expect({ theirs, trouble }).toEqual({ theirs: ours, trouble: null })
    if (id === 'claude-code') expect(ours).toHaveLength(10)
  }, 120_000)
})
