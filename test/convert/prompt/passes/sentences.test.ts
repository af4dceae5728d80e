/** Sentences with tool words that must still read like sentences in the target. */
import { describe, expect, it } from 'vitest'
import { convert, patternOf } from '../convert-text.ts'

describe('a sentence in the target', () => {
  it.each([
    ['opencode', 'Use AskUserQuestion to ask.', 'Use the question tool to ask.'],
    ['opencode', 'AskUserQuestion is MANDATORY.', 'The question tool is MANDATORY.'],
    ['opencode', 'Ask with the `AskUserQuestion` tool.', 'Ask with the `question` tool.'],
    [
      'opencode',
      'Never use Bash to read files; use Read instead.',
      'Never use bash to read files; use the read tool instead.',
    ],
    [
      'copilot',
      'Use Glob to find files, Grep to search in them.',
      'Use file search to find files, text search to search in them.',
    ],
    ['copilot', 'Start with a Task call.', 'Start with an agent call.'],
    ['gemini-cli', 'An Agent call costs time.', 'An invoke_agent call costs time.'],
    ['codex', 'Use a Bash call.', 'Use an exec_command call.'],
    [
      'codex',
      'Draw them in ONE Bash call. No Read calls in between.',
      'Draw them in ONE exec_command call. No cat calls in between.',
    ],
    [
      'codex',
      'Use Grep to search, Glob to find, and Read to open it.',
      'Use rg to search, rg --files to find, and cat to open it.',
    ],
    ['codex', 'Use the Grep, Glob and Read tools.', 'Use the exec_command tools.'],
    ['copilot', 'WebSearch finds pages, and WebFetch reads one.', 'Web search finds pages, and web fetch reads one.'],
    ['copilot', 'Update it with Edit, never with Write.', 'Update it with the edit tool, never with the create tool.'],
  ])('%s: %s', (target, text, expected) => {
    expect(convert(target, text).text).toBe(expected)
  })

  it.each([
    ['codex', 'Never use Bash to read files; use Read instead.'],
    ['codex', 'Do not use Bash for tasks that Read, Grep or Glob can do.'],
    ['codex', 'Update it with Edit, never with Write.'],
    ['copilot', 'Change notebooks with NotebookEdit, never with Edit.'],
  ])('would contradict itself on %s, and so is left with a TODO: %s', (target, text) => {
    const result = convert(target, text)
    expect(result.text).toBe(text)
    expect(result.todos.join('\n')).toContain(text)
    expect(result.patterns.every(({ outcome }) => outcome === 'todo')).toBe(true)
    expect(result.gaps).toMatchObject([{ type: 'tool-missing' }])
  })

  it.each([
    ['send **one single SendMessage** to them', 'send **one single [NO_EQUIVALENT: SendMessage]** to them'],
    ['Each `SendMessage` counts.', 'Each `[NO_EQUIVALENT: SendMessage]` counts.'],
    ['Report with SendMessage.', 'Report with your final answer.'],
    ['Report with the `SendMessage` tool.', 'Report with your final answer.'],
    ['SendMessage is the only way.', 'Your final answer is the only way.'],
    ['Enter with EnterPlanMode and leave with ExitPlanMode.', 'Enter with EnterPlanMode and leave with ExitPlanMode.'],
    ['Use TaskCreate and TaskUpdate to track work.', 'Use a list of steps in your answer to track work.'],
    ['Use WebFetch to fetch it, never **WebFetch** twice.', 'Use curl to fetch it, never **curl** twice.'],
  ])('has a phrase only where a phrase fits: %s', (text, expected) => {
    expect(convert('codex', text, { on: 'workaround', words: { message: null } }).text).toBe(expected)
  })

  it('keeps calls that are no calls of the other tool', () => {
    const result = convert('opencode', 'Call TaskList() first.')
    expect(result.text).toBe('Call TaskList() first.')
    expect(patternOf(result, 'tool: TaskList')?.outcome).toBe('todo')
    expect(convert('opencode', 'Call TaskCreate() first.').text).toBe('Call todowrite() first.')
  })

  it('becomes a command where the tool is one', () => {
    const text =
      'Both Bash and Read.\n```\nBash: ls notes\nRead: notes/index.md\nRead(notes/a.md)\nRead(file_path="b")\n```\n'
    expect(convert('codex', text).text).toBe(
      'Both exec_command and cat.\n```\nexec_command: ls notes\ncat notes/index.md\ncat notes/a.md\nRead(file_path="b")\n```\n',
    )
  })
})
