/** Limits that a target cannot hold: the tool goes, unless somebody accepts to keep it whole. */
import { describe, expect, test } from 'vitest'
import { policyOf } from '../../../src/convert/gaps.ts'
import { accessInRole } from '../../../src/harness/write/target-access.ts'
import { decide } from '../../../src/model/access/decide.ts'
import type { Role } from '../../../src/model/access/rules.ts'
import { markdown } from '../../reading.ts'
import { convertInto, harnessOf, sourceOf } from '../converting.ts'

/** What an agent with these lines may do in the target, after these capabilities were accepted. */
function converted(from: string, to: string, lines: readonly string[], ...accepted: string[]) {
  const source = sourceOf(from, { text: markdown('name: a', 'description: d', ...lines) })
  const policy = policyOf({ widen: accepted })
  const { record, agent } = convertInto(source, harnessOf(to), { policy })
  const may = (tool: string, argument = 'x', role: Role = 'child') =>
    decide(accessInRole(harnessOf(to), agent.access, role), { tool, argument }).action !== 'deny'
  const gaps = record.gaps.filter(({ type }) => type === 'limit-missing')
  const missing = record.gaps.filter(({ type }) => type === 'tool-missing')
  const widened = new Set(record.access.widened.map(({ capability }) => capability))
  return { may, gaps, missing, widened: [...widened] }
}

const someCommands = ['tools: Read, Bash(git *), Bash(npm test)']
const notAllCommands = ['permission:', '  bash:', '    "*": allow', '    "rm *": deny']

describe.each(['copilot', 'qwen-code', 'gemini-cli'])('some commands of the shell, for %s', (to) => {
  test('without a word the shell goes', () => {
    const { may, gaps, widened } = converted('claude-code', to, someCommands)
    expect([may('shell', 'git status'), may('read'), widened]).toEqual([false, true, []])
    expect(gaps).toEqual([expect.objectContaining({ feature: 'shell', resolution: 'todo', line: 4 })])
  })

  test('accepted, it stays whole, and nothing else grows', () => {
    const { may, gaps, widened } = converted('claude-code', to, someCommands, 'shell')
    expect([may('shell', 'git status'), may('shell', 'rm -rf .'), may('read')]).toEqual([true, true, true])
    expect([may('edit'), may('write'), may('fetch'), widened]).toEqual([false, false, false, ['shell']])
    expect(gaps).toEqual([expect.objectContaining({ feature: 'shell', resolution: 'widen', decidedBy: 'flag' })])
  })

  test('accepted for something else, it goes', () => {
    expect(converted('claude-code', to, someCommands, 'edit').may('shell', 'git status')).toBe(false)
  })
})

test('a denial of some commands: the rest of the agent is as open as before', () => {
  const without = converted('opencode', 'claude-code', notAllCommands)
  expect([without.may('shell'), without.may('edit')]).toEqual([false, true])
  const whole = converted('opencode', 'claude-code', notAllCommands, 'shell')
  expect([whole.may('shell'), whole.may('edit'), whole.widened]).toEqual([true, true, ['shell']])
})

test('a target that holds the limits is not asked about', () => {
  const { may, gaps } = converted('claude-code', 'opencode', someCommands, 'shell')
  expect([may('shell', 'git status'), may('shell', 'rm -rf .'), gaps]).toEqual([true, false, []])
})

test('a tool that the target does not have is not asked about', () => {
  expect(converted('opencode', 'codex', ['permission:', '  webfetch:', '    "https://a/*": allow']).gaps).toEqual([])
})

test('no word for everything at once keeps it', () => {
  const source = sourceOf('claude-code', { text: markdown('name: a', 'description: d', ...someCommands) })
  for (const resolution of ['workaround', 'todo', 'omit', 'revive'] as const) {
    const policy = () => ({ resolution, decidedBy: 'answers' as const })
    const { record } = convertInto(source, harnessOf('copilot'), { policy })
    expect(record.access.widened, resolution).toEqual([])
  }
})

describe('one tool of a server that is granted by its joined name', () => {
  const lines = (name: string) => ['permission:', '  "*": deny', '  read: allow', `  ${name}: allow`]

  test.each(['claude-code', 'qwen-code', 'gemini-cli', 'copilot'])('is granted in %s, and no other', (target) => {
    const { may, missing, widened } = converted('opencode', target, lines('docs_get_page'))
    // There, the names of servers have no underscore.
    const isOther = target !== 'gemini-cli'
    expect([may('mcp:docs/get_page'), may('mcp:docs_get/page')]).toEqual([true, isOther])
    expect([may('mcp:docs/get'), may('mcp:docs/page'), may('shell'), missing, widened]).toEqual([
      false,
      false,
      false,
      [],
      [],
    ])
  })

  test.each(['github_get_issue', 'github_get'])('%s is none of the server that Copilot itself calls github', (name) => {
    const { may, missing } = converted('opencode', 'copilot', lines(name))
    expect([may('mcp:github/get_issue'), may('mcp:github/get'), may('read')]).toEqual([false, false, true])
    expect(missing).toEqual([
      expect.objectContaining({ feature: name, reason: 'GitHub Copilot has a server of its own called "github"' }),
    ])
  })
})

describe('servers that are denied by the beginning of their names', () => {
  const github = ['permission:', '  "github_*": deny']
  const servers = ['mcp:github/get', 'mcp:github_enterprise/get', 'mcp:docs/get']

  test('stay denied, and only they, where names can begin alike', () => {
    const { may, gaps } = converted('opencode', 'qwen-code', github)
    expect(servers.map((tool) => may(tool))).toEqual([false, false, true])
    expect(gaps).toEqual([])
  })

  test.each([
    ['the beginning of a tool', 'github_ge*', 'mcp:github/get', 'mcp:github_gears/x', 'mcp:github/set'],
    ['the beginning of a server', 'git*', 'mcp:github/get', 'mcp:gitlab/get', 'mcp:docs/get'],
    ['a server with an underscore', 'my_docs_*', 'mcp:my_docs/get', 'mcp:my/docs_get', 'mcp:my/get'],
  ])('%s', (_, name, one, other, free) => {
    const { may } = converted('opencode', 'qwen-code', ['permission:', `  "${name}": deny`])
    expect([may(one), may(other), may(free)]).toEqual([false, false, true])
  })

  test('take all others with them where servers have whole names only, and nothing else', () => {
    const { may, gaps, widened } = converted('opencode', 'claude-code', github)
    expect(servers.map((tool) => may(tool))).toEqual([false, false, false])
    expect([may('shell'), may('edit'), may('fetch'), may('lsp'), widened]).toEqual([true, true, true, true, []])
    expect(gaps).toEqual([expect.objectContaining({ feature: 'mcp:*', resolution: 'todo', line: 5 })])
  })

  test('accepted, the one that is named is denied, and no other', () => {
    const { may, widened } = converted('opencode', 'claude-code', github, 'mcp:*')
    expect(servers.map((tool) => may(tool))).toEqual([false, true, true])
    expect(widened).toEqual(['mcp:*'])
  })

  test('accepted, all that are named are denied', () => {
    const both = [...github, '  "github_enterprise_*": deny']
    const { may } = converted('opencode', 'claude-code', both, 'mcp:*')
    expect(servers.map((tool) => may(tool))).toEqual([false, false, true])
  })

  test.each(['claude-code', 'qwen-code'])('in %s, one tool is denied under each name that it can have', (target) => {
    const { may, gaps, widened } = converted('opencode', target, ['permission:', '  github_delete_repo: deny'])
    expect([may('mcp:github/delete_repo'), may('mcp:github_delete/repo')]).toEqual([false, false])
    expect([may('mcp:github/get_repo'), may('mcp:docs/get'), gaps, widened]).toEqual([true, true, [], []])
  })

  test('are not asked about where a server cannot be denied at all', () => {
    expect(converted('opencode', 'gemini-cli', github, 'mcp:*').may('mcp:github/get')).toBe(false)
  })

  test('and granted in part: a question mark is one character, and no star', () => {
    const { may } = converted('opencode', 'claude-code', ['permission:', '  "a_*": deny', '  "a_?": allow'])
    expect([may('mcp:a/get'), may('mcp:a_b/get')]).toEqual([false, false])
  })
})
