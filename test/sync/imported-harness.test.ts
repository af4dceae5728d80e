/** From an adapter to an agent: a whole example, and what fixed agent types may and may not do. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { policyOf } from '../../src/convert/gaps.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import type { Conversion } from '../../src/model/conversion.ts'
import { convertProject } from '../../src/sync/convert/convert.ts'
import { adapter, agentFields, fields, harnessOf, models, openCodeV1 } from '../harness/adapter/adapters.ts'
import { convert } from '../harness/adapter/convert.ts'

const openCode = harnessOf(openCodeV1)

const codeExplorer = `---
name: code-explorer
description: Explores codebases to find relevant files and map architecture
model: sonnet
tools:
  - Read
  - Glob
  - Grep
  - Bash
  - SendMessage
skills:
  - project-conventions
  - language-patterns
---

# Code Explorer Agent

You are a code exploration specialist. Use \`Read\` to examine files, \`Glob\` to find files by pattern...

## Team Communication

Use \`SendMessage\` to respond to questions from other agents...
`

let project = ''
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'troupe-import-'))
  mkdirSync(join(project, '.claude/agents'), { recursive: true })
  writeFileSync(join(project, 'troupe.yaml'), '')
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

function give(name: string, text: string): void {
  writeFileSync(join(project, '.claude/agents', `${name}.md`), text)
}

function read(path: string): string {
  return readFileSync(join(project, path), 'utf8')
}

async function convertAll(target: Harness, isAccepted: boolean): Promise<Conversion[]> {
  const registry = createRegistry([target])
  const [carrier] = target.carriers
  const from = registry.byId('claude-code')
  if (carrier === undefined || from === undefined) throw new Error('no such harness')
  const results: Conversion[] = []
  await convertProject(
    {
      registry,
      command: 'convert',
      here: project,
      paths: [],
      from,
      targets: [{ harness: target, carrier }],
      out: project,
      decisions: () => ({}),
      models: () => ({}),
      keepAsking: false,
      accepted: () => ({ all: isAccepted, capabilities: new Map() }),
      force: false,
      dryRun: false,
    },
    (conversion) => results.push(conversion),
  )
  return results
}

describe('a code explorer', () => {
  test('is refused, because a coder can do more than it', async () => {
    give('code-explorer', codeExplorer)
    const [result] = await convertAll(openCode, false)
    expect(result?.status).toBe('refused')
    expect(result?.access.widened.map(({ capability }) => capability)).toEqual([
      'write',
      'edit',
      'fetch',
      'delegate',
      'mcp:*',
    ])
    expect(result?.diagnostics).toMatchObject([
      { code: 'wider-access', message: expect.stringContaining("OpenCode runs it as the agent type 'coder'") },
    ])
    expect(existsSync(join(project, '.opencode'))).toBe(false)
    expect(existsSync(join(project, '.opencode.json'))).toBe(false)
  })

  test('becomes a command, where that is accepted', async () => {
    give('code-explorer', codeExplorer)
    const [result] = await convertAll(openCode, true)
    if (result === undefined) throw new Error('nothing was converted')
    expect(result).toMatchObject({
      status: 'written',
      target: { harness: 'opencode', files: ['.opencode/commands/code-explorer.md'] },
      config: [{ path: '.opencode.json', set: { 'agents.coder.model': 'claude-4-sonnet' } }],
    })
    const command = read('.opencode/commands/code-explorer.md')
    expect(command.split('\n').slice(0, 9)).toEqual([
      '<!-- Original description: Explores codebases to find relevant files and map architecture -->',
      '',
      '# Code Explorer Agent',
      '',
      'You are a code exploration specialist. Use `view` to examine files, `glob` to find files by pattern...',
      '',
      '## Team Communication',
      '',
      '<!-- TODO: No equivalent for SendMessage on OpenCode. OpenCode has no inter-agent messaging. -->',
    ])
    // Once, and in its place.
    expect(command.match(/SendMessage/g)).toHaveLength(1)
    expect(JSON.parse(read('.opencode.json'))).toEqual({ agents: { coder: { model: 'claude-4-sonnet' } } })
  })

  test('is told what it loses', async () => {
    give('code-explorer', codeExplorer)
    const [result] = await convertAll(openCode, true)
    expect(result?.gaps.map(({ type, feature, severity }) => `${type} ${feature} ${severity}`).sort()).toEqual([
      'field-unsupported description low',
      'field-unsupported tools high',
      'skill-unassignable language-patterns medium',
      'skill-unassignable project-conventions medium',
      'tool-missing SendMessage medium',
    ])
    const reasons = new Map(result?.gaps.map(({ feature, reason }) => [feature, reason]))
    expect(reasons.get('description')).toBe('Agent description field has no target equivalent; preserved as comment')
    expect(reasons.get('tools')).toBe(
      "Agent tool restrictions cannot be configured; target platform uses fixed tool sets per agent type: 'coder' has all tools",
    )
    const features = new Map(result?.features.map((one) => [`${one.area} ${one.feature}`, one]))
    expect(features.get('fields name')).toMatchObject({
      outcome: 'workaround',
      note: "Agent 'code-explorer' (model: sonnet) mapped to target agent type 'coder' based on tool profile",
    })
    expect(features.get('fields model')).toMatchObject({
      outcome: 'workaround',
      to: '.opencode.json: agents.coder.model = claude-4-sonnet',
    })
    expect(features.get('tools SendMessage')).toMatchObject({ outcome: 'todo', to: null })
    expect(features.get('tools Read')).toMatchObject({ outcome: 'direct', to: 'view' })
  })

  test('a second time nothing changes', async () => {
    give('code-explorer', codeExplorer)
    await convertAll(openCode, true)
    const before = [read('.opencode/commands/code-explorer.md'), read('.opencode.json')]
    const [result] = await convertAll(openCode, true)
    expect(result?.status).toBe('unchanged')
    expect([read('.opencode/commands/code-explorer.md'), read('.opencode.json')]).toEqual(before)
  })
})

describe('an agent type', () => {
  const typeOf = (...lines: string[]) => {
    const { record } = convert(openCode, ['name: an-agent', 'description: x', ...lines])
    const note = record.features.find(({ feature }) => feature === 'name')?.note ?? ''
    return [/agent type '(\w+)'/.exec(note)?.[1], record.access.widened.map(({ capability }) => capability).join(' ')]
  }

  test.each([
    ['tools: Read, Glob, Grep', 'task', ''],
    // What an agent may look at it may look at in any way.
    ['tools: Grep', 'task', ''],
    ['tools: Read, TodoWrite, AskUserQuestion', 'task', ''],
    ['tools: Write, Edit, Bash', 'coder', 'read fetch delegate mcp:*'],
    ['tools: WebSearch, WebFetch', 'coder', 'read write edit shell delegate mcp:*'],
    ['tools: Read, SendMessage', 'coder', 'write edit shell fetch delegate mcp:*'],
    ['tools: Read, TeamCreate', 'coder', 'write edit shell fetch delegate mcp:*'],
    ['tools: Read, mcp__docs__find', 'coder', 'write edit shell fetch delegate mcp:docs mcp:*'],
    ['disallowedTools: Write', 'coder', 'write'],
    ['model: opus', 'coder', ''],
  ])('for %s is %s, and what is gained is: %s', (line, type, gained) => {
    const [chosen, widened] = typeOf(line)
    expect([chosen, [...new Set(widened?.split(' '))].join(' ')]).toEqual([type, gained])
  })

  test('that only looks holds an agent that only looks, as far as the adapter says', () => {
    const { record } = convert(openCode, ['name: looker', 'description: x', 'tools: Read, Glob, Grep', 'model: haiku'])
    expect(record.access).toMatchObject({
      enforced: 'claimed',
      after: {
        read: 'offer',
        write: 'deny',
        edit: 'deny',
        shell: 'deny',
        fetch: 'deny',
        delegate: 'deny',
        'mcp:*': 'deny',
      },
      widened: [],
    })
    expect(record.config).toEqual([{ path: '.opencode.json', set: { 'agents.task.model': 'claude-3.5-haiku' } }])
    expect(record.features.find(({ feature }) => feature === 'tools')).toMatchObject({
      outcome: 'workaround',
      to: 'agent type task',
      note: "'task' has glob, grep, ls, view, sourcegraph",
    })
    expect(record.gaps.find(({ feature }) => feature === 'tools')?.severity).toBe('low')
  })

  test('that can do too little is a gap', () => {
    const onlyLooking: Harness = { ...openCode, agentTypes: openCode.agentTypes?.slice(1) ?? [] }
    const lines = ['name: builder', 'description: x', 'tools: Read, Write, Bash']
    const { record, output } = convert(onlyLooking, lines)
    expect(record.gaps).toContainEqual(
      expect.objectContaining({ type: 'agent-type-mismatch', severity: 'high', resolution: 'todo', line: 2 }),
    )
    expect(record.access.widened).toEqual([])
    expect(record.access.narrowed.map(({ capability }) => capability)).toEqual(['write', 'shell'])
    expect(output.kind === 'file' && output.text).toContain(
      "<!-- TODO: No matching agent type on OpenCode. 'task' has only",
    )
    const omitted = convert(onlyLooking, lines, undefined, policyOf({ onGap: 'omit' }))
    expect(omitted.record.features[0]).toMatchObject({ feature: 'name', outcome: 'omitted' })
  })

  test('has one model for all: the first one, or what a person set', async () => {
    give('a', '---\nname: a\ndescription: x\nmodel: opus\n---\nYou are a.\n')
    give('b', '---\nname: b\ndescription: x\nmodel: haiku\n---\nYou are b.\n')
    const [a, b] = await convertAll(openCode, false)
    expect([a?.status, b?.status]).toEqual(['written', 'written'])
    expect(JSON.parse(read('.opencode.json'))).toEqual({ agents: { coder: { model: 'claude-4-opus' } } })
    expect(a?.diagnostics).toEqual([])
    expect(b?.diagnostics).toMatchObject([
      {
        code: 'config-not-edited',
        message: expect.stringContaining('two agents need different values of agents.coder.model'),
      },
    ])
  })
})

describe('a target', () => {
  test('without models is told of the configured one', () => {
    const generic = harnessOf(openCodeV1.replace(/\| (opus|sonnet|haiku|default) \| [\w.-]+ \|/g, '| $1 | generic |'))
    const prompt = 'This agent uses Sonnet for fast exploration tasks.\n'
    const { record, output } = convert(generic, ['name: a', 'description: x', 'model: sonnet'], prompt)
    expect(output.kind === 'file' && output.text).toContain('This agent uses the configured model for fast exploration')
    expect(record.config).toEqual([])
    expect(record.gaps.map(({ type, severity }) => [type, severity])).toContainEqual(['model-unconfigurable', 'low'])
  })

  test('with a few models is given those', () => {
    const some = harnessOf(
      adapter({ 'Model Tier Mappings': models({ opus: 'gpt-5', haiku: 'generic', default: 'generic' }) }),
    )
    const model = (tier: string) => {
      const { output } = convert(some, ['name: a', 'description: x', `model: ${tier}`])
      return output.kind === 'file' ? (/^model: (.*)$/m.exec(output.text)?.[1] ?? null) : null
    }
    expect([model('opus'), model('haiku'), model('inherit')]).toEqual(['gpt-5', null, null])
  })

  test('that forms names otherwise gets them so', () => {
    const snake = harnessOf(openCodeV1.replace('kebab-case', 'PascalCase'))
    const { record } = convert(snake, ['name: code-explorer', 'description: x'])
    expect(record.target.files).toEqual(['.opencode/commands/CodeExplorer.md'])
  })

  test('that cannot restrict at all is a widening, and a gap', () => {
    const open = harnessOf(adapter({ 'Frontmatter Translations': agentFields({ name: 'name', tools: 'null' }) }))
    const { record } = convert(open, ['name: a', 'description: x', 'tools: Read'])
    expect(record.access).toMatchObject({ enforced: 'no', widened: [{ capability: 'shell' }, { capability: 'mcp:*' }] })
    expect(record.gaps.find(({ feature }) => feature === 'tools')).toMatchObject({
      severity: 'high',
      reason: 'Agent tool restrictions cannot be configured: an agent has all tools',
    })
  })

  test('with a list of tools gets its own names in it', () => {
    const { record, output } = convert(harnessOf(adapter()), ['name: a', 'description: x', 'tools: Read, SendMessage'])
    expect(output.kind === 'file' && output.text).toMatch(/^---\nname: a\ndescription: x\ntools:\n {2}- open\n---\n/)
    expect(record.access).toMatchObject({ enforced: 'claimed', widened: [] })
  })

  test('that keeps a description in the prompt only gets all of it', () => {
    const inBody = harnessOf(
      adapter({
        'Frontmatter Translations': agentFields({ name: 'name', description: 'embedded:body', tools: 'tools' }),
      }),
    )
    const long = 'word '.repeat(60).trim()
    const { output } = convert(inBody, ['name: a', `description: ${long}`])
    expect(output.kind === 'file' && output.text).toContain(`<!-- description: ${long} -->`)
  })

  test('with agents in its configuration gets an entry', () => {
    const entries = harnessOf(
      adapter({
        'Directory Structure': fields({
          plugin_root: '.x',
          skill_dir: 'null',
          agent_dir: 'null',
          file_extension: '.md',
        }),
        'Frontmatter Translations': agentFields({
          name: 'embedded:config-key',
          description: 'agents.{name}.about',
          prompt: 'agents.{name}.text',
        }),
        'Config File Format': fields({ config_file: 'x.json', config_format: 'json' }),
      }),
    )
    const { output } = convert(entries, ['name: a', 'description: Does it'], 'You are a.\n')
    expect(output).toEqual({
      kind: 'settings',
      settings: [
        {
          file: 'x.json',
          path: ['agents', 'a'],
          value: { about: 'Does it', text: expect.stringMatching(/^You are a\.\n?$/) },
        },
      ],
    })
  })
})

test('of several types an agent gets the one that gives it least besides what it may do', () => {
  const several: Harness = {
    ...openCode,
    agentTypes: [
      { name: 'all', for: 'full' },
      { name: 'runner', for: 'full', tools: ['view', 'glob', 'grep', 'bash'] },
      { name: 'writer', for: 'full', tools: ['view', 'write', 'edit'] },
    ],
  }
  const typeOf = (tools: string) => {
    const { record } = convert(several, ['name: a', 'description: x', `tools: ${tools}`])
    return [/agent type '(\w+)'/.exec(record.features[0]?.note ?? '')?.[1], record.access.widened.length]
  }
  expect(typeOf('Read, Bash')).toEqual(['runner', 0])
  expect(typeOf('Read, Edit')).toEqual(['writer', 0])
  expect(typeOf('Read, Edit, Bash')[0]).toBe('all')
})
