/** A team on real harnesses: each is itself, they hand work to each other, and what one may not do it cannot do. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Cue } from '../../src/verify/stub/script.ts'
import type { ToolCall } from '../../src/verify/stub/wire.ts'
import { type House, leftBehind, newPorts, openHouse, openPorts } from './workplace.ts'

let house: House
afterEach(() => house?.close())

/** What a member does, one thing after the other, and its last words. */
function part(name: string, calls: readonly ToolCall[], last: string): Cue[] {
  const me = { sees: `You are the ${name} of this play`, equipped: true }
  return [...calls.map((call) => ({ ...me, answer: { calls: [call] } })), { ...me, answer: { text: last } }]
}

const words = (name: string) => `You are the ${name} of this play.`

test('coder, reviewer, tester, scribe, herald and crier, each in another harness', async () => {
  const files = {
    // Claude Code.
    '.claude/agents/coder.md': `---\nname: coder\ndescription: Writes code\ntools: Read, Write, Bash, SendMessage\n---\n${words('coder')}\n`,
    // Written for Claude Code, played in OpenCode.
    '.claude/agents/reviewer.md': `---\nname: reviewer\ndescription: Reviews code\ntools: Read, Grep, Glob\n---\n${words('reviewer')}\n`,
    '.codex/agents/tester.toml': `name = "tester"\ndescription = "Tests"\nsandbox_mode = "workspace-write"\ndeveloper_instructions = "${words('tester')}"\n`,
    '.gemini/agents/scribe.md': `---\nname: scribe\ndescription: Takes notes\ntools: [read_file, write_file]\n---\n${words('scribe')}\n`,
    '.github/agents/herald.agent.md': `---\nname: herald\ndescription: Tells everybody\ntools: [read]\n---\n${words('herald')}\n`,
    '.qwen/agents/crier.md': `---\nname: crier\ndescription: Cries it out\ntools: [read_file]\n---\n${words('crier')}\n`,
    'troupe.yaml': [
      'work:',
      '  attempts: 1',
      '  members:',
      '    coder: { handoff_to: [reviewer] }',
      '    reviewer: { harness: opencode }',
      '    tester: { handoff_to: [scribe], triggers: [test] }',
      '    scribe: { handoff_to: [herald] }',
      '    herald: { handoff_to: [crier] }',
      '',
    ].join('\n'),
  }
  const cues = [
    ...part(
      'coder',
      [
        { tool: 'Write', arguments: { file_path: 'greeting.txt', content: 'Hello\n' } },
        {
          tool: 'mcp__troupe__handoff',
          arguments: { to: 'reviewer', task: 'review greeting.txt', done: 'wrote it', files: ['greeting.txt'] },
        },
      ],
      'Written, and handed over.',
    ),
    ...part(
      'reviewer',
      [
        { tool: 'write', arguments: { filePath: 'stolen.txt', content: 'x' } },
        { tool: 'bash', arguments: { command: 'touch stolen.txt', description: 'try' } },
        { tool: 'read', arguments: { filePath: 'greeting.txt' } },
      ],
      'Approved: it greets.',
    ),
    ...part(
      'tester',
      [
        { tool: 'exec_command', arguments: { cmd: 'grep -c Hello greeting.txt > result.txt' } },
        { tool: 'tool_search', arguments: { query: 'troupe handoff', limit: 10 } },
        { tool: 'handoff', namespace: 'mcp__troupe', arguments: { to: 'scribe', task: 'note the result' } },
      ],
      'Tested.',
    ),
    ...part(
      'scribe',
      [
        { tool: 'run_shell_command', arguments: { command: 'touch stolen.txt' } },
        { tool: 'write_file', arguments: { file_path: 'notes.md', content: 'one greeting\n' } },
        { tool: 'mcp_troupe_handoff', arguments: { to: 'herald', task: 'tell everybody', files: ['notes.md'] } },
      ],
      'Noted.',
    ),
    ...part(
      'herald',
      [
        { tool: 'bash', arguments: { command: 'touch stolen.txt', description: 'try' } },
        { tool: 'view', arguments: { path: 'notes.md' } },
        { tool: 'troupe-handoff', arguments: { to: 'crier', task: 'cry it out' } },
      ],
      'Told.',
    ),
    ...part(
      'crier',
      [
        { tool: 'run_shell_command', arguments: { command: 'touch stolen.txt', is_background: false } },
        {
          tool: 'mcp__troupe__report_status',
          arguments: { status: 'completed', message: 'Hear, hear: one greeting.' },
        },
      ],
      'Cried.',
    ),
  ]
  house = await openHouse(files, cues)
  const portsBefore = openPorts(house.stub)
  const first = await house.run(['work', 'start', 'coder', 'write a greeting'])
  expect([first.code, first.stdout]).toEqual([0, 'Approved: it greets.\n'])
  const second = await house.run(['work', 'start', 'test the greeting'])
  expect(second.stderr).toContain('Chose tester because of "test".')
  expect([second.code, second.stdout]).toEqual([0, 'Hear, hear: one greeting.\n'])

  expect(house.read('greeting.txt')).toBe('Hello\n')
  expect(house.read('result.txt')).toBe('1\n')
  expect(house.read('notes.md')).toBe('one greeting\n')
  expect(existsSync(join(house.root, 'stolen.txt'))).toBe(false)

  const chat = house.read('.workplace/chat.md')
  for (const line of [
    '[user-to-coder]: write a greeting',
    '[coder-to-reviewer]: review greeting.txt',
    '[reviewer-to-coder]: Approved: it greets.',
    '[user-to-tester]: test the greeting',
    '[tester-to-scribe]: note the result',
    '[scribe-to-herald]: tell everybody',
    '[herald-to-crier]: cry it out',
    '[crier-to-herald]: Hear, hear: one greeting.',
  ])
    expect(chat).toContain(`${line}\n`)
  const status = JSON.parse(house.read('.workplace/process-status.json'))
  for (const name of ['coder', 'reviewer', 'tester', 'scribe', 'herald', 'crier'])
    expect([name, status[name].status, status[name].error]).toEqual([name, 'completed', null])
  const completed = house.records().flatMap((record) => (record.t === 'completed' ? [record.id] : []))
  expect([completed.length, new Set(completed).size]).toEqual([6, 6])

  // Nothing was written into the project but what they were asked for, and nothing is left of their runs.
  const own = [
    '.claude',
    '.codex',
    '.gemini',
    '.github',
    '.qwen',
    '.workplace',
    'greeting.txt',
    'notes.md',
    'result.txt',
    'troupe.yaml',
  ]
  expect(readdirSync(house.root).sort()).toEqual(own)
  for (const folder of [house.places.runs, house.places.claims, house.places.sessions])
    expect(readdirSync(folder)).toEqual([])
  expect(leftBehind(house)).toEqual([])
  expect(newPorts(house, portsBefore)).toEqual([])
})

/** A team that speaks with tools which only Claude Code has. */
const claudeTeam = {
  '.claude/agents/lead.md': `---\nname: lead\ndescription: Leads\ntools: Read, SendMessage, TaskCreate, TaskUpdate, TeamCreate\n---\n${words('lead')}\nStart with the TeamCreate tool, put work on the list with TaskCreate, and use SendMessage to give it to the maker.\n`,
  '.claude/agents/maker.md': `---\nname: maker\ndescription: Makes\ntools: Read, Write, SendMessage, TaskUpdate\n---\n${words('maker')}\nUse SendMessage to tell the checker.\n`,
  '.claude/agents/checker.md': `---\nname: checker\ndescription: Checks\ntools: Read, TaskList\n---\n${words('checker')}\n`,
  'troupe.yaml':
    'work:\n  attempts: 1\n  members:\n    lead: { handoff_to: [maker] }\n    maker: { handoff_to: [checker] }\n',
}

/** The same script in both, but for how a harness spells a tool. */
function script(team: (tool: string) => string, write: ToolCall): Cue[] {
  return [
    ...part(
      'lead',
      [
        { tool: team('roster'), arguments: {} },
        { tool: team('task_create'), arguments: { subject: 'Make it', owner: 'maker' } },
        { tool: team('send_message'), arguments: { to: 'maker', message: 'make it' } },
      ],
      'It is under way.',
    ),
    ...part(
      'maker',
      [write, { tool: team('handoff'), arguments: { to: 'checker', task: 'check made.txt', files: ['made.txt'] } }],
      'Made.',
    ),
    ...part(
      'checker',
      [
        { tool: team('task_list'), arguments: {} },
        { tool: write.tool, arguments: { ...write.arguments, content: 'spoilt' } },
      ],
      'Checked.',
    ),
  ]
}

test('a team of Claude Code, converted to OpenCode, plays the same to the same end', async () => {
  const ends: string[] = []
  const play = async (at: House) => {
    const { code, stdout, stderr } = await at.run(['work', 'start', 'lead', 'make something'])
    expect([code, stdout, code === 0 ? '' : stderr]).toEqual([0, 'Checked.\n', ''])
    expect(at.read('made.txt')).toBe('made')
    const tasks = at.read('.workplace/tasks.jsonl').trim().split('\n')
    expect(JSON.parse(tasks[0] ?? '')).toMatchObject({ by: 'lead', set: { subject: 'Make it', owner: 'maker' } })
    const said = at.read('.workplace/chat.md').split('\n')
    ends.push(
      said
        .filter((line) => line.startsWith('['))
        .sort()
        .join('\n'),
    )
  }
  house = await openHouse(
    claudeTeam,
    script((tool) => `mcp__troupe__${tool}`, { tool: 'Write', arguments: { file_path: 'made.txt', content: 'made' } }),
  )
  await play(house)
  const made = await house.run(['convert', '--to', 'opencode', '--on-gap', 'workaround', '--json'])
  const { results } = JSON.parse(made.stdout)
  const features = results.flatMap(({ features: all }: { features: object[] }) => all)
  for (const [feature, to] of [
    ['SendMessage', 'troupe_send_message'],
    ['TeamCreate', 'troupe_roster, troupe_handoff'],
  ])
    expect(features).toContainEqual(expect.objectContaining({ area: 'tools', feature, outcome: 'workaround', to }))
  const converted = ['lead', 'maker', 'checker'].map((name) => `.opencode/agents/${name}.md`)
  const files = Object.fromEntries([...converted, 'opencode.json'].map((path) => [path, house.read(path)]))
  expect(JSON.parse(files['opencode.json'] ?? '')).toMatchObject({
    mcp: { troupe: { type: 'local', command: ['troupe', 'mcp'] } },
    permission: { 'troupe_*': 'deny' },
  })
  // Whoever could neither message nor delegate cannot hand on.
  expect(files['.opencode/agents/checker.md']).not.toContain('troupe_handoff')
  expect(files['.opencode/agents/maker.md']).toContain('troupe_handoff: allow')
  await house.close()

  house = await openHouse(
    { ...files, 'troupe.yaml': claudeTeam['troupe.yaml'] },
    script((tool) => `troupe_${tool}`, { tool: 'write', arguments: { filePath: 'made.txt', content: 'made' } }),
  )
  await play(house)
  expect(ends[1]).toBe(ends[0])
})
