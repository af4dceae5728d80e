/** Which agents a session can start, by what stands in parentheses behind the tool: Troupe's answer beside that of the program. */
import { expect, test } from 'vitest'
import { decide } from '../../src/model/access/decide.ts'
import { effectiveAccess } from '../../src/model/access/rules.ts'
import { createIsolatedProject } from '../../src/verify/isolate.ts'
import { fillCall, runRecipe } from '../../src/verify/run-recipe.ts'
import { readOne } from '../reading.ts'
import { runnable } from './lab.ts'

const real = runnable('claude-code')
const helpers = ['helper', 'tester']
const files = Object.fromEntries(
  helpers.map((name) => [
    `.claude/agents/${name}.md`,
    `---\nname: ${name}\ndescription: Works\n---\nYou are ${name}.\n`,
  ]),
)
const curtain = 'The play begins.'
const line = 'It is your turn.'

/** Whether the program starts an agent that is there when a member of the cast asks for it. */
async function starts(says: string, role: 'main' | 'child', agent: string): Promise<boolean> {
  const { main, child } = real.oracle
  if (main === null || child === null) throw new Error('cannot be run in both roles')
  const place = createIsolatedProject({ ...files, '.claude/agents/lead.md': definition(says) })
  const call = fillCall(child.call, { name: agent, display: agent, prompt: 'work' })
  const enter = fillCall(child.call, { name: 'lead', display: 'lead', prompt: line })
  const cues = [
    { contains: line, lacks: curtain, equipped: true, answer: { calls: [call] } },
    { contains: curtain, equipped: true, answer: { calls: [enter] } },
  ]
  const prompt = role === 'main' ? line : curtain
  const run = role === 'main' ? main : child
  const { stub } = await runRecipe(real, place, run, cues, { name: 'lead', prompt, hashes: '{}' })
  place.remove()
  return stub.requests.some(({ system }) => system.some((text) => text.includes(`You are ${agent}.`)))
}

function definition(says: string): string {
  return `---\nname: lead\ndescription: Leads\n${says}\n---\nYou lead.\n`
}

test.each([
  ['tools: Agent(helper)', 'main'],
  ['tools: Agent(helper)', 'child'],
  ['tools: Agent(helper), Agent', 'main'],
  ['tools: Agent(help*)', 'main'],
] as const)('%s, as %s', { timeout: 120_000 }, async (says, role) => {
  const { access } = readOne('claude-code', { text: definition(says), path: 'lead.md' })
  for (const name of helpers) {
    const predicted = decide(effectiveAccess(access, role), { tool: 'delegate', argument: name }).action
    expect(await starts(says, role, name), `${name}, ${predicted}`).toBe(predicted !== 'deny')
  }
})
