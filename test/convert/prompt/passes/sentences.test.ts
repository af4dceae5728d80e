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
    ['codex', 'Write and Edit tools are blocked.', 'apply_patch is blocked.'],
    ['codex', '* **Write / Edit** - create files', '* **apply_patch** - create files'],
    ['copilot', 'Start it as a Task subagent, one Task at a time.', 'Start it as a subagent, one Task at a time.'],
    ['copilot', 'For each WebSearch finding, use WebFetch.', 'For each web search finding, use web fetch.'],
    ['copilot', 'Use Read/Glob/Grep to explore.', 'Use read/search to explore.'],
    ['copilot', 'Use `TaskGet` to see it.', 'Use `TaskGet` to see it.'],
    ['codex', 'Wait before using Write/Edit tools.', 'Wait before using apply_patch.'],
    ['codex', 'Use a Bash call.', 'Use an exec_command call.'],
    [
      'codex',
      'Draw them in ONE Bash call. No Read calls in between.',
      'Draw them in ONE exec_command call. No `cat` calls in between.',
    ],
    [
      'codex',
      'Use Grep to search, Glob to find, and Read to open it.',
      'Use `rg` to search, `rg --files` to find, and `cat` to open it.',
    ],
    ['codex', 'Use the Grep, Glob and Read tools.', 'Use the exec_command tool.'],
    ['copilot', 'WebSearch finds pages, and WebFetch reads one.', 'Web search finds pages, and web fetch reads one.'],
    ['copilot', 'Update it with Edit, never with Write.', 'Update it with the edit tool, never with the create tool.'],
    ['copilot', 'WebFetch the best three results.', 'Use the web tool on the best three results.'],
    ['copilot', 'WebSearch first. WebFetch the best.', 'Web search first. Use web fetch on the best.'],
    [
      'gemini-cli',
      '1. WebSearch for "a b"\n2. WebFetch the pages',
      '1. Use google_web_search for "a b"\n2. Use web_fetch on the pages',
    ],
    ['gemini-cli', 'WebSearch first, WebFetch then.', 'google_web_search first, web_fetch then.'],
    ['copilot', "Grep's results have lines.", "The search tool's results have lines."],
    [
      'copilot',
      "Use Glob first. Grep's results have lines.",
      "Use file search first. The text search tool's results have lines.",
    ],
    ['copilot', 'Run several Grep and Glob searches.', 'Run several text and file searches.'],
    ['copilot', 'Keep a list, one TodoWrite per change.', 'Keep a list, one todo call per change.'],
    ['opencode', 'One single Read is enough.', 'One single read call is enough.'],
    ['opencode', 'Prefer Grep over `grep`.', 'Prefer the grep tool over `grep`.'],
    ['opencode', '- Read: notes/a.md', '- read: notes/a.md'],
    ['codex', '- Read: notes/a.md, or Bash: ls', '- Read: notes/a.md, or Bash: ls'],
    ['codex', 'Read: notes/a.md\n\nRun it with Bash first.', 'cat notes/a.md\n\nRun it with exec_command first.'],
  ])('%s: %s', (target, text, expected) => {
    expect(convert(target, text).text).toBe(expected)
  })

  it.each([
    ['codex', 'Never use Bash to read files; use Read instead.'],
    ['codex', 'Do not use Bash for tasks that Read, Grep or Glob can do.'],
    ['codex', 'Update it with Edit, never with Write.'],
    ['codex', 'Prefer Read over Bash.'],
    ['copilot', 'Change notebooks with NotebookEdit, never with Edit.'],
    ['copilot', 'Use NotebookEdit to change cells, and Edit for everything else.'],
    ['opencode', 'Use TodoWrite for your own list; TaskCreate is for the others.'],
  ])('would contradict itself on %s, and so is left with a TODO: %s', (target, text) => {
    const result = convert(target, text)
    expect(result.text).toBe(text)
    expect(result.todos.join('\n')).toContain(text)
    expect(result.patterns.every(({ outcome }) => outcome === 'todo')).toBe(true)
    expect(result.gaps).toMatchObject([{ type: 'tool-missing' }])
  })

  it.each([
    [
      'Change cells with NotebookEdit. Never use Edit on a notebook.',
      'Change cells with apply_patch. Never use Edit on a notebook.',
    ],
    ['Use Edit. Do not call Write twice.', 'Use apply_patch. Do not call apply_patch twice.'],
    ['Never use Write or Edit.', 'Never use apply_patch.'],
  ])('forbids on Codex only what the prompt does not ask for elsewhere: %s', (text, expected) => {
    expect(convert('codex', text).text).toBe(expected)
  })

  it.each([
    [
      'Use the Skill tool to load style-guide, then write.',
      'Follow the guidelines of style-guide at the end of this prompt, then write.',
    ],
    [
      'Before you begin, load the style-guide skill.',
      'Before you begin, follow the guidelines of style-guide at the end of this prompt.',
    ],
    ['Load the other-guide skill.', 'Load the other-guide skill.'],
  ])('follows the text of a skill that is in the prompt: %s', (text, expected) => {
    expect(convert('codex', text, { inlined: ['style-guide'], on: 'omit' }).text).toBe(expected)
  })

  it.each([
    [
      'When it is complete, call ExitPlanMode. Do not call ExitPlanMode before.',
      'When it is complete, give a written plan. Do not give a written plan before.',
    ],
    ['Use AskUserQuestion to ask which.', 'Put a question in your final answer to ask which.'],
    ['Track it with `TaskCreate` and `TaskUpdate`.', 'Track it with a list of steps in your answer.'],
    ['Call TaskCreate before you begin.', 'Write a list of steps in your answer before you begin.'],
    ['Call TaskList before you begin.', 'Call [NO_EQUIVALENT: TaskList] before you begin.'],
    [
      'Read what was sent by the lead via SendMessage.',
      'Read what was sent by the lead via [NO_EQUIVALENT: SendMessage].',
    ],
    ['For SendMessage types see below.', 'For [NO_EQUIVALENT: SendMessage] types see below.'],
    ['End with TeamDelete.', 'End with [NO_EQUIVALENT: TeamDelete].'],
    ['Do not use SendMessage.', 'Do not use [NO_EQUIVALENT: SendMessage].'],
    ['Report by calling SendMessage.', 'Report by using your final answer.'],
  ])('has a verb that goes with the phrase: %s', (text, expected) => {
    expect(convert('codex', text, { on: 'workaround', words: { message: null, ask: null } }).text).toBe(expected)
  })

  it.each([
    ['send **one single SendMessage** to them', 'send **one single [NO_EQUIVALENT: SendMessage]** to them'],
    ['Each `SendMessage` counts.', 'Each `[NO_EQUIVALENT: SendMessage]` counts.'],
    ['Report with SendMessage.', 'Report with your final answer.'],
    ['Report with the `SendMessage` tool.', 'Report with your final answer.'],
    ['SendMessage is the only way.', 'Your final answer is the only way.'],
    ['Enter with EnterPlanMode and leave with ExitPlanMode.', 'Enter with EnterPlanMode and leave with ExitPlanMode.'],
    ['Use TaskCreate and TaskUpdate to track work.', 'Write a list of steps in your answer to track work.'],
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
      'Both exec_command and `cat`.\n```\nexec_command: ls notes\ncat notes/index.md\ncat notes/a.md\nRead(file_path="b")\n```\n',
    )
  })
})
