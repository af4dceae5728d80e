import { test } from 'vitest'
import { markdown } from '../reading.ts'
import { accessFor } from './converting.ts'

const cases: [string, string[]][] = [
  ['claude-code', ['name: a', 'description: b']],
  ['claude-code', ['name: a', 'description: b', 'tools: Read, Grep, Glob, Bash']],
  [
    'claude-code',
    ['name: a', 'description: b', 'tools: Read, Write, Edit, Bash, Glob, Grep, WebFetch, WebSearch, Task, TodoWrite'],
  ],
  [
    'claude-code',
    [
      'name: a',
      'description: b',
      'tools: Read, Edit, Bash(git *), Bash(npm test:*)',
      'disallowedTools: Bash(git push *)',
    ],
  ],
  ['claude-code', ['name: a', 'description: b', 'disallowedTools: Write, Edit']],
  ['claude-code', ['name: a', 'description: b', 'tools: Read, mcp__ctx__get, mcp__other']],
  ['claude-code', ['name: a', 'description: b', 'tools: []']],
  ['claude-code', ['name: a', 'description: b', 'tools: Read, Agent(helper, other)']],
  [
    'opencode',
    [
      'description: b',
      'permission:',
      '  edit: deny',
      '  bash:',
      '    "*": ask',
      '    "git push*": ask',
      '    "git push --force*": deny',
      '    "git status*": allow',
    ],
  ],
  ['opencode', ['description: b', 'tools:', '  write: false', '  edit: false', '  bash: false']],
  ['copilot', ['description: b', "tools: ['read', 'search', 'web/fetch', 'ctx/*']"]],
  ['gemini-cli', ['name: a', 'description: b', 'tools: [read_file, grep_search, run_shell_command]']],
]
test('try', () => {
  for (const [from, lines] of cases) {
    console.log(`### ${from}: ${lines.slice(1).join(' | ')}`)
    for (const to of ['claude-code', 'opencode', 'codex', 'gemini-cli', 'copilot', 'qwen-code', 'agents']) {
      if (to === from) continue
      const { keys, report } = accessFor(from, to, { text: markdown(...lines) })
      const w = report.widened.map((c) => `${c.capability}${c.pattern ? `(${c.pattern})` : ''} ${c.before}>${c.after}`)
      const n = [...new Set(report.narrowed.map((c) => c.capability))]
      console.log(
        `  ${to}: ${JSON.stringify(keys)} ${report.enforced}${w.length ? ` WIDER ${w.join(', ')}` : ''}${n.length ? ` narrower ${n.join(' ')}` : ''}`,
      )
    }
  }
})
