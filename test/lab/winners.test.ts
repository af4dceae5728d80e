/** Definitions of one name in several places, against the real harnesses: whose words reach the model. */
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expandPlace } from '../../src/disk/roots.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { effectiveAgents } from '../../src/project/effective/effective.ts'
import {
  agentHashes,
  createIsolatedProject,
  type IsolatedProject,
  isolatedEnvironment,
} from '../../src/verify/isolate.ts'
import { runAsChildren } from '../../src/verify/turns.ts'
import { registry } from '../reading.ts'
import { labHarnesses, runnable } from './lab.ts'

const hiding = labHarnesses().filter((id) => registry.byId(id)?.layers.merge === 'shadow')

describe.each(hiding)('%s, where one definition hides another', (id) => {
  const real = runnable(id)
  const { harness } = real

  test('runs the definition that Troupe says it runs', async () => {
    const place = createIsolatedProject({})
    const above = dirname(place.home)
    execFileSync('git', ['init', '-q', above])
    const put = placing(harness, place, above)
    put('user', 'both')
    const both = put('project', 'both')
    put('user', 'for-user')
    put('above', 'up-and-down')
    const below = put('project', 'up-and-down')
    put('above', 'only-above')
    // Only where a key names an agent can two files have one name. The one made first is not the first by its name.
    const twice = harness.layers.twins === undefined ? [] : ['twice']
    for (const name of twice) for (const file of ['twice-z', 'twice-a']) put('user', name, file)
    const own = harness.builtInAgents.explore
    const builtIn = typeof own === 'string' ? [put('project', own)] : []
    const off = put('project', 'switched-off')
    const kept = put('project', 'switched-off-above')
    const locally = put('project', 'switched-off-locally')
    for (const [path, text] of Object.entries(settings[id] ?? {})) place.write(join(above, path), text)
    const named = [both, below, off, kept, locally, ...builtIn]
    const environment = { ...isolatedEnvironment(place), ...homes(place) }
    const predicted = effectiveAgents({ registry, harness, here: place.project, home: place.home, environment })
    const names = [
      'both',
      'for-user',
      'up-and-down',
      'only-above',
      'switched-off',
      'switched-off-above',
      'switched-off-locally',
      ...twice,
      ...(own ? [own] : []),
    ]
    const turns = await runAsChildren(real, place, names, agentHashes(place.project, named))
    place.remove()
    const observed = turns.map(({ name, request }) => {
      const said = [...(request?.system ?? []), ...(request?.said ?? [])]
      const words = said.map((text) => SIGNED.exec(text)?.[0]).find((one) => one !== undefined)
      return [name, request === null ? 'not there' : (words ?? 'its own')]
    })
    const expected = names.map((name) => {
      const agent = predicted.agents.find((one) => one.name === name)
      return [name, agent === undefined ? 'not there' : (agent.prompt.value ?? 'its own')]
    })
    expect(observed).toEqual(expected)
  }, 180_000)
})

const SIGNED = /You are the one from [\w-]+, in [\w-]+\./

/** What switches an agent off, where something beside its file can: in the project, and in a folder above it. */
const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'claude-code': {
    'project/.claude/settings.json': '{"permissions":{"deny":["Agent(switched-off)"]}}',
    '.claude/settings.json': '{"permissions":{"deny":["Agent(switched-off-above)"]}}',
    '.claude/settings.local.json': '{"permissions":{"deny":["Agent(switched-off-locally)"]}}',
  },
  'gemini-cli': {
    'project/.gemini/settings.json': '{"agents":{"overrides":{"switched-off":{"enabled":false}}}}',
    '.gemini/settings.json': '{"agents":{"overrides":{"switched-off-above":{"enabled":false}}}}',
  },
}

/** Where the recipes say that the homes of the harnesses are. */
function homes({ home }: IsolatedProject): Record<string, string> {
  return {
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CODEX_HOME: join(home, '.codex'),
    COPILOT_HOME: join(home, '.copilot'),
  }
}

/** Writes definitions that say where they stand; gives back their names and places in the project. */
function placing(harness: Harness, place: IsolatedProject, above: string) {
  const [carrier] = harness.carriers
  return (where: 'user' | 'project' | 'above', name: string, file = name) => {
    const template = (where === 'user' ? carrier?.user?.write : carrier?.project?.write) ?? ''
    const path = expandPlace(template.replace('{name}', file), { HOME: place.home })
    const words = `You are the one from ${where}, in ${file}.`
    const keys: [string, string][] = [
      ['name', name],
      ['description', 'Does one thing'],
    ]
    const text =
      carrier?.format === 'toml'
        ? [...keys, ['developer_instructions', words]].map(([key, value]) => `${key} = "${value}"\n`).join('')
        : `---\n${keys.map(([key, value]) => `${key}: ${value}\n`).join('')}---\n${words}\n`
    place.write(join(where === 'project' ? place.project : where === 'above' ? above : '/', path), text)
    return { name, path }
  }
}
