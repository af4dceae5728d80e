import { test } from 'vitest'
import type { Cue } from '../../src/proof/stub/play.ts'
import { type House, openHouse } from './workplace.ts'
let house: House
const only = process.env.ONLY ?? ''
const defs: Record<string, any> = {
  codex: {
    file: '.codex/agents/one.toml', text: 'name = "one"\ndescription = "One"\nsandbox_mode = "workspace-write"\ndeveloper_instructions = """\nYou are the one of this play.\n"""\n',
    calls: [
      { tool: 'exec_command', arguments: { cmd: 'echo hi > made.txt' } },
      { tool: 'tool_search', arguments: { query: 'troupe handoff', limit: 10 } },
      { tool: 'handoff', namespace: 'mcp__troupe', arguments: { to: 'closer', task: 'close it' } },
    ],
  },
  'gemini-cli': {
    file: '.gemini/agents/one.md', text: '---\nname: one\ndescription: One\ntools: [read_file, write_file]\n---\nYou are the one of this play.\n',
    calls: [
      { tool: 'write_file', arguments: { file_path: 'made.txt', content: 'hi' } },
      { tool: 'mcp_troupe_handoff', arguments: { to: 'closer', task: 'close it' } },
    ],
  },
  copilot: {
    file: '.github/agents/one.agent.md', text: '---\nname: one\ndescription: One\ntools: [read, edit, execute]\n---\nYou are the one of this play.\n',
    calls: [
      { tool: 'bash', arguments: { command: 'echo hi > made.txt', description: 'x' } },
      { tool: 'troupe-handoff', arguments: { to: 'closer', task: 'close it' } },
    ],
  },
  'qwen-code': {
    file: '.qwen/agents/one.md', text: '---\nname: one\ndescription: One\ntools: [read_file, write_file]\n---\nYou are the one of this play.\n',
    calls: [
      { tool: 'write_file', arguments: { file_path: 'made.txt', content: 'hi' } },
      { tool: 'mcp__troupe__handoff', arguments: { to: 'closer', task: 'close it' } },
    ],
  },
}
for (const [id, { file, text, calls }] of Object.entries(defs)) {
  if (only !== '' && only !== id) continue
  test(id, async () => {
    const one = { sees: 'You are the one of this play', equipped: true }
    const cues: Cue[] = [...calls.map((call: any) => ({ ...one, answer: { calls: [call] } })), { ...one, answer: { text: 'Handed over.' } }]
    house = await openHouse({ [file]: text, '.workplace/agents/closer.md': '---\nname: closer\nrole: closer\n---\nx\n', 'troupe.yaml': 'work:\n  backoff: 0.1\n  attempts: 1\n  members:\n    one:\n      handoff_to: [closer]\n    closer:\n      command: [echo, closed]\n' }, cues)
    const ran = await house.run(['work', 'start', 'one', 'write it'])
    console.log(ran.stdout, ran.stderr)
    for (const r of house.stub.requests) console.log(r.model, r.tools.join(' '), JSON.stringify(r.system).slice(0,100), JSON.stringify(r.said.at(-1)).slice(0, 500))
    try { console.log('MADE', house.read('made.txt')) } catch { console.log('NOT MADE') }
    await house.close()
  })
}
