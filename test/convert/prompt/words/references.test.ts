/** Which words of a prompt are tools, and which are English. */
import { describe, expect, it } from 'vitest'
import { scanPrompt } from '../../../../src/convert/prompt/convert-prompt.ts'
import type { Harness } from '../../../../src/harness/schema/harness.ts'
import { registry } from '../../../reading.ts'

/** In the examples «these» are tools and all other words are English. */
function marked(source: string, text: string): string {
  const references = scanPrompt(text, registry.byId(source) as Harness).references()
  let result = ''
  let done = 0
  for (const { start, end } of references) {
    result += `${text.slice(done, start)}«${text.slice(start, end)}»`
    done = end
  }
  return result + text.slice(done)
}

function holds(source: string, example: string): void {
  expect(marked(source, example.replace(/[«»]/g, ''))).toBe(example)
}

describe('tool words in prose', () => {
  it.each([
    'Use «Read» to open the file.',
    'Never use «Bash» for this.',
    'Look it up via «Grep», then stop.',
    'Search with «Grep» before you answer.',
    'You have «Bash», but only for tests.',
    'Take «Glob» instead of «Bash» for file names.',
    'Prefer smaller steps (use «Edit»).',
    'Call it through the «Task» tool.',
    'Every destructive «Bash» operation needs a reason.',
    'Start helpers in parallel «Task» calls.',
    'You run as a «Task» subagent.',
    'If «Edit» fails, say so.',
    'You can only use «Read», «Grep» and «Glob».',
    'Use «Write»/«Edit» for new components.',
    'The «Write» and «Edit» tools are blocked.',
    'Explore: «Glob» to map files, «Grep» to find names, «Read» to understand them.',
    'It is visible through «Glob» (folders), «Grep» (imports) and «Read» (one file).',
    'The order is «Grep» → «Read» → «Edit».',
    '**Tools**: «Read», «Grep»',
    '**Tools**: «Task», «TodoWrite», «Read»\n**Focus**: one thing at a time',
    'Tools: «Read», «Write», «Edit», «Bash»\n\nWrite Bash scripts that run anywhere.',
    '| Agent | Purpose | Tools |\n| --- | --- | --- |\n| deps | Health | «Bash» |\n| plan | Order | «Read», «Grep» |',
    '| Tool | Use |\n|---|---|\n| «Write» | new files |\n| «Task» | helpers |',
    'Ask with «AskUserQuestion» and note it with «TodoWrite».',
    'Fetch it with «mcp__docs__get-page».',
    'Please use\n«Read» on the next line of a paragraph.',
    'Bitte «WebFetch» benutzen.',
    '请使用 «Read» 工具。',
  ])('%s', (example) => holds('claude-code', example))
})

describe('tool words in other forms', () => {
  it.each([
    "Errors are in the «Bash» output, and «Read»'s `limit` is 2000 lines.",
    'Compare each «Grep» result with the last «Edit» result.',
    'Run a «Bash»-only check and take «WebSearch»-verified facts.',
    '- «Bash»: npm test -- --watch=false',
    '- «Grep»: "TODO|FIXME"',
    '- «Read»/«Write» for drafts',
    '## «WebFetch» — official pages',
    'Check it using «WebFetch» and «Grep».',
  ])('%s', (example) => holds('claude-code', example))

  it.each([
    ['opencode', 'Gather facts using «webfetch» and «grep».'],
    ['copilot', '- `«search/codebase»` - find patterns\n- `«usages»` - trace them\n- `«fetch»` - get pages\n'],
    ['copilot', 'Using `#«usages»` to see who calls it.'],
  ])('%s: %s', (source, example) => holds(source, example))
})

describe('English that looks like tools', () => {
  it.each([
    '# Read this first',
    '## Using the Task tool\n',
    'Write tests\n===========',
    '- Read the whole file before you change it.',
    '1. Write a failing test.',
    '- [ ] Edit the configuration by hand.',
    'Read the plan. Write the code. Edit the rest.',
    '| Step | Action |\n|---|---|\n| 1 | Read |\n| 2 | Write |',
    '| Tool | Task |\n|---|---|\n| hammer | Write a nail |',
    '| Tool | Access |\n|---|---|\n| Read replicas | Read |',
    '| Shell | Build tools |\n|---|---|\n| Bourne | Bash |',
    '**Read before writing** and think.',
    '- **Write clear messages**: short ones.',
    'Read-only access, a read-modify-write cycle, a User-Agent header and Bash-like syntax.',
    'You have Read and Write access to the folder.',
    '| file | Read + Write |',
    'Task 5 depends on Task 3.',
    'The Billing Agent calls the Support Agent.',
    'Use Read replicas and Write-Ahead logging.',
    'Use Task Manager to see it.',
    'Agents use Agent Skills.',
    'Write scripts in Bash, Python or Perl.',
    'Knowledge of Python, Bash and SQL.',
    'Bash 5.1 has more features. Use Bash for scripts and use Bash arrays.',
    'See https://example.com/docs/Read and [the docs](guides/Write).',
    'The path src/Edit/index.ts, lib/Grep/Read.go and Context/Task numbers.',
    'Return `Task` from `async Task Load()`.',
    'Press the `Edit` button, then `Task.Delay(5)`.',
    'Read tool output carefully, and write tools for the team.',
    'Then Read the file and Write the answer.',
    '- Bash: the usual language for such scripts.',
    'Task-based work, Read-heavy tables, Bash-specific syntax, Bash-only features and Agent-to-agent talk.',
    'Grep for TODO before you end.',
    "Read/Write to disk is slow. The Agent's output and Write errors.",
    '## Bash scripts\n',
    'See [above](#webfetch-pages).\n\n## WebFetch pages\n',
    'Unity: never use `SendMessage()` or `FindObjectOfType()`.',
    'The LSP protocol, Azure Monitor and the Workflow are documented.',
  ])('%s', (example) => holds('claude-code', example))
})

describe('tool words in backticks', () => {
  it.each([
    'Use `«Read»`, `«Glob»` and `«Grep»`.',
    'The `«Agent»` entry is gone.',
    'Take `«Read»/«Grep»/«Glob»`.',
    'It has `tools: «Read», «Grep»`.',
    'Run `«Bash»(git status)` or `«Task»(subagent_type="helper", prompt="x")`.',
    'Only `«Grep» "needle"` and `Read needle`.',
    'The `«Edit»` and `«Write»` tools.',
    'A `Read/Write` lock and `[Edit] [Skip]`.',
  ])('%s', (example) => holds('claude-code', example))
})

describe('tool words at the head of a line', () => {
  it('are tools in a list of tools', () => {
    holds('claude-code', '- **«Read»**: look into files\n- **«Grep»**: find text\n- **eslint**: check style\n')
    holds('claude-code', 'You have these tools:\n\n- «Read»\n- «Write»\n')
    holds('claude-code', '| tool | for |\n|---|---|\n| «Read» | files |\n| «Bash» | commands |\n')
    holds('claude-code', '**«Glob»** - find files\n')
  })

  it('are tools below a title that says so', () => {
    holds('gemini-cli', '| Agent | Tools |\n|---|---|\n| finder | «glob», `«read_file»` |\n')
  })

  it('are English in other lists', () => {
    holds('claude-code', '- **Read**: 2000 a second\n- **Write**: 100 a second\n')
    holds('claude-code', '- **Python**: services\n- **Bash**: scripts\n')
    holds('claude-code', '1. **Read** the brief\n2. **Write** the text\n')
  })
})

describe('tool words in code blocks', () => {
  it('count where they are called', () => {
    holds('claude-code', '```\n«Read»: src/main.ts\n«Grep»(pattern="x")\n«Task»(subagent_type="helper")\n```\n')
    holds('claude-code', '```yaml\n«AskUserQuestion»:\n  questions: []\n```\n')
    holds('claude-code', '```\n«Read» path="a/b.yaml"\n```\n')
    holds('claude-code', '```markdown\nuse this:\n```\n«Read»: a/b\n```\nand\n```\n')
  })

  it('count in prompts and forms where nothing else can be meant', () => {
    holds('claude-code', '```\nUse «Read» to look, then mark it with «TodoWrite».\n```\n')
    holds('claude-code', '```markdown\n**Tool**: «Edit»/«Write»\n**Source**: [«WebSearch» only]\n```\n')
    holds('claude-code', '```jsonl\n{"event":"end","tool":"«Edit»","input":"Edit it"}\n```\n')
    holds('opencode', '```\n«skill»({ name: "plans" })\n```\n')
  })

  it('do not count otherwise', () => {
    holds('claude-code', '```\nThe Bash tool is slow.\nRead a/b.md\n```\n')
    holds('claude-code', '```ts\nconst tool = new WebFetch(url) // use Read to look\n```\n')
    holds('claude-code', '```go\nn, err := conn.Read(buf)\nfunc (f *File) Write(p []byte) {}\n```\n')
    holds('claude-code', '```python\nagent = Agent(name="x")\ntask = Task(description="d", expected_output="e")\n```\n')
    holds('claude-code', 'before\n````js\n```sh\nUse Read to\n```\nUse Bash to\n````\nUse «Grep» to find it.\n')
    holds('claude-code', '<!-- Use Read to look. -->\n')
  })

  it('are told apart although the prompt is indented inside tags', () => {
    holds('claude-code', '<Rules>\n\n    - Use «Bash» to run tests.\n    - Read the output.\n\n</Rules>\n')
  })
})

describe('words in small letters', () => {
  it.each([
    ['opencode', 'Use `«read»` and `«grep»`; then read the file and grep it.'],
    ['opencode', 'Start it with the `«task»` tool or the «task» tool, not as a task.'],
    ['opencode', 'Run `grep -r` and `bash x.sh`; a `task` is a unit of work.'],
    ['opencode', 'Use «webfetch» for pages.'],
    ['gemini-cli', 'Call «read_file» and `«replace»` with `«run_shell_command»`; replace the text.'],
    ['copilot', 'Use #«editFiles» and `#tool:«web/fetch»` with the «search» tool.'],
    ['copilot', 'If a new tool is needed, list the problems and fetch(x).'],
    ['codex', 'Change files with `«apply_patch»`, run «exec_command».'],
  ])('%s: %s', (source, example) => holds(source, example))
})
