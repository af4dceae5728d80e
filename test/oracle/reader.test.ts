/** Troupe's own reader against the real programs: what it says they give, and what it lets a definition stand for. */
import { expect, test } from 'vitest'
import { isUsableTool } from '../../src/harness/effective/predict-request.ts'
import { accessCeiling, effectiveAccess } from '../../src/model/access/rules.ts'
import { readOne } from '../reading.ts'
import { isTelling, readObservations, toolsSeen } from './observations.ts'
import { type Dialect, dialects } from './read.ts'

/** What is known to differ, and why. All but the first of Gemini and those of OpenCode err on the strict side. */
const known: Readonly<Record<Dialect, readonly RegExp[]>> = {
  // Workflow does what Agent does; that it is on no list is not put together with the denial.
  'claude-code': [/^main delegate .*\ntools: (?:Agent|Task), Read\ndisallowedTools: (?:Task|Agent)\n/s],
  // Offered although every call is denied; and a question that a rule about commands brings back.
  opencode: [/^\w+ (?:shell|ask) .*\{ "(?:\*\*+|\*": deny, "\* |git \*)": (?:deny|allow) \}/s],
  codex: [],
  // The name of a tool of github, and of one of github_enterprise.
  'gemini-cli': [/^child mcp:github_enterprise\/get .*"mcp_github_enterprise_get"/s],
  copilot: [
    // A server of that name is the program's own, which nobody sees here.
    /^child mcp:github\/.*github\//is,
    // A dash that is no item is nothing to YAML, and a name to the program.
    /^main skill .*\ntools: \[-\]\n/s,
    // For Windows and for VS Code.
    /^\w+ shell .*"(?:powershell|runTasks)"/s,
  ],
  // Other names for the same may be switched on, but nobody has seen them; nor is a denial put together with a list.
  'qwen-code': [
    /^child delegate .*disallowedTools: (?:agent|Agent|Task)\n/s,
    /^child shell .*\ntools:.*\ndisallowedTools: /s,
  ],
}

/** What an agent that says nothing does not get either is no part of a definition. */
const silent: Readonly<Record<Dialect, Readonly<Record<string, readonly string[]>>>> = {
  'claude-code': {},
  opencode: { main: ['ask'], child: ['ask', 'delegate', 'todo'] },
  codex: {},
  'gemini-cli': { child: ['delegate', 'todo'] },
  copilot: {},
  'qwen-code': { child: ['message', 'todo', 'plan'] },
}

test.each(dialects)('reads what %s reads', (dialect) => {
  let looks = 0
  const wrong: string[] = []
  for (const observation of readObservations(dialect)) {
    const { role, text, loads, offered } = observation
    // What one file says of several agents is read by others.
    if (!isTelling(dialect, observation) || !loads || offered === null || text.startsWith('{')) continue
    const { access } = readOne(dialect, { text })
    const given = effectiveAccess(access, role)
    const defined = accessCeiling(access, role)
    for (const { tool, isOffered } of toolsSeen(dialect, observation)) {
      looks++
      const isSilent = silent[dialect][role]?.includes(tool) === true
      const isAlive = !isOffered && !isSilent && isUsableTool(defined, tool)
      if (isUsableTool(given, tool) === isOffered && !isAlive) continue
      const what = `${role} ${tool} is ${isOffered ? 'offered' : 'not offered'}: ${text}`
      if (!known[dialect].some((pattern) => pattern.test(what))) wrong.push(what)
    }
  }
  expect(wrong).toEqual([])
  expect(looks).toBeGreaterThan(300)
})
