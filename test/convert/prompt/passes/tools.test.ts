/** What becomes of the tools in a prompt. */
import { describe, expect, it } from 'vitest'
import type { PromptGap } from '../../../../src/convert/prompt/pass.ts'
import { convert, patternOf } from '../convert-text.ts'

const PROMPT = `Use \`Read\` to examine file contents and \`Glob\` to find files by pattern.
Use \`SendMessage\` to communicate with other agents.
`

describe('tool references', () => {
  it('become the words of the target, and an instruction without a tool becomes a comment', () => {
    const result = convert('opencode', PROMPT)
    expect(result.text).toBe(`Use \`read\` to examine file contents and \`glob\` to find files by pattern.
<!-- TODO: No equivalent for SendMessage on OpenCode. OpenCode has no inter-agent messaging. -->
`)
    // It is said in its place already.
    expect(result.todos).toEqual([])
    expect(patternOf(result, 'tool: Read')).toEqual({
      feature: 'tool: Read',
      outcome: 'direct',
      from: 'Read',
      to: 'read',
      occurrences: 1,
      first: PROMPT.indexOf('Read'),
    })
    expect(patternOf(result, 'tool: SendMessage')).toMatchObject({ outcome: 'todo', to: null })
    expect(result.gaps).toMatchObject([{ type: 'tool-missing', feature: 'SendMessage', severity: 'medium' }])
  })

  it('are marked within a sentence, and told once', () => {
    const text = 'Answer with `SendMessage` and log it. Later send more via SendMessage and rest.\n'
    const result = convert('opencode', text)
    expect(result.text).toBe(
      'Answer with `[NO_EQUIVALENT: SendMessage]` and log it. Later send more via [NO_EQUIVALENT: SendMessage] and rest.\n',
    )
    expect(result.todos).toEqual([
      '<!-- TODO: No equivalent for SendMessage on OpenCode. OpenCode has no inter-agent messaging. -->',
    ])
    expect(patternOf(result, 'tool: SendMessage')?.occurrences).toBe(2)
  })

  it('ask once for each feature', () => {
    const asked: PromptGap[] = []
    convert('opencode', 'A `SendMessage`, a `SendMessage` and a `TeamCreate` here.', { asked })
    expect(asked.map(({ feature }) => feature)).toEqual(['SendMessage', 'TeamCreate'])
    expect(asked[0]).toMatchObject({ workaround: 'your final answer' })
  })

  it('take the words of the harness file for a workaround', () => {
    const result = convert('opencode', 'Report with the `SendMessage` tool when done.', { on: 'workaround' })
    expect(result.text).toBe('Report with your final answer when done.')
    expect(patternOf(result, 'tool: SendMessage')?.outcome).toBe('workaround')
    // Nothing helps here, so it is marked after all.
    expect(convert('gemini-cli', 'Set it up with `TeamCreate` first.', { on: 'workaround' }).text).toBe(
      'Set it up with `[NO_EQUIVALENT: TeamCreate]` first.',
    )
  })

  it('mean one tool, although the word switches several', () => {
    expect(convert('claude-code', 'Use the `write` tool, then the `edit` tool.', { from: 'opencode' }).text).toBe(
      'Use the `Write` tool, then the `Edit` tool.',
    )
    expect(convert('claude-code', 'Use `createFile` once.', { from: 'copilot' }).text).toBe('Use `Write` once.')
    expect(convert('claude-code', 'Then `wait_agent` for it.', { from: 'codex' }).text).toBe(
      'Then `[NO_EQUIVALENT: wait_agent]` for it.',
    )
  })

  it('become several where the target has one for each part, or the one for this part', () => {
    const words = { shell: { composite: ['start', 'stop'] } }
    expect(convert('opencode', 'Run it with `Bash`, via Bash.', { words }).text).toBe(
      'Run it with `start` and `stop`, via start and stop.',
    )
    expect(convert('qwen-code', 'Read it with `TaskGet`.').text).toBe('Read it with `task_list`.')
    expect(convert('claude-code', 'Link it with `tracker_add_dependency`.', { from: 'gemini-cli' }).text).toBe(
      'Link it with `TaskUpdate`.',
    )
  })

  it('have an equivalent only where the target has this part of it', () => {
    const text = 'Show the plan with `ExitPlanMode`; never call `EnterPlanMode` yourself.'
    expect(convert('opencode', text).text).toBe(
      'Show the plan with `plan_exit`; never call `[NO_EQUIVALENT: EnterPlanMode]` yourself.',
    )
  })

  it('are left out with their line, or left as they are', () => {
    const text = 'One.\n\n- Use `SendMessage` to report.\n- Then use `SendMessage` and wait for `Read`.\n'
    const result = convert('opencode', text, { on: 'omit' })
    expect(result.text).toBe('One.\n\n- Then use `SendMessage` and wait for `read`.\n')
    expect(result.todos).toEqual([])
    expect(patternOf(result, 'tool: SendMessage')?.outcome).toBe('omitted')
  })

  it.each([
    ['- Report what you found via TaskUpdate.', true],
    ['- Mark it as done using `TaskUpdate`', true],
    ['Use `TaskCreate` and `TaskUpdate` to track your work.', true],
    ['- Do not use `TaskUpdate`.', false],
    ['Use `TaskUpdate` to say so. Then stop.', false],
    ['Use `TaskUpdate` like this:', false],
    ['and then\nuse `TaskUpdate` to say so.', false],
  ])('replace the line only if nothing else is in it: %j', (text, isWhole) => {
    const result = convert('codex', `${text}\n`)
    expect(result.text.includes('<!-- TODO')).toBe(isWhole)
    expect(result.text.includes('NO_EQUIVALENT')).toBe(!isWhole)
  })

  it('say what is lost with a partial equivalent', () => {
    const result = convert('opencode', 'Ask with `AskUserQuestion`.')
    expect(result.text).toBe('Ask with `question`.')
    expect(patternOf(result, 'tool: AskUserQuestion')).toMatchObject({
      outcome: 'workaround',
      note: expect.any(String),
    })
  })

  it('do not repeat a word in a list', () => {
    const lists = [
      ['Use `TaskCreate` and `TaskUpdate` for it.', 'Use `todowrite` for it.'],
      ['Use `TaskCreate`, `TaskUpdate` and `Read` for it.', 'Use `todowrite` and `read` for it.'],
      ['Use `TaskList`, `Read`, and `TaskGet` for it.', 'Use `todowrite` and `read` for it.'],
      ['Use TaskList/TaskGet.', 'Use todowrite.'],
    ]
    for (const [text = '', expected] of lists) expect(convert('opencode', text).text).toBe(expected)
    expect(convert('copilot', 'Use Glob, Grep, and Bash to look.').text).toBe(
      'Use file search, text search, and execute to look.',
    )
    expect(convert('copilot', 'Use Edit, MultiEdit, and Bash to work.').text).toBe('Use edit and execute to work.')
    expect(convert('gemini-cli', 'Use `TaskCreate` and `TaskUpdate`.').text).toBe(
      'Use `tracker_create_task` and `tracker_update_task`.',
    )
  })

  it('spell MCP tools as the target does', () => {
    const text = 'Use mcp__github__create_issue and `mcp__docs__*`.'
    expect(convert('gemini-cli', text).text).toBe('Use mcp_github_create_issue and `mcp_docs_*`.')
    expect(convert('opencode', text).text).toBe('Use github_create_issue and `docs_*`.')
    expect(convert('codex', 'Use mcp__github__create_issue.').changes).toEqual([])
    expect(convert('workplace', 'Use mcp__github__create_issue here.').gaps).toMatchObject([{ type: 'tool-missing' }])
  })

  it('keep what is called the same', () => {
    const result = convert('agents', 'Use Bash and `Grep` to look.')
    expect(result.changes).toEqual([])
    expect(patternOf(result, 'tool: Bash')).toMatchObject({ outcome: 'direct', to: 'Bash' })
  })

  it('are not changed within the same harness', () => {
    expect(convert('claude-code', PROMPT)).toMatchObject({ text: PROMPT, changes: [], patterns: [] })
  })

  it('go both ways', () => {
    expect(convert('claude-code', 'Use `read` and `todowrite`, then read on.', { from: 'opencode' }).text).toBe(
      'Use `Read` and `TodoWrite`, then read on.',
    )
    expect(convert('claude-code', 'Use `#tool:web/fetch` and #editFiles.', { from: 'copilot' }).text).toBe(
      'Use `WebFetch` and Edit.',
    )
    expect(convert('claude-code', 'Call `exit_plan_mode`.', { from: 'gemini-cli' }).text).toBe('Call `ExitPlanMode`.')
  })

  it('leave calls alone that the target cannot make', () => {
    const text = '```\nTask(subagent_type="helper")\nSendMessage(to="x")\n```\n'
    const result = convert('workplace', text)
    expect(result.text).toContain('Task(')
    expect(patternOf(result, 'tool: Task')?.outcome).toBe('todo')
    expect(convert('opencode', text).text).toContain('SendMessage(to="x")')
  })
})
