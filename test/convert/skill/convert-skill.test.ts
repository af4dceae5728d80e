import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { defaultDecision } from '../../../src/convert/gaps.ts'
import { convertSkill } from '../../../src/convert/skill/convert-skill.ts'
import type { ConvertedSkill } from '../../../src/convert/skill/plan.ts'
import type { Harness } from '../../../src/harness/schema/harness.ts'
import { registry } from '../../reading.ts'

const six = ['claude-code', 'opencode', 'codex', 'gemini-cli', 'copilot', 'qwen-code']

function harnessOf(id: string): Harness {
  const found = registry.byId(id)
  if (found === undefined) throw new Error(`no harness ${id}`)
  return found
}

interface More {
  readonly name?: string
  readonly files?: Readonly<Record<string, string>>
  readonly there?: readonly string[]
}

function convert(from: string, to: string, text: string, { name = 'deploy', files = {}, there = [] }: More = {}) {
  return convertSkill(
    {
      registry,
      harness: harnessOf(from),
      text,
      folder: 'deploy',
      from: '.here/skills/deploy',
      beside: (path) => files[path] ?? null,
    },
    {
      target: harnessOf(to),
      name,
      place: '.there/skills/deploy',
      renamed: new Map(),
      policy: defaultDecision,
      models: {},
      isThere: (path) => there.includes(path),
      kept: null,
      original: null,
    },
  )
}

/** With a parser of its own: nothing here shares code with what is tested. */
function headOf({ text }: Pick<ConvertedSkill, 'text'>): Record<string, unknown> {
  const head = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text)
  return head === null ? {} : (parse(head[1] ?? '') as Record<string, unknown>)
}

function bodyOf({ text }: Pick<ConvertedSkill, 'text'>): string {
  return text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, '')
}

const skill = (head: string, body = 'Deploy.\n') => `---\nname: deploy\ndescription: Deploys\n${head}---\n${body}`

describe('keys', () => {
  test('unknown keys, comments and spelling stay', () => {
    const text = '---\nname:   deploy # mine\ndescription: >-\n  Deploys\n  all\nx-own: [ 1,2 ]\n---\nDeploy.\n'
    for (const to of six.slice(1)) expect(convert('claude-code', to, text).text).toBe(text)
  })

  test.each(six.slice(1))('what allows without a question is never written for %s', (to) => {
    for (const value of ['Bash', '[Bash, Read]', '\n  - Bash(git *)\n  - Read', 'Bash(git *), Read', '"*"']) {
      const made = convert('claude-code', to, skill(`allowed-tools: ${value}\nlicense: MIT\n`))
      expect(headOf(made)).toEqual({ name: 'deploy', description: 'Deploys', license: 'MIT' })
      expect(made.features.find(({ feature }) => feature === 'allowed-tools')?.outcome).toBe('omitted')
      expect(made.gains).toEqual([])
    }
  })

  test.each(six.slice(1))('and what %s ignores does not come alive in Claude Code', (from) => {
    const made = convert(from, 'claude-code', skill('allowed-tools: Bash\nlicense: MIT\n'))
    expect(headOf(made)).toEqual({ name: 'deploy', description: 'Deploys', license: 'MIT' })
    expect(made.gains).toEqual([])
  })

  test('what neither knows, but a third harness would act on, goes too', () => {
    const made = convert('copilot', 'gemini-cli', skill('allowed-tools: Bash\nhooks: {}\nlicense: MIT\n'))
    expect(headOf(made)).toEqual({ name: 'deploy', description: 'Deploys', license: 'MIT' })
    expect(made.gains).toEqual([])
  })

  test('a skill that only people may start stays one, or is refused', () => {
    const text = skill('disable-model-invocation: true\n')
    const gains = (to: string) => convert('claude-code', to, text).gains.length
    expect(six.slice(1).map((to) => [to, gains(to)])).toEqual([
      ['opencode', 1],
      ['codex', 0],
      ['gemini-cli', 1],
      ['copilot', 0],
      ['qwen-code', 0],
    ])
    expect(headOf(convert('claude-code', 'qwen-code', text))['disable-model-invocation']).toBe(true)
    const { files } = convert('claude-code', 'codex', text)
    expect([...files].map(([path, content]) => [path, parse(content)])).toEqual([
      ['agents/openai.yaml', { policy: { allow_implicit_invocation: false } }],
    ])
  })

  test('a file that is there already is not overwritten, and says nothing for the skill', () => {
    const text = skill('disable-model-invocation: true\n')
    const made = convert('claude-code', 'codex', text, { files: { 'agents/openai.yaml': 'interface: {}\n' } })
    expect(made.files.size).toBe(0)
    expect(made.gains).not.toEqual([])
  })

  test('what Codex says in a file beside it is a key elsewhere', () => {
    const files = { 'agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n' }
    expect(headOf(convert('codex', 'claude-code', skill(''), { files }))['disable-model-invocation']).toBe(true)
    expect(convert('codex', 'gemini-cli', skill(''), { files }).gains).not.toEqual([])
  })

  test('hooks are not lost without a word', () => {
    const text = skill('hooks:\n  PreToolUse: [{ matcher: Bash, hooks: [{ type: command, command: ./guard.sh }] }]\n')
    for (const to of six.slice(1)) {
      expect(convert('claude-code', to, text).gains).toEqual(['its hooks would no longer run'])
      expect(headOf(convert('claude-code', to, text))).not.toHaveProperty('hooks')
    }
  })

  test('what a target needs to load it is added', () => {
    const none = '# Deploys the service\n\nStep by step.\n'
    const made = convert('claude-code', 'qwen-code', none)
    expect(headOf(made)).toEqual({ name: 'deploy', description: 'Deploys the service' })
    expect(bodyOf(made)).toBe(none)
    expect(headOf(convert('claude-code', 'codex', '---\nlicense: MIT\n---\nText here.\n'))).toEqual({
      license: 'MIT',
      description: 'Text here.',
    })
  })

  test('the last key can go and another come', () => {
    const made = convert('claude-code', 'gemini-cli', '---\ndescription: D\nallowed-tools: Bash\n---\nText.\n')
    expect(headOf(made)).toEqual({ description: 'D', name: 'deploy' })
  })

  test('paths are a list for Qwen Code, and the time to use it is told in the description', () => {
    expect(headOf(convert('claude-code', 'qwen-code', skill('paths: src/**/*.ts\n'))).paths).toEqual(['src/**/*.ts'])
    const made = convert('claude-code', 'codex', skill('when_to_use: After a merge\n'))
    expect(headOf(made).description).toBe('Deploys. After a merge')
  })

  test('a description that Copilot would not load is cut', () => {
    const made = convert(
      'claude-code',
      'copilot',
      `---\nname: deploy\ndescription: ${'word '.repeat(400)}\n---\nText.\n`,
    )
    expect(String(headOf(made).description).length).toBeLessThanOrEqual(1024)
  })

  test('front matter that cannot be read is not converted', () => {
    for (const text of ['---\nname: deploy\nallowed-tools: Bash\n', '---\n- a\n- b\n---\nText\n'])
      expect(convert('claude-code', 'codex', text).problem).not.toBeNull()
  })

  test('a description with a colon is repaired as its harness reads it', () => {
    const made = convert('claude-code', 'copilot', '---\nname: deploy\ndescription: Use when: now\n---\nText.\n')
    expect(headOf(made)).toEqual({ name: 'deploy', description: 'Use when: now' })
  })
})

describe('text', () => {
  test('what Claude Code fills in is said in words', () => {
    const text = skill('', 'Deploy $ARGUMENTS to $0.\n\nRun `${CLAUDE_SKILL_DIR}/x.sh`.\n\nState: !`git status`\n')
    const body = bodyOf(convert('claude-code', 'gemini-cli', text))
    expect(body).toContain('Deploy <arguments> to <argument 1>.')
    expect(body).toContain('Run `.there/skills/deploy/x.sh`.')
    expect(body).toContain('State: the output of `git status` (run it first)')
    expect(body).not.toMatch(/\$ARGUMENTS|CLAUDE_SKILL_DIR|!`/)
  })

  test('a dollar of code is left alone', () => {
    const body = "Cost: $10.50, $HOME, $1abc.\n\n```sh\nawk '{ print $1 }'\n```\n"
    expect(bodyOf(convert('claude-code', 'codex', skill('', body)))).toBe(body)
    expect(bodyOf(convert('claude-code', 'codex', skill('argument-hint: x\n', body)))).toContain(body)
  })

  test('what others only write about does not run in Claude Code', () => {
    const text = skill(
      '',
      'Never use !`rm -rf x`.\n!`id`\n\n```!\ncurl x\n```\n\n@/etc/passwd @~/.ssh/id @src/a.ts @types/node\n$ARGUMENTS $1\n',
    )
    for (const from of six.slice(1)) {
      const made = convert(from, 'claude-code', text, { there: ['src/a.ts'] })
      const body = bodyOf(made)
      expect(body).not.toMatch(/(?:^|\s)!`/m)
      expect(body).not.toMatch(/^[ \t]*`{3,}!/m)
      expect(body).not.toMatch(/(?<!\\)\$(?:ARGUMENTS|\d)/)
      expect(body).not.toContain('@/etc')
      expect(body).not.toContain('@~/')
      expect(body).not.toContain('@src/')
      expect(body).toContain('@types/node')
      expect(made.gains).toEqual([])
    }
  })

  test('tool words follow, English does not', () => {
    const text = skill('', 'Use the Grep tool to find callers. Read the notes aloud.\n')
    expect(bodyOf(convert('claude-code', 'gemini-cli', text))).toBe(
      'Use the grep_search tool to find callers. Read the notes aloud.\n',
    )
  })

  test('line ends and a byte order mark stay', () => {
    const text = '\uFEFF---\r\nname: deploy\r\ndescription: D\r\nallowed-tools: Bash\r\n---\r\nUse the Grep tool.\r\n'
    const made = convert('claude-code', 'gemini-cli', text)
    expect(made.text).toBe('\uFEFF---\r\nname: deploy\r\ndescription: D\r\n---\r\nUse the grep_search tool.\r\n')
  })
})
