/** Adapters as people write them: every value of the grammar, every hazard, and what is told about it. */

import type { Heading, Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { parseCell, readSections, rowCells } from '../../../src/harness/adapter/document.ts'
import { adapter, agentFields, bring, fields, harnessOf, lineOf, models, openCodeV1, told, tools } from './adapters.ts'

describe('the first OpenCode', () => {
  const harness = harnessOf(openCodeV1)

  test('is understood as its tables say', () => {
    expect(harness).toMatchObject({
      id: 'opencode',
      title: 'OpenCode',
      checked: { version: '0.0.55', date: '2026-02-17' },
      evidence: { default: 'claimed' },
      mcp: { tool: '{server}_{tool}', flat: true },
      models: {
        tiers: { opus: 'claude-4-opus', sonnet: 'claude-4-sonnet', haiku: 'claude-3.5-haiku' },
      },
      composition: { mechanism: 'none' },
      paths: { root: '.opencode', rootVariable: null, instructions: 'OpenCode.md', skills: [] },
      access: { layers: [] },
    })
    expect(harness.words).toMatchObject({
      read: 'view',
      write: 'write',
      edit: 'edit',
      glob: 'glob',
      grep: 'grep',
      shell: 'bash',
      delegate: 'agent',
      fetch: 'fetch',
    })
    for (const tool of ['notebook', 'task', 'team', 'message', 'ask', 'search']) expect(harness.words[tool]).toBe(null)
    expect(harness.fields).toMatchObject({
      description: null,
      skills: null,
      hooks: null,
      model: { config: { file: '.opencode.json', path: 'agents.{name}.model' } },
    })
    expect(harness.workarounds.message).toEqual({ none: 'OpenCode has no inter-agent messaging.' })
  })

  test('has no agent files: an agent becomes a command, and what lies there is none', () => {
    expect(harness.carriers).toEqual([
      expect.objectContaining({
        id: 'command',
        format: 'markdown',
        project: { read: [], write: '.opencode/commands/{name}.md' },
        name: expect.objectContaining({ path: 'stem', convention: 'kebab-case' }),
        prompt: { in: 'body' },
        plain: true,
      }),
    ])
  })

  test('has fixed types, with the tools that the notes tell', () => {
    expect(harness.agentTypes).toEqual([
      { name: 'coder', for: 'full' },
      { name: 'task', for: 'read-only', tools: ['glob', 'grep', 'ls', 'view', 'sourcegraph'] },
    ])
    expect(harness.units).toMatchObject({
      view: { grants: ['read'] },
      ls: { grants: ['list'] },
      sourcegraph: { grants: ['native:opencode/sourcegraph'] },
    })
    expect(told(openCodeV1, 'adapter-unused')).toEqual([
      `${lineOf(openCodeV1, '| name | embedded:config')}: The adapter does not say what title, summarizer can do, so no agent becomes one of them.`,
    ])
    expect(told(openCodeV1, 'adapter-default')).toEqual([
      expect.stringMatching(`^${lineOf(openCodeV1, '| tools | null')}: \`sourcegraph\` is a tool of an agent type`),
    ])
  })

  test('keeps what the adapter remarks beside the words, without its bars escaped', () => {
    expect(bring(openCodeV1).text).toContain('grep: grep # Also takes `literal_text: true|false`.')
  })
})

describe('the text', () => {
  test('a bar with a backslash is part of its cell', () => {
    expect(rowCells('| a | `x\\|y` | c |')).toEqual(['a', 'x|y', 'c'])
    expect(rowCells('a|b')).toEqual(['a', 'b'])
    expect(rowCells('| **a** | | \\\\ |')).toEqual(['a', '', '\\\\'])
    expect(rowCells('|')).toEqual([''])
  })

  test('prose and tables before the first section, and code anywhere, are none of it', () => {
    const text =
      '| a | b |\n|--|--|\n| c | d |\n\n## One\n\n```\n## Two\n| x | y |\n|--|--|\n| z | 1 |\n```\n\n| k | v |\n|:-|-:|\n| l | 2 |\n'
    expect(
      readSections(text).map(({ title, tables }) => [title, tables.map(({ rows }) => rows.map((r) => r.key))]),
    ).toEqual([['One', [['l']]]])
    expect(harnessOf(openCodeV1).checked.date).toBe('2026-02-17')
  })

  test('headings are those that Markdown sees, and code and comments hide theirs', () => {
    const texts = [
      '# A\n\n## One\n\ntext\n\n### Three\n\n##Four\n\n## Five ##\n\n   ## Six #\n\n####### Seven\n\n##\n\n## Eight#\n',
      '## One\n\n~~~\n## Two\n```\n## Three\n~~~~\n\n## Four\n\n````x\n```\n## Five\n````\n\n## Six\n',
      '## One\n\n<!-- ## Two\n## Three\n-->\n\n## Four\n\n<!-- -->\n## Five\n\na `<!--` b\n\n## Six\n',
      '## One\n\n- item\n- ```\n  ## Two\n  ```\n\n1. item\n\n   ~~~\n   ## Three\n   ~~~\n\n## Four\n',
      '## One\n\n    ## Two\n\n\t## Three\n\n## Four\n\n```\n## open to the end\n',
      '## One\n\n``` a`b\n## Two\n\n````\n``\n## Three\n',
    ]
    for (const text of texts) expect(readSections(text).map(({ title }) => title)).toEqual(titlesByLibrary(text))
  })

  test('line ends and a byte order mark change nothing', () => {
    const plain = bring(adapter()).text
    expect(bring(adapter().replaceAll('\n', '\r\n')).text).toBe(plain)
    expect(bring(`\uFEFF${adapter()}`).text).toBe(plain)
  })

  test('titles are found whatever their case and spaces', () => {
    const text = adapter().replace('## Hook/Lifecycle Event Mappings', '##  hook / lifecycle event mappings ##')
    expect(told(text, 'adapter-unused')).toEqual([])
  })

  test('columns are found by their titles', () => {
    const table = '| Claude Code Tool | Notes | Target Equivalent |\n|---|---|---|\n| Read | a note | look |'
    const harness = harnessOf(adapter({ 'Tool Name Mappings': table }))
    expect(harness.words.read).toBe('look')
  })

  test('what stands there twice counts once', () => {
    const text = `${adapter()}\n## Path Resolution\n\n${fields({ root_variable: '$X' })}\n`
    expect(harnessOf(text).paths.rootVariable).toBe(null)
    expect(told(text, 'adapter-unused')).toEqual([expect.stringContaining('"Path Resolution" appears twice')])
  })

  test('other sections and fields are told', () => {
    const text = `${adapter()}\n## Colours\n`.replace('| slug |', '| sluggish | yes |\n| slug |')
    expect(told(text, 'adapter-unused')).toEqual([
      `${lineOf(text, '| sluggish')}: "Platform Metadata" has no field \`sluggish\`.`,
      `${lineOf(text, '## Colours')}: "Colours" is not a section of an adapter.`,
    ])
  })
})

describe('values', () => {
  test.each([
    ['view', { kind: 'name', name: 'view' }],
    ['null', { kind: 'none' }],
    ['NULL', { kind: 'none' }],
    ['N/A', { kind: 'none' }],
    ['n/a', { kind: 'none' }],
    ['', { kind: 'unsaid' }],
    ['{value}', { kind: 'unsaid' }],
    ['{path or empty}', { kind: 'unsaid' }],
    ['partial:todowrite', { kind: 'partial', name: 'todowrite' }],
    ['composite:a+b', { kind: 'composite', names: ['a', 'b'] }],
    ['composite: a + b + a', { kind: 'composite', names: ['a', 'b'] }],
    ['embedded:filename', { kind: 'embedded', place: 'filename' }],
    ['agents.{name}.model', { kind: 'path', path: 'agents.{name}.model' }],
    ['{mcpName}_{toolName}', { kind: 'name', name: '{mcpName}_{toolName}' }],
    ['unlimited', { kind: 'name', name: 'unlimited' }],
    ['partial:', { kind: 'broken' }],
    ['composite:+', { kind: 'broken' }],
  ])('%s', (text, cell) => {
    expect(parseCell(text)).toEqual(cell)
  })

  test('of tools: names, parts, several, none, and what is no name', () => {
    const text = adapter({
      'Tool Name Mappings': tools({
        Read: 'composite:cat+head',
        Write: 'put',
        Edit: 'put',
        Glob: ['partial:find', 'Only names. Nothing else.'],
        Grep: '',
        WebFetch: 'ask a person',
        TaskCreate: ['partial:todo', 'One list.'],
        TaskUpdate: 'todo',
        TaskGet: 'null',
        Teleport: 'x',
        'mcp__* (generic pattern)': 'N/A',
      }),
    })
    const { words, units, mcp } = harnessOf(text)
    expect(words).toMatchObject({
      read: { composite: ['cat', 'head'] },
      write: 'put',
      edit: 'put',
      glob: { partial: 'find', note: 'Only names.' },
      grep: null,
      fetch: null,
      task: { partial: 'todo', note: 'One list. Nothing for TaskGet.' },
    })
    expect(Object.entries(units).map(([name, { grants }]) => [name, grants])).toEqual([
      ['cat', ['read']],
      ['head', ['read']],
      ['put', ['write', 'edit']],
      ['find', ['glob']],
      ['todo', ['task']],
    ])
    expect(mcp).toBe(null)
    expect(told(text, 'adapter-default').slice(0, 2)).toEqual([
      `${lineOf(text, '## Tool')}: The adapter does not mention NotebookEdit, Bash, Grep, WebFetch, WebSearch, Agent: no equivalent.`,
      `${lineOf(text, '| Grep')}: The adapter does not mention \`Grep\`: no equivalent.`,
    ])
    expect(told(text, 'adapter-unused')).toEqual([
      `${lineOf(text, '| WebFetch')}: \`ask a person\` is not the name of a tool.`,
      `${lineOf(text, '| Teleport')}: \`Teleport\` is not a tool of Claude Code.`,
    ])
  })

  test('of MCP tools: a pattern that says where both names stand', () => {
    const mcp = (value: string) =>
      harnessOf(adapter({ 'Tool Name Mappings': tools({ Read: 'r', 'mcp__*': value }) })).mcp
    expect(mcp('mcp__{mcpName}__{toolName}')).toEqual({ tool: 'mcp__{server}__{tool}' })
    expect(mcp('{server}/{tool}')).toEqual({ tool: '{server}/{tool}' })
    expect(mcp('{mcpName}-{toolName}')).toEqual({ tool: '{server}-{tool}', flat: true })
    expect(mcp('null')).toBe(null)
    // An agent may be able to use what nobody speaks of.
    for (const value of ['', '{toolName}', 'as usual']) expect(mcp(value)).toEqual({ tool: 'mcp__{server}__{tool}' })
  })

  test('of models: an id, generic, null, and the default for what is missing', () => {
    const tiers = (cells: Record<string, string>) =>
      harnessOf(adapter({ 'Model Tier Mappings': models(cells) })).models.tiers
    expect(tiers({ opus: 'big', default: 'middle' })).toEqual({
      opus: 'big',
      sonnet: 'middle',
      haiku: 'middle',
      fable: 'middle',
    })
    expect(tiers({ opus: 'big', haiku: 'generic', sonnet: 'null' })).toEqual({ opus: 'big' })
    expect(tiers({ opus: 'generic', sonnet: 'generic', haiku: 'generic', default: 'generic' })).toEqual({})
    expect(told(adapter({ 'Model Tier Mappings': models({ opus: 'big' }) }), 'adapter-default')).toContainEqual(
      expect.stringContaining('The adapter does not mention sonnet, haiku, fable: the configured model is used.'),
    )
  })

  test('of fields: keys, places, parts of the configuration, and none', () => {
    const text = adapter({
      'Frontmatter Translations': agentFields({
        name: 'embedded:filename',
        description: 'embedded:body',
        model: 'agents.{name}.model',
        tools: 'tools',
        disallowedTools: 'denied',
        maxTurns: ['partial:limit', 'Counts other things.'],
        '(subagent indicator)': 'kind',
        color: 'embedded:sky',
        memory: 'composite:a+b',
        colour: 'x',
      }),
      'Config File Format': fields({ config_file: 'config.toml', config_format: 'toml', mcp_config_key: 'servers' }),
    })
    const harness = harnessOf(text)
    expect(harness.fields).toMatchObject({
      description: { embedded: 'body' },
      model: { config: { file: 'config.toml', path: 'agents.{name}.model' } },
      maxTurns: { key: 'limit', partial: 'Counts other things.' },
      mode: { key: 'kind' },
      color: null,
      memory: null,
    })
    expect(harness.carriers[0]?.name).toMatchObject({ path: 'stem' })
    expect(harness.access.layers.map(({ key, codec }) => [key, codec])).toEqual([
      ['tools', 'allow-list'],
      ['denied', 'deny-list'],
    ])
    expect(told(text, 'adapter-unused')).toEqual([
      `${lineOf(text, '| color')}: \`embedded:sky\` is not a place that Troupe knows.`,
      `${lineOf(text, '| memory')}: \`composite:a+b\` says nothing about a field.`,
      `${lineOf(text, '| colour')}: \`colour\` is not a key of Claude Code.`,
      `${lineOf(text, '| mcp_config_key')}: \`mcp_config_key\`: the adapter does not say what form \`servers\` has.`,
    ])
  })
})

describe('what is not said', () => {
  test('optional sections have defaults, and each is told', () => {
    const text = adapter({
      'Model Tier Mappings': null,
      'Hook/Lifecycle Event Mappings': null,
      'Config File Format': null,
    })
    expect(harnessOf(text)).toMatchObject({ models: { tiers: {} }, fields: { hooks: null } })
    expect(told(text, 'adapter-default').slice(0, 3)).toEqual([
      '1: The section "Model Tier Mappings" is missing: every model is the configured one.',
      '1: The section "Hook/Lifecycle Event Mappings" is missing: there are no hooks.',
      '1: The section "Config File Format" is missing: no configuration file is named.',
    ])
  })

  test.each(['Platform Metadata', 'Directory Structure', 'Tool Name Mappings', 'Frontmatter Translations'])(
    'without %s there is no harness file',
    (title) => {
      const { text, harness, diagnostics } = bring(adapter({ [title]: null }))
      expect([text, harness]).toEqual([null, null])
      expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toContain(
        `The section "${title}" is missing.`,
      )
    },
  )

  test('an empty folder for agents is the one for skills; a literal null is none', () => {
    const directories = (agents: string) =>
      adapter({
        'Directory Structure': fields({
          plugin_root: './.some//',
          skill_dir: 'skills/',
          agent_dir: agents,
          file_extension: 'md',
          naming_convention: 'snake_case',
          skill_file_pattern: '{name}/SKILL.md',
        }),
      })
    const write = (agents: string) => harnessOf(directories(agents)).carriers[0]?.project?.write
    expect(write('agents/')).toBe('.some/agents/{name}.md')
    expect(write('')).toBe('.some/skills/{name}.md')
    expect(write('null')).toBe('.some/skills/{name}/SKILL.md')
    expect(write('N/A')).toBe('.some/skills/{name}/SKILL.md')
    expect(told(directories(''), 'adapter-default')).toContainEqual(
      expect.stringMatching(/^\d+: The adapter names no folder for agents/),
    )
    expect(harnessOf(directories('agents/')).paths.skills).toEqual(['.some/skills'])
  })

  test('without any place an agent is a prompt for a person', () => {
    const text = adapter({
      'Directory Structure': fields({
        plugin_root: '.some',
        skill_dir: 'null',
        agent_dir: 'null',
        file_extension: '.md',
      }),
      'Frontmatter Translations': agentFields({ name: 'null', description: 'null', tools: 'tools' }),
    })
    const harness = harnessOf(text)
    expect(harness.carriers[0]).toMatchObject({
      id: 'prompt',
      plain: true,
      project: { read: [], write: '.some/prompts/{name}.md' },
    })
    expect(harness.access.layers).toEqual([])
  })

  test('a prompt with a place in the configuration makes an entry of an agent', () => {
    const text = adapter({
      'Directory Structure': fields({
        plugin_root: '.some',
        skill_dir: 'null',
        agent_dir: 'null',
        file_extension: '.md',
      }),
      'Frontmatter Translations': agentFields({
        name: 'embedded:config-key',
        description: 'agents.{name}.about',
        model: 'agents.{name}.model',
        tools: 'agents.{name}.tools',
        '(system prompt)': 'agents.{name}.instructions',
      }),
      'Config File Format': fields({ config_file: 'some.json', config_format: 'jsonc' }),
    })
    const harness = harnessOf(text)
    expect(harness.carriers[0]).toMatchObject({
      id: 'entry',
      format: 'jsonc',
      agents: { at: 'agents', as: 'map' },
      name: { path: 'mapKey' },
      prompt: { in: 'key', key: 'instructions' },
      project: { read: ['some.json'], write: 'some.json' },
    })
    expect(harness.fields).toMatchObject({ description: { key: 'about' }, model: { key: 'model' } })
    expect(harness.access.layers).toMatchObject([{ key: 'tools' }])
  })

  test('a configuration file can be named in the notes', () => {
    const rows = (notes: string) =>
      adapter({ 'Frontmatter Translations': agentFields({ name: 'name', model: ['agents.{name}.model', notes] }) })
    expect(harnessOf(rows('Stands in `./some.json`.')).fields.model).toEqual({
      config: { file: 'some.json', path: 'agents.{name}.model' },
    })
    expect(harnessOf(rows('')).fields.model).toBe(null)
  })

  test('what is left of the template is not said', () => {
    const text = adapter({
      'Adapter Version': fields({ target_platform_version: '{version}', last_updated: '{YYYY-MM-DD}' }),
    })
    expect(harnessOf(text).checked).toEqual({ version: null, date: '2026-11-15' })
  })
})

describe('what must not be', () => {
  test.each(['/etc', '~/.some', '../out', '.some/../../out', 'C:\\some', '.some/{plugin}'])(
    'a folder like %s',
    (root) => {
      const text = adapter({
        'Directory Structure': fields({
          plugin_root: root,
          skill_dir: 'skills',
          agent_dir: 'agents',
          file_extension: '.md',
        }),
      })
      expect(bring(text).harness).toBe(null)
      expect(told(text, 'broken-adapter')).toEqual([
        `${lineOf(text, '| plugin_root')}: \`${root}\` is not a folder inside a project.`,
      ])
    },
  )

  test('agents in the root of the project are not looked for', () => {
    const text = adapter({
      'Directory Structure': fields({ plugin_root: './', agent_dir: './', file_extension: '.md' }),
    })
    expect(harnessOf(text).carriers[0]?.project).toEqual({ read: [], write: '{name}.md' })
  })

  test('an id that is none', () => {
    const text = adapter({ 'Platform Metadata': fields({ name: 'Größer & Besser', slug: '2 Fast!' }) })
    expect(harnessOf(text)).toMatchObject({ id: 'fast', title: 'Größer & Besser' })
    expect(harnessOf(text, 'other').id).toBe('other')
  })

  test('words of a harness that nobody knows', () => {
    const text = adapter().replaceAll('Claude Code Tool', 'Unheard-of Tool')
    expect(told(text, 'broken-adapter')).toEqual([expect.stringContaining('"Unheard-of Tool" is not a harness')])
  })
})

describe('agent types', () => {
  const withTypes = (tools: string, name = 'Fixed agent types: `a` (main), `b`.', more = '') =>
    adapter({
      'Directory Structure': fields({
        plugin_root: '.some',
        skill_dir: 'commands',
        agent_dir: 'null',
        file_extension: '.md',
      }),
      'Frontmatter Translations': `${agentFields({ name: ['embedded:config-key', name], tools: ['null', tools] })}${more}`,
    })

  test('by a table of their own', () => {
    const more =
      '\n\n### Agent Types\n\n| Agent Type | Tools | Notes |\n|---|---|---|\n| a | all | |\n| b | read-only | |\n| c | open, run | |\n| d | | |\n'
    expect(harnessOf(withTypes('', '', more)).agentTypes).toEqual([
      { name: 'a', for: 'full' },
      { name: 'b', for: 'read-only', tools: ['open'] },
      { name: 'c', for: 'full', tools: ['open', 'run'] },
    ])
  })

  test('by what the notes say', () => {
    expect(harnessOf(withTypes('The `a` agent has full access. The b agent can use `open` only.')).agentTypes).toEqual([
      { name: 'a', for: 'full' },
      { name: 'b', for: 'read-only', tools: ['open'] },
    ])
    expect(harnessOf(withTypes('The `b` agent is read-only.')).agentTypes).toEqual([
      { name: 'b', for: 'read-only', tools: ['open'] },
    ])
  })

  test('are unrestricted where nothing is said', () => {
    const text = withTypes('')
    expect(harnessOf(text).agentTypes).toEqual([{ name: 'a', for: 'full' }])
    expect(told(text, 'adapter-default')).toContainEqual(
      expect.stringContaining('every agent becomes `a`, with all tools'),
    )
  })

  test('are none where agents have files of their own', () => {
    const text = adapter({
      'Frontmatter Translations': agentFields({ name: ['name', 'Fixed agent types: `a`, `b`.'], tools: 'null' }),
    })
    expect(harnessOf(text).agentTypes).toBe(undefined)
  })
})

/** The headings of the second level, wherever the library of Markdown finds them. */
function titlesByLibrary(text: string): string[] {
  const titles: string[] = []
  const visit = (node: Nodes) => {
    if (node.type === 'heading' && node.depth === 2) titles.push(toText(node, text))
    if ('children' in node) node.children.forEach(visit)
  }
  visit(fromMarkdown(text))
  return titles
}

function toText({ children }: Heading, text: string): string {
  return text.slice(children[0]?.position?.start.offset ?? 0, children.at(-1)?.position?.end.offset ?? 0)
}
