/** Keys that limit an agent where no parser takes them for keys, or takes them for others: refused with a reason. */
import { describe, expect, test } from 'vitest'
import { restrictingKeys } from '../../../src/harness/keys.ts'
import { convertInto, harnessOf, sourceOf } from '../../convert/converting.ts'
import { markdown, readAs, readOne } from '../../reading.ts'

function refusalOf(
  from: string,
  text: string,
  to = from === 'opencode' ? 'claude-code' : 'opencode',
  carrier?: string,
) {
  const given = carrier === undefined ? { text } : { text, carrier }
  return convertInto(sourceOf(from, given), harnessOf(to)).refusal
}

const head = ['name: a', 'description: Reads the logs']

describe('a line of broken front matter that looks like a key', () => {
  const lines = [
    ' tools: Grep',
    '    disallowedTools: Write',
    '\ttools: Grep',
    '- tools: Grep',
    '"tools: Grep',
    "'disallowedTools': : Write",
    'tools = Grep',
    'tools\n: Grep',
    'disallowedTools Write',
    'tools Grep, Glob',
    'tools\uFF1A Grep',
    'tools\u2236 Grep',
    'skills:\n  - one\n  allowed-tools: Grep',
    'note: [x\n  without: Write',
    'tools:\n  disallowedTools: Write\nnote: a: b',
    'model: opus\n   readOnly: true\n  - x',
    'note: [x\n  t\u043Eols: Grep',
    'mcpServers:\n  tools: Grep\nnote: [x',
    'mcpServers:\n  tools:\nnote: [x',
    'metadata:\n  - disallowedTools: Write\nnote: [x',
  ]
  test.each(lines)('%j is refused, and quoted', (line) => {
    const refusal = refusalOf('claude-code', markdown(...head, line))
    expect(refusal?.code).toMatch(/^unclear-front-matter$|^unreadable-access$/)
  })

  test('is none inside of a server', () => {
    const servers = 'mcp-servers:\n  docs:\n    command: docs\n    tools: [get]\nnote: [x'
    expect(refusalOf('copilot', markdown(...head, servers))).toBeNull()
  })

  test('is one inside of a text that is closed too late', () => {
    const text = 'name = "a"\ndescription =\ndeveloper_instructions = """\nsandbox_mode = "read-only"\nYou read."""\n'
    expect(refusalOf('codex', text, 'opencode')?.code).toBe('unclear-front-matter')
    const prompt = 'name = "a"\ndescription =\ndeveloper_instructions = """\nTools: read what you need.\n"""\n'
    expect(refusalOf('codex', prompt, 'opencode')).toBeNull()
  })

  test('is quoted in the reason', () => {
    const refusal = refusalOf('qwen-code', markdown(...head, '  tools: [glob]'))
    expect(refusal?.message).toContain('`tools: [glob]`')
  })

  test.each([
    ['a list', '- name: a\n- description: d\n- tools: Grep'],
    ['braces that are never closed', '{ name: a, description: d, tools: [Grep]'],
    ['one text', 'name a, description d\ntools\nGrep'],
  ])('%s in the place of keys hides none', (_, text) => {
    expect(refusalOf('claude-code', markdown(text))?.code).toBe('unclear-front-matter')
  })

  test('is not mended into prose', () => {
    for (const line of ['  tools: Grep', 'disallowedTools\uFF1A Write']) {
      const { findings } = readAs('claude-code', { text: markdown(...head, line) })
      expect(findings.map(({ code }) => code)).toContain('unclear-front-matter')
      expect(findings.filter(({ fix }) => fix !== undefined)).toEqual([])
    }
  })

  test.each([
    [['tools: Grep', 'description: Use when: x']],
    [['description: Use when: x', 'tools: Grep', '# disallowedTools: Write']],
    [['description: Use when: x\n  It has tools for this.', 'tools: Grep']],
    [['name: b', 'note: "open', 'mcpServers:', '  docs:', '    command: x', 'tools: Grep']],
  ])('what was read clearly is converted: %j', (lines) => {
    const { refusal, record } = convertInto(
      sourceOf('claude-code', { text: markdown('name: a', ...lines) }),
      harnessOf('opencode'),
    )
    expect(refusal).toBeNull()
    expect(record.access.after).toMatchObject({ read: 'allow', shell: 'deny', write: 'deny' })
  })

  test('of valid front matter is what YAML says it is', () => {
    const text = markdown('name: a', 'description: |', '  Looks at', '  tools: all of them', 'model: opus')
    expect(refusalOf('claude-code', text)).toBeNull()
  })
})

describe('a key of broken JSON', () => {
  const file = (...keys: string[]) => `{ "agent": { "a": { "prompt": "Say: tools: x.", ${keys.join(', ')} } } }`
  test.each([
    `'permission': { "edit": "deny" }`,
    'permission: { "edit": "deny" }',
    '"mode": "all" "permission" = 1',
    '"permission" { "edit": "deny" }',
  ])('that is not read: %s', (key) => {
    expect(refusalOf('opencode', file(key), 'claude-code', 'config')?.code).toMatch(/^un(?:clear|readable)-/)
  })

  test.each(['"mode": "all" "permission": { "edit": "deny" }', '"mode": "all", /* "permission": 1 */ "x": [1,,2]'])(
    'that is read, or a comment: %s',
    (key) => {
      expect(refusalOf('opencode', file(key), 'claude-code', 'config')).toBeNull()
    },
  )
})

describe('front matter in another language', () => {
  test.each(['---json', '---JSON', '---js', '---toml', '---yaml', '--- json', '---lisp'])('%s', (fence) => {
    const text = `${fence}\n{"description": "d"}\n---\nYou look at logs.\n`
    expect(refusalOf('opencode', text)?.code).toBe('unclear-front-matter')
    const { findings } = readAs('opencode', { text })
    expect(findings.map(({ code }) => code)).not.toContain('no-front-matter')
  })

  test('a rule with words behind it is none', () => {
    expect(refusalOf('opencode', '--- Notes ---\n\nYou look at logs.\n')).toBeNull()
  })
})

describe('a second head behind the first', () => {
  test.each(['tools: Grep', '\ntools: Grep\n', 'model: opus\npermission:\n  edit: deny', '---\ntools: Grep'])(
    '%j',
    (more) => {
      const text = `---\nname: a\ndescription: d\n---\n${more}\n---\nYou look at logs.\n`
      expect(refusalOf('claude-code', text)?.code).toBe('unclear-front-matter')
    },
  )

  test.each([
    ['a limit in other words', 'model: opus', 'capabilities: read'],
    ['the rest of the last key', 'permission:\n  edit: ask', '  docs_get: deny'],
    ['the name of a tool', 'model: opus', 'bash: deny'],
    ['items of the last list, before other keys', 'disallowedTools: [Write]', '  - Bash\nmodel: opus'],
    ['items at the margin, before other keys', 'disallowedTools:\n- Write', '- Bash\n\nmodel: opus'],
  ])('a fence that came too early: %s', (_, last, more) => {
    for (const end of ['---', '...']) {
      const text = `---\nname: a\ndescription: d\n${last}\n---\n${more}\n${end}\nYou look at logs.\n`
      expect(refusalOf('claude-code', text)?.code).toBe('unclear-front-matter')
    }
  })

  test.each([
    ['the items of an empty list', 'disallowedTools:', '  - Bash\n  - Write'],
    ['items at the margin', 'disallowedTools:', '- Bash(git *)\n- Write'],
    ['the value of an empty key', 'tools:', '  Read, Grep'],
  ])('a fence that came too early, and no other: %s', (_, last, more) => {
    for (const end of ['---\n', '']) {
      const text = `---\nname: a\ndescription: d\n${last}\n---\n${more}\n${end}\nYou look at logs.\n`
      expect(refusalOf('claude-code', text)?.code).toBe('unclear-front-matter')
    }
  })

  test.each([
    ['a list of other things', 'disallowedTools:', '- Look at logs.\n- Write nothing.'],
    ['a list of tools behind a list of tools', 'disallowedTools: Write', '- Bash\n- Grep'],
    ['a list of tools behind another key', 'model:', '- Bash\n- Grep'],
    ['a text that is indented', 'disallowedTools:', '    Look at logs: all of them.'],
  ])('a prompt is none: %s', (_, last, prompt) => {
    const text = `---\nname: a\ndescription: d\n${last}\n---\n${prompt}\n\nYou look at logs.\n`
    expect(refusalOf('claude-code', text)).toBeNull()
  })

  test.each([
    'Tools you have: many.\n\nMore.\n---\n',
    'result: a list\n---\nYou look.\n',
    '---\n\nYou look.\n\ntools: x\n',
  ])('a prompt is none: %j', (prompt) => {
    expect(refusalOf('claude-code', `---\nname: a\ndescription: d\n---\n${prompt}`)).toBeNull()
  })
})

describe('below a fence that is indented', () => {
  const file = (...lines: string[]) => ` ---\n${lines.join('\n')}\n ---\nYou look at logs.\n`
  test.each(['tools: Read,\n Bash', ' tools: Read,\n Bash', ' disallowedTools: Write,\n Bash'])(
    'a line at its margin continues no list: %j',
    (list) => {
      expect(refusalOf('claude-code', file('name: a', list, 'description: d'))?.code).toBe('unreadable-access')
    },
  )

  test.each(['tools: Read, Grep', ' tools: Read, Grep', ' tools:\n   - Read\n   - Grep'])(
    'a plain list is read: %j',
    (list) => {
      expect(refusalOf('claude-code', file('name: a', list, 'description: d'))).toBeNull()
    },
  )
})

describe('three dots as the end of front matter, which most programs do not know', () => {
  const file = (rest: string) => `---\nname: a\ndescription: d\n...\n${rest}\n`
  test.each(['disallowedTools: Write', 'You look at logs.\n\ntools: Grep', '  tools: Grep', 'readonly: true'])(
    'a key behind them may be meant: %j',
    (rest) => {
      expect(refusalOf('claude-code', file(rest))?.code).toBe('unclear-front-matter')
    },
  )

  test('a prompt behind them is one', () => {
    expect(refusalOf('claude-code', file('You look at logs.\n\nNote: use your tools.'))).toBeNull()
  })
})

describe('letters that only look like others', () => {
  const masked = [
    'W\u200Brite',
    'Wri\u00ADte',
    '\uFF37rite',
    'Writ\u0435',
    'Wr\u0456te',
    'W\u2060rite',
    'Read, Edi\u0442',
    '\u201CWrite\u201D',
    '\u00ABWrite(src/**)',
    'Read, \u2018Write\u2019',
    '\u2022 Write',
  ]
  test.each(masked)('in a name that is denied: %j', (name) => {
    const refusal = refusalOf('claude-code', markdown(...head, `disallowedTools: "${name}"`))
    expect(refusal?.code).toBe('unreadable-access')
  })

  test.each(['"ed\u200Bit": deny', '"\uFF45dit": deny', '"\uFF0A": deny', 'edit: d\u0435ny'])(
    'in a permission: %s',
    (rule) => {
      expect(refusalOf('opencode', markdown('description: d', `permission: { ${rule} }`))?.code).toBe(
        'unreadable-access',
      )
    },
  )

  test('are named as what they seem to be', () => {
    const refusal = refusalOf('claude-code', markdown(...head, 'disallowedTools: \u201CWrite\u201D'))
    expect(refusal?.message).toContain('names "Write" with')
  })

  test.each(['to\u043Els', 'to\u200Bols', 'disallow\u0435dTools', '\uFF54ools'])('in a key: %j', (key) => {
    const agent = readOne('claude-code', { text: markdown(...head, `${key}: Read`) })
    expect(restrictingKeys(agent).map((one) => one.key)).toEqual([key])
  })

  test.each(['disallowedTools: Schr\u00F6dinger', 'tools: Read, Wri\u200Bte', 'category: \u0441\u043E\u043E\u043B'])(
    'elsewhere they change nothing: %s',
    (line) => {
      expect(refusalOf('claude-code', markdown(...head, line))).toBeNull()
    },
  )
})

describe('signs in a key that belong to no key', () => {
  const keys = (line: string) =>
    restrictingKeys(readOne('claude-code', { text: markdown(...head, line) })).map(({ key }) => key)
  test.each(["tools'", '(tools', 'tools)', 'tools,', 'disallowedTools|', '*tools*'])(
    '%s limits, whatever it holds',
    (key) => {
      for (const value of ['', 'Read', 'false']) expect(keys(`${JSON.stringify(key)}: ${value}`)).toEqual([key])
    },
  )

  test.each(['my-tools: false', 'toolbox.enabled: false', 'use tools: ', 'allowed_paths: '])(
    'an ordinary one without a value limits nothing: %s',
    (line) => {
      expect(keys(line)).toEqual([])
    },
  )
})

describe('a key that stands twice', () => {
  const agent = (...keys: string[]) => `"a": { "description": "d", "prompt": "You look at logs.", ${keys.join(', ')} }`
  const allows = '"permission": { "edit": "allow" }'
  const denies = '"permission": { "edit": "deny" }'
  test.each([
    ['a rule', agent('"permission": { "edit": "deny", "edit": "allow" }')],
    ['a map of rules', agent(denies, allows)],
    ['a map of patterns', agent('"permission": { "bash": { "git *": "deny", "git *": "allow" } }')],
    ['the agent', `${agent(denies)}, ${agent('"mode": "all"')}`],
  ])('in JSON: %s', (_, agents) => {
    const refusal = refusalOf('opencode', `{ "agent": { ${agents} } }`, 'claude-code', 'config')
    expect(refusal?.code).toBe('unreadable-access')
    expect(refusal?.message).toContain('only once')
  })

  test('in JSON: another key, or another agent', () => {
    const twice = agent(denies, '"mode": "all", "mode": "subagent"')
    const other = '"b": { "prompt": "x", "permission": { "edit": "deny", "edit": "allow" } }'
    expect(refusalOf('opencode', `{ "agent": { ${twice}, ${other} } }`, 'claude-code', 'config')).toBeNull()
  })

  test('in PromptScript', () => {
    const prs = (...tools: string[]) =>
      `@agents {\n  a: {\n    description: "d"\n${tools.join('\n')}\n    content: """You look."""\n  }\n}\n`
    expect(refusalOf('promptscript', prs('tools: ["Grep"]', 'tools: ["Grep", "Bash"]'))?.code).toBe('unreadable-access')
    expect(refusalOf('promptscript', prs('tools: ["Grep"]'))).toBeNull()
  })
})

describe('access that cannot be read at all', () => {
  test.each([
    ['claude-code', 'disallowedTools: { Write: true }', 'disallowedTools', 'a list of tool names'],
    ['claude-code', 'tools: Grep\nand some more', 'tools', 'a list of tool names'],
    ['opencode', 'permission: edit: deny', 'permission', 'a map from tools to allow, ask or deny'],
    ['opencode', 'permission: [edit]', 'permission', 'a map from tools to allow, ask or deny'],
  ])('%s: %j', (from, line, key, expected) => {
    const refusal = refusalOf(from, markdown(...head, line))
    expect(refusal?.code).toBe('unreadable-access')
    expect(refusal?.message).toContain(`\`${key}\``)
    expect(refusal?.message).toContain(expected)
  })

  test('a switch of Codex', () => {
    const text = 'name = "a"\ndescription = "d"\ndeveloper_instructions = "You look."\nsandbox_mode = "READ"\n'
    expect(refusalOf('codex', text)?.message).toContain('one of read-only, workspace-write')
  })

  test('is copied as it is within its harness', () => {
    const source = sourceOf('claude-code', { text: markdown(...head, 'disallowedTools: { Write: true }') })
    expect(convertInto(source, harnessOf('claude-code')).refusal?.code).not.toBe('unreadable-access')
  })

  test('is converted where only one item of it is unreadable', () => {
    expect(refusalOf('claude-code', markdown(...head, 'tools: [Grep, { a: b }]'))).toBeNull()
  })
})
