/** What the real programs were seen to offer, line by line, held against what the evaluator says they give. */
import { readFileSync } from 'node:fs'
import type { Role } from './call.ts'
import { type Dialect, read } from './read.ts'

/** One run: a definition, and the tools that reached the model. */
export interface Observation {
  readonly role: Role
  readonly text: string
  readonly loads: boolean
  /** Servers were there: github (get, b_get), github_enterprise, a_b and git-hub (get), a (get, b_get). */
  readonly servers: boolean
  readonly offered: readonly string[] | null
}

export function readObservations(dialect: Dialect): Observation[] {
  const lines = readFileSync(`test/oracle/observed/${dialect}.jsonl`, 'utf8').trim().split('\n')
  const all = new Map<string, string[]>()
  const found: Observation[] = []
  for (const line of lines) {
    const { role, text, servers = false, loads = true, ...row } = JSON.parse(line)
    const key = `${role} ${servers}`
    if (row.all !== undefined) all.set(key, row.all)
    else {
      const without = (all.get(key) ?? []).filter((name) => row.without?.includes(name) === false)
      found.push({ role, text, servers, loads, offered: row.offered ?? (row.without === undefined ? null : without) })
    }
  }
  return found
}

/** On the wire, by neutral tool. Tools that a session without a person never has cannot be seen, and are not here. */
const wire: Readonly<Record<Dialect, Readonly<Record<string, readonly string[]>>>> = {
  'claude-code': {
    ...{ read: ['Read'], write: ['Write'], edit: ['Edit'], notebook: ['NotebookEdit'], shell: ['Bash', 'Monitor'] },
    ...{
      fetch: ['WebFetch'],
      search: ['WebSearch'],
      delegate: ['Agent', 'Workflow'],
      skill: ['Skill'],
      message: ['SendMessage'],
    },
  },
  opencode: {
    ...{
      read: ['read'],
      glob: ['glob'],
      grep: ['grep'],
      write: ['write'],
      edit: ['edit'],
      shell: ['bash'],
      fetch: ['webfetch'],
    },
    ...{ delegate: ['task'], skill: ['skill'], ask: ['question'], todo: ['todowrite'] },
  },
  codex: { shell: ['exec_command', 'write_stdin'], read: ['exec_command'] },
  'gemini-cli': {
    ...{ read: ['read_file'], glob: ['glob'], grep: ['grep_search'], list: ['list_directory'], write: ['write_file'] },
    ...{ edit: ['replace'], shell: ['run_shell_command'], fetch: ['web_fetch'], search: ['google_web_search'] },
    ...{ skill: ['activate_skill'], todo: ['write_todos'], delegate: ['invoke_agent'] },
  },
  copilot: {
    ...{ read: ['view', 'read_file'], grep: ['rg', 'grep_search', 'semantic_search'], glob: ['glob', 'file_search'] },
    ...{ write: ['apply_patch'], edit: ['apply_patch'], shell: ['bash'] },
    ...{ delegate: ['task'], todo: ['update_todo'], skill: ['skill'] },
  },
  'qwen-code': {
    ...{ read: ['read_file'], glob: ['glob'], grep: ['grep_search'], write: ['write_file'], edit: ['edit'] },
    ...{
      notebook: ['notebook_edit'],
      shell: ['run_shell_command', 'monitor'],
      fetch: ['web_fetch'],
      delegate: ['agent'],
    },
    ...{ skill: ['skill'], message: ['send_message'], todo: ['todo_write'], plan: ['exit_plan_mode'] },
  },
}

const servers: Readonly<Record<string, readonly string[]>> = {
  github: ['get', 'b_get'],
  github_enterprise: ['get'],
  a: ['get', 'b_get'],
  a_b: ['get'],
  'git-hub': ['get'],
}

function wireName(dialect: Dialect, server: string, tool: string): string {
  if (dialect === 'opencode') return `${server}_${tool}`
  if (dialect === 'copilot') return `${server}-${tool}`
  if (dialect === 'gemini-cli') return `mcp_${server}_${tool}`
  if (dialect === 'codex') return `mcp__${server.replaceAll('-', '_')}.${tool}`
  return `mcp__${server}__${tool}`
}

/** Every tool that can be seen, and whether it was there. */
export function* toolsSeen(
  dialect: Dialect,
  seen: Observation,
): Generator<{ readonly tool: string; readonly isOffered: boolean }> {
  const offered = seen.offered ?? []
  for (const [tool, names] of Object.entries(wire[dialect]))
    yield { tool, isOffered: names.some((name) => offered.includes(name)) }
  for (const [server, tools] of seen.servers ? Object.entries(servers) : []) {
    for (const tool of tools) {
      // In Gemini one name stands for `b_get` of `a` and for `get` of `a_b`; nobody sees which it is.
      if (dialect === 'gemini-cli' && `${server}_${tool}` === 'a_b_get') continue
      yield { tool: `mcp:${server}/${tool}`, isOffered: offered.includes(wireName(dialect, server, tool)) }
    }
  }
}

/** A role of Codex is never a main session; and the newest models get one tool that runs programs: what those may do, nobody sees. */
export function isTelling(dialect: Dialect, { role, text }: Observation): boolean {
  return dialect !== 'codex' || (role === 'child' && !/model = "gpt-(?:5\.6|6)/.test(text))
}

/** Each tool that can be seen is one call; a sentence for each that the evaluator gets wrong. */
export function disagreements(dialect: Dialect, observation: Observation) {
  const { role, text, loads, offered } = observation
  const reading = read(dialect, text)
  if (!isTelling(dialect, observation)) return { calls: 0, wrong: [] }
  if (!loads || offered === null)
    return { calls: 1, wrong: reading.loads && !reading.disabled ? [`loads: ${text}`] : [] }
  const wrong: string[] = reading.loads ? [] : [`does not load: ${text}`]
  let calls = 1
  for (const { tool, isOffered } of toolsSeen(dialect, observation)) {
    calls++
    const offers = reading.offers?.(tool, role) ?? reading.given({ tool, argument: 'x' }, role) !== 'deny'
    if (offers !== isOffered) wrong.push(`${role} ${tool} is ${isOffered ? 'offered' : 'not offered'}: ${text}`)
  }
  return { calls, wrong }
}
